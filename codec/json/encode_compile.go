package json

import (
	"bytes"
	"reflect"
	"unsafe"

	jsonv2 "github.com/go-json-experiment/json"
)

// encoderCompiler makes the encoders of one graph of types.
type encoderCompiler struct {
	known map[reflect.Type]*encoder
}

// compile returns the encoder of t. Types that contain themselves end in a call through known.
func (c *encoderCompiler) compile(t reflect.Type) encoder {
	switch e := c.known[t]; {
	case e != nil && *e != nil:
		return *e
	case e != nil:
		return func(dst []byte, p unsafe.Pointer, depth int) []byte { return (*e)(dst, p, depth) }
	}
	e := new(encoder)
	c.known[t] = e
	*e = c.make(t)
	return *e
}

func (c *encoderCompiler) make(t reflect.Type) encoder {
	switch {
	case t == timeType:
		return encodeTime
	case t == durationType:
		return encodeDuration
	case t == anyType:
		return encodeAny
	case t == numberType || isRaw(t) || writesItself(t):
		return libraryEncoder(t)
	}
	switch t.Kind() {
	case reflect.Bool:
		return encodeBool
	case reflect.String:
		return encodeString
	case reflect.Pointer:
		return encodePointer(c.compile(t.Elem()))
	case reflect.Slice:
		if isBytes(t) {
			return encodeBytes
		}
		return encodeSlice(t.Elem().Size(), c.compile(t.Elem()))
	case reflect.Array:
		if isBytes(t) {
			return libraryEncoder(t)
		}
		return encodeArray(t.Elem().Size(), t.Len(), c.compile(t.Elem()))
	case reflect.Map:
		return c.table(t)
	case reflect.Struct:
		return c.object(t)
	}
	if e := numberEncoders[t.Kind()]; e != nil {
		return e
	}
	return libraryEncoder(t)
}

func (c *encoderCompiler) table(t reflect.Type) encoder {
	if k := t.Key(); k.Kind() != reflect.String || k == numberType || writesItself(k) {
		return libraryEncoder(t)
	}
	return encodeMap(t, c.compile(t.Elem()))
}

// libraryEncoder encodes as the library does.
func libraryEncoder(t reflect.Type) encoder {
	return func(dst []byte, p unsafe.Pointer, _ int) []byte {
		out := bytes.NewBuffer(dst)
		if jsonv2.MarshalWrite(out, reflect.NewAt(t, p).Interface(), encodeOptions) != nil {
			return nil
		}
		return out.Bytes()
	}
}
