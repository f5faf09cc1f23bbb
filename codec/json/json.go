// Package json holds the JSON building blocks (RFC 8259) that wires and methods share: a scanner that finds and checks one
// value in a stream, a look into checked values without decoding them, their scalars and strings, and the way between
// JSON and Go values, with mistakes told in the words of those who sent the value.
package json

import "iter"

// Valid checks that value is one JSON value, with white space around it or not. Arrays and objects may lie in each other up
// to maxDepth; 0 means DefaultDepth. Its errors are those of Scanner.Scan.
func Valid(value []byte, maxDepth int) error {
	s := Scanner{MaxDepth: maxDepth}
	end, err := s.Scan(value, true)
	if err != nil {
		return err
	}
	if end = skipSpace(value, end); end < len(value) {
		return &SyntaxError{Offset: end, Reason: "something follows the value"}
	}
	return nil
}

// Kind returns what kind of value it is by its first byte after white space: '{', '[', '"', 't', 'f', 'n', and '0' for any
// number. It is 0 when there is no value.
func Kind(value []byte) byte {
	i := skipSpace(value, 0)
	switch {
	case i == len(value):
		return 0
	case value[i] == '-' || isDigit(value[i]):
		return '0'
	}
	return value[i]
}

// Depth returns how deeply arrays and objects lie in each other in a valid value: 0 for a scalar, 1 for [] and [1].
func Depth(value []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(value); i++ {
		switch value[i] {
		case '"':
			i = skipString(value, i) - 1
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
	}
	return deepest
}

// Members yields the members of a valid object in their order: the name as it stands there, with quotes and escapes (see
// KeyIs, AppendUnquoted), and the value without white space around it. Both are parts of object.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) { members(object, yield) }
}

// Items yields the items of a valid array in their order, without white space around them, as parts of array.
func Items(array []byte) iter.Seq[[]byte] {
	return func(yield func(item []byte) bool) { items(array, yield) }
}

func members(object []byte, yield func(name, value []byte) bool) {
	for i := firstIn(object); i < len(object); {
		nameEnd := skipString(object, i)
		at := skipSpace(object, skipSpace(object, nameEnd)+1)
		end := skipValue(object, at)
		if at >= end || !yield(object[i:nameEnd], object[at:end]) {
			return
		}
		i = nextIn(object, end)
	}
}

func items(array []byte, yield func(item []byte) bool) {
	for i := firstIn(array); i < len(array); {
		end := skipValue(array, i)
		if i == end || !yield(array[i:end]) {
			return
		}
		i = nextIn(array, end)
	}
}
