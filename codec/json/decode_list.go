package json

import (
	"reflect"
	"unsafe"
)

func decodePointer(elem reflect.Type, d decoder) decoder {
	return func(in []byte, at int, p unsafe.Pointer) int {
		to := (*unsafe.Pointer)(p)
		if in[at] == 'n' {
			*to = nil
			return at + len("null")
		}
		if *to == nil {
			*to = reflect.New(elem).UnsafePointer()
		}
		return d(in, at, *to)
	}
}

// slice is the memory of a slice of any type.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

// list decodes arrays into slices of one type.
type list struct {
	typ   reflect.Type
	size  uintptr // of an item
	first int     // items to make room for at once
	item  decoder
	empty unsafe.Pointer
}

func newList(t reflect.Type, item decoder) *list {
	const small = 256 // bytes
	size := t.Elem().Size()
	return &list{
		typ: t, size: size, item: item, first: int(max(1, min(8, small/max(size, 1)))),
		empty: reflect.MakeSlice(t, 0, 0).UnsafePointer(),
	}
}

func (l *list) decode(in []byte, at int, p unsafe.Pointer) int {
	switch in[at] {
	case 'n':
		*(*slice)(p) = slice{}
		return at + len("null")
	case '[':
		if at = to(in, at+1); in[at] == ']' {
			*(*slice)(p) = slice{data: l.empty}
			return at + 1
		}
		return l.items(in, at, p)
	}
	return declined
}

// items decodes from the first item of an array on, and returns the index behind the array.
func (l *list) items(in []byte, at int, p unsafe.Pointer) int {
	s := (*slice)(p)
	s.len = 0
	old := s.cap // places that hold something
	for {
		if s.len == s.cap {
			reflect.NewAt(l.typ, p).Elem().Grow(max(1, l.first-s.len))
		}
		place := unsafe.Add(s.data, uintptr(s.len)*l.size)
		if s.len < old {
			empty(l.typ.Elem(), place)
		}
		s.len++
		if at = l.item(in, at, place); at < 0 {
			return declined
		}
		if at = to(in, at); in[at] == ']' {
			return at + 1
		}
		at = to(in, at+1)
	}
}

func decodeArray(t reflect.Type, item decoder) decoder {
	size, n := t.Elem().Size(), t.Len()
	return func(in []byte, at int, p unsafe.Pointer) int {
		if in[at] != '[' {
			return declined
		}
		empty(t, p)
		at = to(in, at+1)
		for i := range n {
			if in[at] == ']' {
				return declined
			}
			if at = item(in, at, unsafe.Add(p, uintptr(i)*size)); at < 0 {
				return declined
			}
			if at = to(in, at); in[at] == ',' && i < n-1 {
				at = to(in, at+1)
			}
		}
		if in[at] != ']' {
			return declined
		}
		return at + 1
	}
}

// decodeMap leaves merging into a map with members to the library.
func decodeMap(t reflect.Type, value decoder) decoder {
	return func(in []byte, at int, p unsafe.Pointer) int {
		m := reflect.NewAt(t, p).Elem()
		switch {
		case in[at] == 'n':
			m.SetZero()
			return at + len("null")
		case in[at] != '{' || m.Len() > 0:
			return declined
		case m.IsNil():
			m.Set(reflect.MakeMap(t))
		}
		if at = to(in, at+1); in[at] == '}' {
			return at + 1
		}
		return decodeMembers(in, at, m, value)
	}
}

// decodeMembers decodes from the first member of an object on into the empty map m.
func decodeMembers(in []byte, at int, m reflect.Value, value decoder) int {
	k, v := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
	key, place := k.Addr().UnsafePointer(), v.Addr().UnsafePointer()
	for n := 1; ; n++ {
		if at = decodeString(in, at, key); at < 0 {
			return declined
		}
		at = to(in, to(in, at)+len(":"))
		v.SetZero()
		if at = value(in, at, place); at < 0 {
			return declined
		}
		m.SetMapIndex(k, v)
		if m.Len() < n { // the name came before, and its value is lost
			m.Clear()
			return declined
		}
		at = to(in, at)
		if in[at] == '}' {
			return at + 1
		}
		at = to(in, at+1)
	}
}
