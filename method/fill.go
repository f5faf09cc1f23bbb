package method

import (
	"slices"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// filled returns a copy of the valid JSON raw with the defaults of members that are missing or null.
func filled(t *schema.Type, raw []byte) []byte {
	f := filling{cursor: cursor{raw}, out: make([]byte, 0, len(raw)+64)}
	f.fill(t)
	return f.out
}

// filling copies one value from its cursor to out.
type filling struct {
	cursor
	out []byte
}

// fill copies the next value, which should be a t.
func (f *filling) fill(t *schema.Type) {
	kind := f.kind()
	switch {
	case t.Kind == schema.Optional:
		f.fill(t.Elem)
	case t.Kind == schema.List && kind == '[':
		f.items(t)
	case t.Kind == schema.Map && kind == '{':
		f.members(t)
	case t.Kind == schema.Struct && kind == '{':
		f.fields(t)
	default:
		f.out = append(f.out, f.value()...)
	}
}

func (f *filling) items(t *schema.Type) {
	f.enter()
	first := f.open('[')
	for f.next() {
		f.comma(first)
		f.fill(t.Elem)
	}
	f.out = append(f.out, ']')
}

func (f *filling) members(t *schema.Type) {
	f.enter()
	first := f.open('{')
	for f.next() {
		f.member(first, f.name())
		f.fill(t.Elem)
	}
	f.out = append(f.out, '}')
}

func (f *filling) fields(t *schema.Type) {
	f.enter()
	first := f.open('{')
	var seen []int
	for f.next() {
		token := f.name()
		i := fieldOf(t, token)
		switch {
		case i < 0:
			f.member(first, token)
			f.out = append(f.out, f.value()...)
		case t.Fields[i].Default != nil && f.kind() == 'n' && !nullable(t.Fields[i].Type):
			f.value() // as if it had not come
		default:
			seen = append(seen, i)
			f.member(first, token)
			f.fill(t.Fields[i].Type)
		}
	}
	for i, field := range t.Fields {
		if field.Default != nil && !slices.Contains(seen, i) {
			f.member(first, json.AppendString(nil, field.Name))
			f.out = append(f.out, field.Default...)
		}
	}
	f.out = append(f.out, '}')
}

// open begins an array or object and returns where its first element goes.
func (f *filling) open(bracket byte) int {
	f.out = append(f.out, bracket)
	return len(f.out)
}

// comma parts the next element from the one before, if there is one.
func (f *filling) comma(first int) {
	if len(f.out) > first {
		f.out = append(f.out, ',')
	}
}

func (f *filling) member(first int, token []byte) {
	f.comma(first)
	f.out = append(append(f.out, token...), ':')
}
