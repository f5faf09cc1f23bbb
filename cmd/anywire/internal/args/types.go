package args

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Type says how the text of a value is read. Its name is written in any case.
type Type string

// The types.
const (
	Untyped Type = ""       // JSON where it reads as JSON, else a string
	Int     Type = "int"    // an integer of any size
	Float   Type = "float"  // any JSON number
	Str     Type = "str"    // the text as it is
	Bool    Type = "bool"   // true, false, True or False
	JSON    Type = "json"   // any JSON value
	Binary  Type = "binary" // the path of a file, sent in base64
	Image   Type = "image"  // the same; UCall's name for it when the file is an image
)

func types() []Type { return []Type{Int, Float, Str, Bool, JSON, Binary, Image} }

func parseType(name string) (Type, bool) {
	t := Type(strings.ToLower(name))
	return t, slices.Contains(types(), t)
}

func typeNames() string {
	var names []string
	for _, t := range types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// convert returns the JSON of one value.
func convert(t Type, text string, read Reader) ([]byte, error) {
	switch t {
	case Int:
		return checked(t, text, isInteger(text))
	case Float:
		return checked(t, text, isNumber(text))
	case Bool:
		return checked(t, strings.ToLower(text), isBool(text))
	case JSON:
		return checked(t, text, json.Valid([]byte(text)) && utf8.ValidString(text))
	case Str:
		return quote(text), validText(text)
	case Binary, Image:
		return readFile(text, read)
	}
	return guess(text)
}

func guess(text string) ([]byte, error) {
	if err := validText(text); err != nil {
		return nil, err
	}
	switch {
	case isBool(text):
		return []byte(strings.ToLower(text)), nil
	case text == "null", isNumber(text), isContainer(text):
		return []byte(text), nil
	}
	return quote(text), nil
}

func checked(t Type, text string, ok bool) ([]byte, error) {
	if !ok {
		return nil, fmt.Errorf("%w: the value is no %s", ErrSyntax, t)
	}
	return []byte(text), nil
}

func readFile(path string, read Reader) ([]byte, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	return quote(base64.StdEncoding.EncodeToString(data)), nil
}

// validText refuses what JSON cannot carry, which would otherwise arrive changed.
func validText(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%w: the text is not UTF-8; send a file as %s", ErrSyntax, Binary)
	}
	return nil
}

func isBool(text string) bool {
	switch text {
	case "true", "false", "True", "False":
		return true
	}
	return false
}

// isNumber reports whether text is a JSON number and nothing around it: json.Valid alone allows white space.
func isNumber(text string) bool {
	if text == "" || !json.Valid([]byte(text)) {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return (first == '-' || isDigit(first)) && isDigit(last)
}

func isInteger(text string) bool { return isNumber(text) && !strings.ContainsAny(text, ".eE") }

func isContainer(text string) bool {
	return (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid([]byte(text))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// quote returns text as a JSON string, without the escapes that only HTML needs.
func quote(text string) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(text) // cannot fail: a string into memory
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
