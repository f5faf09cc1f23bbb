package json

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what a Mistake repeats of what strangers sent.
const (
	maxName = 64
	maxPath = 512
)

// locate turns a JSON pointer (RFC 6901) into a path for people and returns the bytes of value from that place on, nil when
// value has no such place. It passes each byte of a valid value once, however deep the place is.
func locate(value []byte, p jsontext.Pointer) (path string, at []byte) {
	at = value[skipSpace(value, 0):]
	var b strings.Builder
	for token := range p.Tokens() {
		isIndex := Kind(at) == '['
		if isIndex {
			at = itemAt(at, token)
		} else {
			at = memberAt(at, token)
		}
		if b.Len() < maxPath {
			b.WriteString(pathPart(token, isIndex, b.Len() == 0))
		} else if !strings.HasSuffix(b.String(), "…") {
			b.WriteString("…")
		}
	}
	return b.String(), at
}

// pathPart writes one part of a path: [2], price, .price or, for a name that is more than a word, ["unit price"].
func pathPart(token string, isIndex, first bool) string {
	token = shorten(token)
	switch {
	case isIndex:
		return "[" + token + "]"
	case !isWord(token):
		return "[" + string(AppendString(nil, token)) + "]"
	case first:
		return token
	}
	return "." + token
}

func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "…"
}

func isWord(s string) bool {
	strange := func(r rune) bool {
		return r != '_' && r != '-' && r != '$' && r != '…' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return s != "" && !strings.ContainsFunc(s, strange)
}

// itemAt returns the rest of array from the item on whose index is token, or nil.
func itemAt(array []byte, token string) []byte {
	index, err := strconv.Atoi(token)
	if err != nil {
		return nil
	}
	i := firstIn(array)
	for ; index > 0 && i < len(array); index-- {
		i = nextIn(array, skipValue(array, i))
	}
	return array[i:]
}

// memberAt returns the rest of object from the value of the member on that is called name, or nil.
func memberAt(object []byte, name string) []byte {
	if Kind(object) != '{' {
		return nil
	}
	for i := firstIn(object); i < len(object); {
		nameEnd := skipString(object, i)
		at := skipSpace(object, skipSpace(object, nameEnd)+1)
		if KeyIs(object[i:nameEnd], name) {
			return object[at:]
		}
		i = nextIn(object, skipValue(object, at))
	}
	return nil
}

func joinPaths(outer, inner string) string {
	if outer == "" || inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}
