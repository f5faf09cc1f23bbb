package json

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

func encodePointer(elem encoder) encoder {
	return func(dst []byte, p unsafe.Pointer, depth int) []byte {
		to := *(*unsafe.Pointer)(p)
		switch {
		case to == nil:
			return append(dst, "null"...)
		case depth > maxNested:
			return nil
		}
		return elem(dst, to, depth+1)
	}
}

func encodeSlice(size uintptr, item encoder) encoder {
	return func(dst []byte, p unsafe.Pointer, depth int) []byte {
		if depth > maxNested {
			return nil
		}
		s := (*slice)(p)
		return appendItems(dst, s.data, s.len, size, item, depth+1)
	}
}

func encodeArray(size uintptr, n int, item encoder) encoder {
	return func(dst []byte, p unsafe.Pointer, depth int) []byte {
		return appendItems(dst, p, n, size, item, depth)
	}
}

func appendItems(dst []byte, first unsafe.Pointer, n int, size uintptr, item encoder, depth int) []byte {
	dst = append(dst, '[')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst = item(dst, unsafe.Add(first, uintptr(i)*size), depth); dst == nil {
			return nil
		}
	}
	return append(dst, ']')
}

// encodeMap writes the members as they come and then puts them in the order of their names.
func encodeMap(t reflect.Type, value encoder) encoder {
	return func(dst []byte, p unsafe.Pointer, depth int) []byte {
		m := reflect.NewAt(t, p).Elem()
		switch {
		case m.Len() == 0:
			return append(dst, "{}"...)
		case depth > maxNested:
			return nil
		}
		start := len(dst) + 1
		dst, parts := appendMembers(append(dst, '{'), m, value, depth+1)
		if dst == nil {
			return nil
		}
		reorder(dst[start:], parts, start)
		dst[len(dst)-1] = '}'
		return dst
	}
}

// part is where a member was written.
type part struct {
	name       string
	start, end int
}

// appendMembers appends each member with a comma behind it.
func appendMembers(dst []byte, m reflect.Value, value encoder, depth int) ([]byte, []part) {
	parts := make([]part, 0, m.Len())
	k, v := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
	place := v.Addr().UnsafePointer()
	for each := m.MapRange(); each.Next(); {
		k.SetIterKey(each)
		v.SetIterValue(each)
		at := part{name: k.String(), start: len(dst)}
		if dst = appendValidString(dst, at.name); dst == nil {
			return nil, nil
		}
		if dst = value(append(dst, ':'), place, depth); dst == nil {
			return nil, nil
		}
		dst = append(dst, ',')
		at.end = len(dst)
		parts = append(parts, at)
	}
	return dst, parts
}

// reorder sorts the parts of text, whose indexes count from base.
func reorder(text []byte, parts []part, base int) {
	byName := func(a, b part) int { return strings.Compare(a.name, b.name) }
	if slices.IsSortedFunc(parts, byName) {
		return
	}
	slices.SortFunc(parts, byName)
	old := bytes.Clone(text)
	for _, at := range parts {
		text = text[copy(text, old[at.start-base:at.end-base]):]
	}
}
