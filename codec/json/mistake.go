package json

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Mistake says what is wrong with a value, in words for the people who sent it: no Go types, no packages, no text of errors
// that were not made for them.
type Mistake struct {
	Path    string // members and indexes down to the place, such as items[2].price; "": the value itself
	Message string // what came and what would be right
}

// Error returns the path and the message.
func (m *Mistake) Error() string {
	if m.Path == "" {
		return m.Message
	}
	return m.Path + ": " + m.Message
}

// mistakeOf tells err, with which decoding value failed. A type that reads JSON itself may return a Mistake: its words are
// taken, its path goes on from where the type's value is.
func mistakeOf(value []byte, err error) *Mistake {
	if err := Valid(value, 0); err != nil {
		return &Mistake{Message: strings.TrimPrefix(err.Error(), "json: ")}
	}
	switch err := err.(type) {
	case *jsontext.SyntacticError:
		path, _ := locate(value, err.JSONPointer)
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return &Mistake{path, "member appears twice"}
		}
		return &Mistake{path, "unacceptable value"}
	case *jsonv2.SemanticError:
		return semanticMistake(value, err)
	}
	return &Mistake{Message: "unacceptable value"}
}

func semanticMistake(value []byte, err *jsonv2.SemanticError) *Mistake {
	path, at := locate(value, err.JSONPointer)
	var told *Mistake
	switch {
	case err.Err == jsonv2.ErrUnknownName:
		return &Mistake{path, "unknown member"}
	case errors.As(err.Err, &told):
		return &Mistake{joinPaths(path, told.Path), told.Message}
	}
	if isName := at != nil && err.ByteOffset < int64(len(value)-len(at)); isName {
		return &Mistake{path, "want " + TypeName(err.GoType) + " as the name"}
	}
	return &Mistake{path, wantGot(err, at)}
}

// wantGot says what the type wants and what came.
func wantGot(err *jsonv2.SemanticError, at []byte) string {
	want, got := TypeName(err.GoType), kindName(err.JSONKind, at)
	if isNumeric(err.GoType) && got == "number" {
		switch {
		case err.Err == nil: // of the tag option "string"
			want += " in a string"
		case errors.Is(err.Err, strconv.ErrRange) && isInteger(err.GoType):
			want = rangeName(err.GoType)
		}
		got = numberText(at)
	}
	if want == got || want == anyValue {
		return "unacceptable " + got
	}
	return "want " + want + ", got " + got
}

// kindName names what came: the kind that the decoder told, or else the kind of the value at the place.
func kindName(told jsontext.Kind, at []byte) string {
	k := byte(told)
	if k == 0 {
		k = Kind(at)
	}
	switch k {
	case '{', '}':
		return "object"
	case '[', ']':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// numberText returns the number at the beginning of b as it was sent, unless it is too long to show.
func numberText(b []byte) string {
	const longest = 40
	if n := skipValue(b, 0); 0 < n && n <= longest {
		return string(b[:n])
	}
	return "number"
}

func isNumeric(t reflect.Type) bool {
	return t != nil && (isInteger(t) || t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64)
}
