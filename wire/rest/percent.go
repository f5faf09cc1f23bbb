package rest

import "bytes"

// appendPercent appends s with each %XX replaced by its byte (RFC 3986 section 2.1), and reports whether every percent
// sign began one.
func appendPercent(dst, s []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(s, '%')
		if i < 0 {
			return append(dst, s...), true
		}
		if len(s) < i+3 {
			return dst, false
		}
		hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2])
		if hi < 0 || lo < 0 {
			return dst, false
		}
		dst = append(dst, s[:i]...)
		dst = append(dst, byte(hi<<4|lo))
		s = s[i+3:]
	}
}

// appendForm is appendPercent for queries and forms, in which a plus sign stands for a space.
func appendForm(dst, s []byte) ([]byte, bool) {
	for {
		i := bytes.IndexByte(s, '+')
		if i < 0 {
			return appendPercent(dst, s)
		}
		var ok bool
		if dst, ok = appendPercent(dst, s[:i]); !ok {
			return dst, false
		}
		dst = append(dst, ' ')
		s = s[i+1:]
	}
}

// wellFormed reports whether every percent sign in s begins a %XX.
func wellFormed(s []byte) bool {
	for {
		i := bytes.IndexByte(s, '%')
		if i < 0 {
			return true
		}
		if len(s) < i+3 || hexDigit(s[i+1]) < 0 || hexDigit(s[i+2]) < 0 {
			return false
		}
		s = s[i+3:]
	}
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
