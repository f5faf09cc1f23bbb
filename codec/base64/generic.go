package base64

import (
	"encoding/binary"
	"sync"
)

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// pairs holds the two letters of each twelve bits.
var pairs = makePairs()

func makePairs() (p [1 << 12]uint16) {
	for i := range p {
		p[i] = uint16(alphabet[i>>6]) | uint16(alphabet[i&63])<<8
	}
	return p
}

// values returns the twelve bits of each two letters, the first one in the lower byte of the index, and more than twelve for
// what are no letters. It is large and made only where it is needed.
var values = sync.OnceValue(func() *[1 << 16]uint16 {
	var v [1 << 16]uint16
	for i := range v {
		v[i] = 1<<16 - 1
	}
	for bits, letters := range pairs {
		v[letters] = uint16(bits)
	}
	return &v
})

// encodeGeneric encodes a multiple of three bytes from the beginning of src and returns how many. dst has room for all of
// src.
func encodeGeneric(dst, src []byte) int {
	n, m := 0, 0
	for n+16 <= len(src) && m+16 <= len(dst) {
		in, out := src[n:n+16:n+16], dst[m:m+16:m+16]
		binary.LittleEndian.PutUint64(out, fourPairs(binary.BigEndian.Uint64(in)))
		binary.LittleEndian.PutUint64(out[8:], fourPairs(binary.BigEndian.Uint64(in[6:])))
		n, m = n+12, m+16
	}
	return n
}

// fourPairs returns the eight letters of the upper 48 bits of w.
func fourPairs(w uint64) uint64 {
	a, b, c, d := pairs[w>>52], pairs[w>>40&0xfff], pairs[w>>28&0xfff], pairs[w>>16&0xfff]
	return uint64(a) | uint64(b)<<16 | uint64(c)<<32 | uint64(d)<<48
}

// decodeGeneric decodes a multiple of four letters from the beginning of src, until one is not of the alphabet, and returns
// how many. dst has room for all of src.
func decodeGeneric(dst, src []byte) int {
	n, m, table := 0, 0, values()
	for n+16 <= len(src) && m+14 <= len(dst) {
		in, out := src[n:n+16:n+16], dst[m:m+14:m+14]
		low, ok := eightValues(table, binary.LittleEndian.Uint64(in))
		high, too := eightValues(table, binary.LittleEndian.Uint64(in[8:]))
		if !ok || !too {
			break
		}
		binary.BigEndian.PutUint64(out, low)
		binary.BigEndian.PutUint64(out[6:], high)
		n, m = n+16, m+12
	}
	return n
}

// eightValues returns in its upper bits the six bytes that eight letters stand for.
func eightValues(table *[1 << 16]uint16, w uint64) (bytes uint64, ok bool) {
	a, b, c, d := table[uint16(w)], table[uint16(w>>16)], table[uint16(w>>32)], table[uint16(w>>48)]
	return uint64(a)<<52 | uint64(b)<<40 | uint64(c)<<28 | uint64(d)<<16, a|b|c|d < 1<<12
}
