package json

import (
	"bytes"
	"unicode/utf8"
)

// unescaped is the byte that a backslash and another byte stand for; 0: nothing. \u is not among them.
var unescaped = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// KeyIs reports whether token, a string as it stands in valid JSON, means name. It does not allocate.
func KeyIs(token []byte, name string) bool {
	body := unquote(token)
	if len(body) <= len(name) { // an escape is longer than what it stands for
		return string(body) == name && bytes.IndexByte(body, '\\') < 0
	}
	for len(body) > 0 {
		var part [utf8.UTFMax]byte
		b := part[:1]
		n := 1
		if part[0] = body[0]; body[0] == '\\' {
			b, n = appendEscape(part[:0], body)
		}
		if len(b) > len(name) || name[:len(b)] != string(b) {
			return false
		}
		body, name = body[n:], name[len(b):]
	}
	return name == ""
}

// AppendUnquoted appends the bytes that token, a string as it stands in valid JSON, means.
func AppendUnquoted(dst, token []byte) []byte {
	body := unquote(token)
	for {
		n := bytes.IndexByte(body, '\\')
		if n < 0 {
			return append(dst, body...)
		}
		dst = append(dst, body[:n]...)
		body = body[n:]
		dst, n = appendEscape(dst, body)
		body = body[n:]
	}
}

// Unquoted returns the bytes that token, a string as it stands in valid JSON, means: a part of token when it has no escapes.
func Unquoted(token []byte) []byte {
	if body := unquote(token); bytes.IndexByte(body, '\\') < 0 {
		return body
	}
	return AppendUnquoted(nil, token)
}

// unquote returns what is between the quotes.
func unquote(token []byte) []byte {
	if len(token) < 2 {
		return nil
	}
	return token[1 : len(token)-1]
}

// appendEscape appends what the escape at the beginning of b means, and returns how long the escape is.
func appendEscape(dst, b []byte) ([]byte, int) {
	switch {
	case len(b) >= 2 && b[1] != 'u':
		return append(dst, unescaped[b[1]]), 2
	case len(b) < 6:
		return dst, len(b)
	}
	r := hex4(b[2:])
	if isHighSurrogate(r) && len(b) >= 12 {
		low := hex4(b[8:])
		return utf8.AppendRune(dst, 0x10000+(r-0xd800)<<10+(low-0xdc00)), 12
	}
	return utf8.AppendRune(dst, r), 6
}

func hex4(b []byte) rune {
	return hexDigit(b[0])<<12 | hexDigit(b[1])<<8 | hexDigit(b[2])<<4 | hexDigit(b[3])
}

// hexDigit returns the value of a hexadecimal digit, or -1.
func hexDigit(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// AppendString appends s as a JSON string. It escapes what RFC 8259 demands and no more: quotes, backslashes and control
// characters. A byte that is not UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte { return AppendStringBytes(dst, []byte(s)) }

// AppendStringBytes is AppendString for bytes.
func AppendStringBytes(dst, s []byte) []byte {
	dst = append(dst, '"')
	for len(s) > 0 {
		n := plain(s)
		dst = append(dst, s[:n]...)
		if s = s[n:]; len(s) == 0 {
			break
		}
		if s[0] < utf8.RuneSelf {
			dst = appendEscaped(dst, s[0])
			s = s[1:]
			continue
		}
		dst, s = appendRunes(dst, s)
	}
	return append(dst, '"')
}

// appendRunes appends the characters at the beginning of s that are not ASCII, and returns the rest of s.
func appendRunes(dst, s []byte) (_, rest []byte) {
	for len(s) > 0 && s[0] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[size:]
	}
	return dst, s
}

func appendEscaped(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
