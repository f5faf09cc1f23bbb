package json

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
)

// TypeName tells people who know nothing of Go what a value of type t looks like in JSON: "integer 0 to 255", "array",
// "base64 string". It is "any value" for interfaces and for types that read JSON themselves.
func TypeName(t reflect.Type) string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil {
		return anyValue
	}
	if name := ownName(t); name != "" {
		return name
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Slice, reflect.Array:
		return listName(t)
	case reflect.Map, reflect.Struct:
		return "object"
	case reflect.Interface:
		return anyValue
	}
	if isInteger(t) {
		return rangeName(t)
	}
	return "value that cannot be sent"
}

const anyValue = "any value"

// ownName names a type with a form of its own in JSON, or returns "".
func ownName(t reflect.Type) string {
	switch p := reflect.PointerTo(t); {
	case t == reflect.TypeFor[time.Time]():
		return "RFC 3339 time"
	case t == reflect.TypeFor[time.Duration]():
		return `duration such as "1.5s"`
	case p.Implements(reflect.TypeFor[jsonv2.UnmarshalerFrom]()), p.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return anyValue
	case p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return "string"
	}
	return ""
}

func listName(t reflect.Type) string {
	size, isBytes := "", t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == ""
	if t.Kind() == reflect.Array {
		size = " of " + strconv.Itoa(t.Len())
	}
	switch {
	case !isBytes && size == "":
		return "array"
	case !isBytes:
		return "array" + size + " items"
	case size == "":
		return "base64 string"
	}
	return "base64 string" + size + " bytes"
}

func isInteger(t reflect.Type) bool { return reflect.Int <= t.Kind() && t.Kind() <= reflect.Uintptr }

// rangeName names an integer type by its least and its greatest value.
func rangeName(t reflect.Type) string {
	unused := 64 - t.Bits()
	if reflect.Uint <= t.Kind() {
		return "integer 0 to " + strconv.FormatUint(math.MaxUint64>>unused, 10)
	}
	greatest := int64(math.MaxInt64) >> unused
	return "integer " + strconv.FormatInt(-greatest-1, 10) + " to " + strconv.FormatInt(greatest, 10)
}
