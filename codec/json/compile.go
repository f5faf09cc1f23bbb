package json

import (
	"encoding/json"
	"reflect"
	"time"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	timeType      = reflect.TypeFor[time.Time]()
	durationType  = reflect.TypeFor[time.Duration]()
	anyType       = reflect.TypeFor[any]()
	numberType    = reflect.TypeFor[json.Number]()
	rawType       = reflect.TypeFor[json.RawMessage]()
	jsontextValue = reflect.TypeFor[jsontext.Value]()
)

// decoderCompiler makes the decoders of one graph of types.
type decoderCompiler struct {
	strict *Strict // nil: as Unmarshal decodes
	known  map[reflect.Type]*decoder
}

// compile returns the decoder of t. Types that contain themselves end in a call through known.
func (c *decoderCompiler) compile(t reflect.Type) decoder {
	switch d := c.known[t]; {
	case d != nil && *d != nil:
		return *d
	case d != nil:
		return func(in []byte, at int, p unsafe.Pointer) int { return (*d)(in, at, p) }
	}
	d := new(decoder)
	c.known[t] = d
	made, takesNull := c.make(t)
	switch may := c.strict == nil || c.strict.Nullable(t); {
	case may && !takesNull:
		made = orNull(t, made)
	case !may && takesNull:
		made = notNull(made)
	}
	*d = made
	return made
}

// make returns the decoder of t and whether that takes null.
func (c *decoderCompiler) make(t reflect.Type) (d decoder, takesNull bool) {
	switch {
	case t == timeType:
		return decodeTime, false
	case t == durationType:
		return decodeDuration, false
	case isRaw(t):
		return c.raw(t), true
	case t == anyType:
		return decodeAny, true
	case t == numberType || readsItself(t):
		return library(t), true
	}
	switch t.Kind() {
	case reflect.Bool:
		return decodeBool, false
	case reflect.String:
		return decodeString, false
	case reflect.Pointer:
		return decodePointer(t.Elem(), c.compile(t.Elem())), true
	case reflect.Slice:
		return c.slice(t), true
	case reflect.Array:
		return c.array(t)
	case reflect.Map:
		return c.table(t), true
	case reflect.Struct:
		return c.object(t)
	}
	if d := numberDecoders[t.Kind()]; d != nil {
		return d, false
	}
	return c.odd(t), true
}

// odd returns the decoder of a type that only the library knows. What that does inside is not strict.
func (c *decoderCompiler) odd(t reflect.Type) decoder {
	if c.strict != nil {
		return decline
	}
	return library(t)
}

func (c *decoderCompiler) slice(t reflect.Type) decoder {
	if isBytes(t) {
		return decodeBytes
	}
	return newList(t, c.compile(t.Elem())).decode
}

func (c *decoderCompiler) array(t reflect.Type) (d decoder, takesNull bool) {
	if isBytes(t) {
		return library(t), true
	}
	return decodeArray(t, c.compile(t.Elem())), false
}

func (c *decoderCompiler) table(t reflect.Type) decoder {
	if k := t.Key(); k.Kind() != reflect.String || k == numberType || readsItself(k) {
		return c.odd(t)
	}
	return decodeMap(t, c.compile(t.Elem()))
}

func (c *decoderCompiler) object(t reflect.Type) (d decoder, takesNull bool) {
	fields, ok := structFields(t)
	if !ok {
		return c.odd(t), true
	}
	members := make([]Member, len(fields))
	for i, f := range fields {
		members[i] = Member{Name: f.name, Type: f.typ, Offset: f.offset}
		if c.strict != nil {
			c.strict.Member(t, &members[i])
		}
	}
	return c.record(members).object, false
}

func isRaw(t reflect.Type) bool { return t == rawType || t == jsontextValue }

func isBytes(t reflect.Type) bool {
	return t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == ""
}
