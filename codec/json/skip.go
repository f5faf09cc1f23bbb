package json

import "bytes"

// The functions below move through valid JSON: from an index to the one behind something. On other bytes they return
// something between their index and len(b), so nothing they serve can fail or go on for ever.

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return min(i, len(b))
}

// skipString returns the index behind the string that begins at i. Quotes are searched first: a backslash before one tells
// whether it is escaped.
func skipString(b []byte, i int) int {
	from := i + 1
	for from < len(b) {
		n := bytes.IndexByte(b[from:], '"')
		if n < 0 {
			break
		}
		if !escaped(b[from : from+n]) {
			return from + n + 1
		}
		from += n + 1
	}
	return len(b)
}

// escaped reports whether the byte behind b is: an odd number of backslashes stands before it.
func escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

// skipValue returns the index behind the value that begins at i.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return len(b)
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '[', '{':
		return skipNested(b, i)
	}
	for i < len(b) && !endsScalar(b[i]) {
		i++
	}
	return i
}

// skipNested returns the index behind the array or object that begins at i.
func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return len(b)
}

func endsScalar(c byte) bool { return c == ',' || c == ']' || c == '}' || c == ':' || isSpace(c) }

// firstIn returns where the first item or name in an array or object begins, or len(b) when it is empty.
func firstIn(b []byte) int {
	return element(b, skipSpace(b, skipSpace(b, 0)+1))
}

// nextIn returns where the item or name behind the one that ends at i begins, or len(b) when that was the last.
func nextIn(b []byte, i int) int {
	if i = skipSpace(b, i); i >= len(b) || b[i] != ',' {
		return len(b)
	}
	return element(b, skipSpace(b, i+1))
}

func element(b []byte, i int) int {
	if i >= len(b) || b[i] == ']' || b[i] == '}' {
		return len(b)
	}
	return i
}

// End returns where the valid value ends that in begins with, white space in front of it included.
func End(in []byte) int { return skipValue(in, skipSpace(in, 0)) }
