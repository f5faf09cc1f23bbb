package json

import (
	"encoding/binary"
	"math/bits"
)

const (
	ones  = 0x0101010101010101 // times a byte: that byte eight times
	highs = 0x80 * ones        // the highest bit of each byte
)

// special has the highest bit set in the lowest of the eight bytes of w that is a quote, a backslash, a control character or
// not ASCII; it is zero when there is none. Bits above the lowest may be wrong: a subtraction borrows from there.
func special(w uint64) uint64 {
	return (w | ((w ^ '"'*ones) - ones) | ((w ^ '\\'*ones) - ones) | (w - ' '*ones)) & highs
}

// plain returns the length of the part before the first byte that a string cannot hold as it is: a quote, a backslash, a
// control character; or one that is not ASCII and needs a closer look.
func plain(b []byte) int {
	i := 0
	if len(b) >= 8 { // most strings end here
		if m := special(binary.LittleEndian.Uint64(b)); m != 0 {
			return bits.TrailingZeros64(m) / 8
		}
		i = plainBlocks(b, 8)
	}
	for len(b)-i >= 8 {
		if m := special(binary.LittleEndian.Uint64(b[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
		i += 8
	}
	for i < len(b) && isPlain(b[i]) {
		i++
	}
	return i
}

// plainWords moves i over blocks of 32 bytes that are plain.
func plainWords(b []byte, i int) int {
	for ; len(b)-i >= 32; i += 32 {
		w := b[i : i+32 : len(b)]
		if special(binary.LittleEndian.Uint64(w))|special(binary.LittleEndian.Uint64(w[8:]))|
			special(binary.LittleEndian.Uint64(w[16:]))|special(binary.LittleEndian.Uint64(w[24:])) != 0 {
			break
		}
	}
	return i
}

func isPlain(c byte) bool { return ' ' <= c && c < 0x80 && c != '"' && c != '\\' }
