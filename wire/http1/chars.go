package http1

// The characters of RFC 9110 section 5.6.2 as sets of bits: the first word holds 0 to 63, the second 64 to 127.
const (
	digits  = (1<<10 - 1) << '0'
	letters = (1<<26-1)<<('A'-64) | (1<<26-1)<<('a'-64)

	tokenLow  = digits | 1<<'!' | 1<<'#' | 1<<'$' | 1<<'%' | 1<<'&' | 1<<'\'' | 1<<'*' | 1<<'+' | 1<<'-' | 1<<'.'
	tokenHigh = letters | 1<<('^'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('|'-64) | 1<<('~'-64)

	// A host of RFC 3986 section 3.2.2 without percent escapes, which no resolver takes.
	hostLow = digits | 1<<'!' | 1<<'$' | 1<<'&' | 1<<'\'' | 1<<'(' | 1<<')' | 1<<'*' | 1<<'+' | 1<<',' | 1<<'-' | 1<<'.' |
		1<<';' | 1<<'='
	hostHigh = letters | 1<<('_'-64) | 1<<('~'-64)
)

// kind is a set of characters, one bit each.
type kind uint8

const (
	tokenByte kind = 1 << iota // of method and field names
	textByte                   // of field values, RFC 9110 section 5.5: no control characters but the tab
	hostByte                   // of the host in an authority
)

// kinds has the sets that each byte is in: heads are judged byte by byte, and a table is the fastest judge.
var kinds = kindsOfBytes()

func kindsOfBytes() (table [256]kind) {
	for i := range table {
		c := byte(i)
		if has(c, tokenLow, tokenHigh) {
			table[c] |= tokenByte
		}
		if has(c, hostLow, hostHigh) {
			table[c] |= hostByte
		}
		if !isControl(c) {
			table[c] |= textByte
		}
	}
	return table
}

func has(c byte, low, high uint64) bool {
	if c < 64 {
		return low>>c&1 != 0
	}
	return c < 128 && high>>(c-64)&1 != 0
}

// span returns how many bytes s begins with that are of kind k.
func span(s []byte, k kind) int {
	for i, c := range s {
		if kinds[c]&k == 0 {
			return i
		}
	}
	return len(s)
}

func isToken(s []byte) bool { return len(s) > 0 && span(s, tokenByte) == len(s) }

func isText(s []byte) bool { return span(s, textByte) == len(s) }

func isControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7F }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// is compares s, which has no control characters, with a word in lower case, whatever the case of s.
func is(s []byte, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i, c := range s {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}

// trim removes the optional white space around a value.
func trim(v []byte) []byte {
	for len(v) > 0 && (v[0] == ' ' || v[0] == '\t') {
		v = v[1:]
	}
	for len(v) > 0 && (v[len(v)-1] == ' ' || v[len(v)-1] == '\t') {
		v = v[:len(v)-1]
	}
	return v
}
