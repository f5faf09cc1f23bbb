package call

import (
	"iter"
	"slices"
	"strings"
)

// Meta is the metadata of a call: names in lower case, each with one or more values, in the order in which they came. It
// corresponds to HTTP's header fields and gRPC's metadata. The zero value is empty and ready for use. It is not safe for
// concurrent writing.
type Meta []Pair

// Pair is one name with one value.
type Pair struct{ Name, Value string }

// Get returns the first value of name, or "".
func (m Meta) Get(name string) string {
	for _, p := range m {
		if strings.EqualFold(p.Name, name) {
			return p.Value
		}
	}
	return ""
}

// Has reports whether name has a value.
func (m Meta) Has(name string) bool {
	return slices.ContainsFunc(m, func(p Pair) bool { return strings.EqualFold(p.Name, name) })
}

// Values yields every value of name.
func (m Meta) Values(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, p := range m {
			if strings.EqualFold(p.Name, name) && !yield(p.Value) {
				return
			}
		}
	}
}

// Add appends one more value of name.
func (m *Meta) Add(name, value string) { *m = append(*m, Pair{strings.ToLower(name), value}) }

// Set replaces all values of name by value.
func (m *Meta) Set(name, value string) {
	m.Del(name)
	m.Add(name, value)
}

// Del removes all values of name.
func (m *Meta) Del(name string) {
	kept := (*m)[:0]
	for _, p := range *m {
		if !strings.EqualFold(p.Name, name) {
			kept = append(kept, p)
		}
	}
	*m = kept
}

// Field is one name and value as a wire received it: borrowed bytes, names in any case.
type Field struct{ Name, Value []byte }

// MetaOf copies fields, names in lower case, so that the result outlives the frame they came in.
func MetaOf(fields []Field) Meta {
	if len(fields) == 0 {
		return nil
	}
	m := make(Meta, len(fields))
	for i, f := range fields {
		m[i] = Pair{strings.ToLower(string(f.Name)), string(f.Value)}
	}
	return m
}
