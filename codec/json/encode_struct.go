package json

import (
	"reflect"
	"unsafe"
)

// writtenField is a member with what it takes to write it.
type writtenField struct {
	name      string // quoted, with the colon
	offset    uintptr
	encode    encoder
	isZero    func(p unsafe.Pointer) bool // of omitzero, or nil
	omitEmpty bool
}

func (c *encoderCompiler) object(t reflect.Type) encoder {
	found, ok := structFields(t)
	if !ok {
		return libraryEncoder(t)
	}
	fields := make([]writtenField, len(found))
	for i, f := range found {
		fields[i] = writtenField{
			name: string(AppendString(nil, f.name)) + ":", offset: f.offset, encode: c.compile(f.typ), omitEmpty: f.omitEmpty,
		}
		if f.omitZero {
			fields[i].isZero = zeroTest(f.typ)
		}
	}
	return func(dst []byte, p unsafe.Pointer, depth int) []byte { return appendFields(dst, p, depth, fields) }
}

func appendFields(dst []byte, p unsafe.Pointer, depth int, fields []writtenField) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for i := range fields {
		f := &fields[i]
		place := unsafe.Add(p, f.offset)
		if f.isZero != nil && f.isZero(place) {
			continue
		}
		before := len(dst)
		if before > first {
			dst = append(dst, ',')
		}
		dst = append(dst, f.name...)
		value := len(dst)
		if dst = f.encode(dst, place, depth); dst == nil {
			return nil
		}
		if f.omitEmpty && isEmptyValue(dst[value:]) {
			dst = dst[:before]
		}
	}
	return append(dst, '}')
}

// isEmptyValue reports whether omitempty drops the value.
func isEmptyValue(value []byte) bool {
	switch string(value) {
	case `""`, "{}", "[]", "null":
		return true
	}
	return false
}

// zeroTest returns what omitzero asks of values of type t: their own method, or whether they are zero.
func zeroTest(t reflect.Type) func(p unsafe.Pointer) bool {
	type zeroer interface{ IsZero() bool }
	if reflect.PointerTo(t).Implements(reflect.TypeFor[zeroer]()) {
		return func(p unsafe.Pointer) bool { return reflect.NewAt(t, p).Interface().(zeroer).IsZero() }
	}
	return func(p unsafe.Pointer) bool { return reflect.NewAt(t, p).Elem().IsZero() }
}
