package json

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Most values are small and arrive whole. For them the functions below take the straight way from one byte to the next,
// without a state that could be resumed. Each returns the index behind what begins at in[at], or declined: when it is wrong,
// not whole, or nested more than levels deep. Then the Scanner looks at it anew and tells what it is.

// quickLevels bounds how deep they go.
const quickLevels = 32

// quickly scans a value in one go, if it is that simple, before anything else was done.
func (s *Scanner) quickly(in []byte) {
	levels := quickLevels
	if s.MaxDepth > 0 {
		levels = min(levels, s.MaxDepth)
	}
	start := skipSpace(in, 0)
	if end := quickValue(in, start, levels); end >= 0 {
		s.start, s.pos, s.state = start, end, done
	}
}

func quickValue(in []byte, at, levels int) int {
	if at >= len(in) {
		return declined
	}
	switch in[at] {
	case '"':
		return quickString(in, at+1)
	case '{':
		return quickObject(in, at+1, levels-1)
	case '[':
		return quickArray(in, at+1, levels-1)
	case 't':
		return quickWord(in, at, "true")
	case 'f':
		return quickWord(in, at, "false")
	case 'n':
		return quickWord(in, at, "null")
	}
	return quickNumber(in, at)
}

func quickWord(in []byte, at int, word string) int {
	if end := at + len(word); end <= len(in) && string(in[at:end]) == word {
		return end
	}
	return declined
}

// quickSpace returns the index of the next byte that is not white space, which may be len(in).
func quickSpace(in []byte, at int) int {
	if at < len(in) && in[at] > ' ' {
		return at
	}
	return skipSpace(in, at)
}

func quickObject(in []byte, at, levels int) int {
	if at = quickSpace(in, at); levels < 0 || at == len(in) {
		return declined
	}
	if in[at] == '}' {
		return at + 1
	}
	for {
		if at == len(in) || in[at] != '"' {
			return declined
		}
		if at = quickString(in, at+1); at < 0 {
			return declined
		}
		if at = quickSpace(in, at); at == len(in) || in[at] != ':' {
			return declined
		}
		at = quickValue(in, quickSpace(in, at+1), levels)
		if at < 0 {
			return declined
		}
		if at = quickSpace(in, at); at == len(in) || in[at] != ',' {
			return quickEnd(in, at, '}')
		}
		at = quickSpace(in, at+1)
	}
}

func quickArray(in []byte, at, levels int) int {
	if at = quickSpace(in, at); levels < 0 || at == len(in) {
		return declined
	}
	if in[at] == ']' {
		return at + 1
	}
	for {
		if at = quickValue(in, at, levels); at < 0 {
			return declined
		}
		if at = quickSpace(in, at); at == len(in) || in[at] != ',' {
			return quickEnd(in, at, ']')
		}
		at = quickSpace(in, at+1)
	}
}

func quickEnd(in []byte, at int, bracket byte) int {
	if at < len(in) && in[at] == bracket {
		return at + 1
	}
	return declined
}

// quickString begins behind the opening quote. Most strings end within a few words.
func quickString(in []byte, at int) int {
	const short = 32
	for to := min(at+short, len(in)-8); at <= to; at += 8 {
		m := special(binary.LittleEndian.Uint64(in[at:]))
		if m == 0 {
			continue
		}
		if at += bits.TrailingZeros64(m) / 8; in[at] == '"' {
			return at + 1
		}
		break
	}
	return quickRest(in, at)
}

// quickRest goes on in a string that is long or has other than plain letters. It leaves \u to the Scanner.
func quickRest(in []byte, at int) int {
	for {
		at += plain(in[at:])
		if at == len(in) {
			return declined
		}
		switch c := in[at]; {
		case c == '"':
			return at + 1
		case c == '\\' && at+1 < len(in) && unescaped[in[at+1]] != 0:
			at += 2
		case c < utf8.RuneSelf:
			return declined
		default:
			r, size := utf8.DecodeRune(in[at:])
			if r == utf8.RuneError && size == 1 {
				return declined
			}
			at += size
		}
	}
}

// quickNumber declines a number at the end of in, which may go on.
func quickNumber(in []byte, at int) int {
	if in[at] == '-' {
		at++
	}
	first := at
	if at = quickDigits(in, at); at == first || in[first] == '0' && at > first+1 {
		return declined
	}
	if at < len(in) && in[at] == '.' {
		first = at + 1
		if at = quickDigits(in, first); at == first {
			return declined
		}
	}
	if at < len(in) && in[at]|0x20 == 'e' {
		if at++; at < len(in) && (in[at] == '+' || in[at] == '-') {
			at++
		}
		first = at
		if at = quickDigits(in, at); at == first {
			return declined
		}
	}
	if at == len(in) {
		return declined
	}
	return at
}

func quickDigits(in []byte, at int) int {
	for at < len(in) && isDigit(in[at]) {
		at++
	}
	return at
}
