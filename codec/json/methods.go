package json

import (
	"encoding"
	"encoding/json"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
)

// has reports whether t or its pointer is an I. Methods count for the type that they belong to, not for pointers to it.
func has[I any](t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

// ours reports whether t has JSON methods for which there is a program.
func ours(t reflect.Type) bool { return t == timeType || isRaw(t) }

// readsJSON reports whether t decodes JSON by a method of its own.
func readsJSON(t reflect.Type) bool {
	return !ours(t) && (has[jsonv2.UnmarshalerFrom](t) || has[json.Unmarshaler](t))
}

// writesJSON reports whether t encodes itself as JSON.
func writesJSON(t reflect.Type) bool {
	return !ours(t) && (has[jsonv2.MarshalerTo](t) || has[json.Marshaler](t))
}

// readsItself reports whether t decodes JSON or text by a method of its own.
func readsItself(t reflect.Type) bool { return readsJSON(t) || has[encoding.TextUnmarshaler](t) }

// writesItself reports whether t encodes itself as JSON or text.
func writesItself(t reflect.Type) bool {
	return writesJSON(t) || has[encoding.TextMarshaler](t) || has[encoding.TextAppender](t)
}

// isOpaque reports whether a decoder of t could do no better than the library.
func isOpaque(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t != timeType && (t.Kind() == reflect.Interface || isRaw(t) || readsItself(t))
}

// reaches reports whether is holds for t or a type in it. An interface with methods may hold anything.
func reaches(t reflect.Type, is func(reflect.Type) bool, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if is(t) || t.Kind() == reflect.Interface && t.NumMethod() > 0 {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return reaches(t.Elem(), is, seen)
	case reflect.Map:
		return reaches(t.Key(), is, seen) || reaches(t.Elem(), is, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if !ours(t) && reaches(t.Field(i).Type, is, seen) {
				return true
			}
		}
	}
	return false
}
