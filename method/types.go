package method

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/anywire/anywire/schema"
)

var (
	bytesType  = reflect.TypeFor[[]byte]()
	stringType = reflect.TypeFor[string]()
	rawType    = reflect.TypeFor[json.RawMessage]()
)

// nullable reports whether null is a value of t: where it means nothing, or an empty list as clients in Go send it.
func nullable(t *schema.Type) bool {
	switch t.Kind {
	case schema.Optional, schema.Any, schema.Map:
		return true
	case schema.List, schema.Bytes:
		return t.Len < 0
	}
	return false
}

func isRaw(t *schema.Type) bool {
	return t.Go == rawType || t.Go == reflect.TypeFor[jsontext.Value]()
}

func needsInspection(t *schema.Type) bool { return t.Kind == schema.Struct || isRaw(t) }

func hasDefaults(t *schema.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f schema.Field) bool { return f.Default != nil })
}

// holds reports whether is holds for t or a part of it.
func holds(t *schema.Type, seen map[*schema.Type]bool, is func(*schema.Type) bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	below := func(f schema.Field) bool { return holds(f.Type, seen, is) }
	return is(t) || holds(t.Elem, seen, is) || slices.ContainsFunc(t.Fields, below)
}
