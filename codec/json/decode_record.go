package json

import (
	"reflect"
	"unsafe"
)

// Member is one member of an object, and where its value is kept.
type Member struct {
	Name     string
	Type     reflect.Type
	Offset   uintptr
	Required bool                            // without it the object is refused
	Default  []byte                          // valid JSON that stands in for a member that is missing; nil: none
	Check    func(value unsafe.Pointer) bool // of a value that came; nil: all will do
	Variadic bool                            // a slice that takes all items of an array from its place on
}

// Strict says what the arguments of functions must be beyond what Unmarshal asks of them: members that are there, and null
// only where that is a value.
type Strict struct {
	Member   func(owner reflect.Type, m *Member) // sets what is known of a member of the struct owner
	Nullable func(t reflect.Type) bool           // whether null is a value of t
	RawDepth int                                 // nesting allowed in raw values
}

// Compile makes a Record of members.
func (s *Strict) Compile(members []Member) *Record {
	c := decoderCompiler{strict: s, known: map[reflect.Type]*decoder{}}
	return c.record(members)
}

// maxMembers is how many members a Record can tell apart.
const maxMembers = 256

// set is a set of members.
type set [maxMembers / 64]uint64

func (s *set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s *set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

// lacks reports whether a member of all is not in s.
func (s *set) lacks(all *set) bool {
	return all[0]&^s[0]|all[1]&^s[1]|all[2]&^s[2]|all[3]&^s[3] != 0
}

// Record decodes objects by name, and arrays by position, into memory with a place for each member. It is safe for
// concurrent use.
type Record struct {
	members  []recordField
	index    map[string]int // by name
	required set
	defaults []int
	odd      bool // nothing can be decoded
}

// recordField is a Member with its decoder.
type recordField struct {
	Member
	quoted   string // the name as it mostly comes
	decode   decoder
	rest     decoder // of Variadic: the items of an array from one on, to its end
	optional bool    // null is as if it had not come
}

func (c *decoderCompiler) record(members []Member) *Record {
	r := &Record{index: map[string]int{}, odd: len(members) > maxMembers}
	for i, m := range members {
		if r.odd {
			break
		}
		f := recordField{Member: m, quoted: string(AppendString(nil, m.Name)), decode: c.compile(m.Type)}
		f.optional = c.strict != nil && !m.Required && !c.strict.Nullable(m.Type)
		if m.Variadic {
			f.rest = newList(m.Type, c.compile(m.Type.Elem())).items
		}
		r.members = append(r.members, f)
		r.index[m.Name] = i
		if m.Required {
			r.required.add(i)
		}
		if m.Default != nil {
			r.defaults = append(r.defaults, i)
		}
	}
	return r
}

// Decode decodes value, a valid object or array, to the members' places from base on, which must be zero. It keeps no part
// of value. False means that the value is not as it should be, or that telling it takes more than a Record knows; the places
// may then hold anything.
func (r *Record) Decode(value []byte, base unsafe.Pointer) bool {
	at := skipSpace(value, 0)
	switch {
	case at == len(value) || r.odd:
		return false
	case value[at] == '[':
		return r.items(value, at, base) >= 0
	}
	return r.object(value, at, base) >= 0
}

// Missing finishes a record of which nothing came.
func (r *Record) Missing(base unsafe.Pointer) bool {
	return !r.odd && r.finish(&set{}, base)
}

// object is a decoder.
func (r *Record) object(in []byte, at int, base unsafe.Pointer) int {
	if in[at] != '{' || r.odd {
		return declined
	}
	var named, came set
	next := 0
	at = to(in, at+1)
	for more := in[at] != '}'; more; {
		i := r.find(in[at:], next)
		if i < 0 || named.has(i) {
			return declined
		}
		named.add(i)
		next = i + 1
		at = to(in, to(in, at+len(r.members[i].quoted))+len(":"))
		if at = r.member(i, in, at, base, &came); at < 0 {
			return declined
		}
		at = to(in, at)
		if more = in[at] == ','; more {
			at = to(in, at+1)
		}
	}
	if !r.finish(&came, base) {
		return declined
	}
	return at + 1
}

// find returns the member whose name rest begins with, or -1, also for names with needless escapes. Members often come in
// their order, so next is tried first.
func (r *Record) find(rest []byte, next int) int {
	if next < len(r.members) {
		if q := r.members[next].quoted; len(q) <= len(rest) && string(rest[:len(q)]) == q {
			return next
		}
	}
	name, end := stringAt(rest, 0)
	if end < 0 {
		return -1
	}
	if i, ok := r.index[string(name)]; ok && len(r.members[i].quoted) == end {
		return i
	}
	return -1
}

// member decodes the value at in[at] to the place of member i.
func (r *Record) member(i int, in []byte, at int, base unsafe.Pointer, came *set) int {
	f := &r.members[i]
	if f.optional && in[at] == 'n' {
		return at + len("null")
	}
	came.add(i)
	return f.checked(f.decode, in, at, base)
}

func (f *recordField) checked(d decoder, in []byte, at int, base unsafe.Pointer) int {
	place := unsafe.Add(base, f.Offset)
	if at = d(in, at, place); at < 0 || f.Check != nil && !f.Check(place) {
		return declined
	}
	return at
}

// items decodes by position.
func (r *Record) items(in []byte, at int, base unsafe.Pointer) int {
	var came set
	at = to(in, at+1)
	for i := 0; in[at] != ']'; i++ {
		switch {
		case i == len(r.members):
			return declined
		case r.members[i].Variadic:
			f := &r.members[i]
			at = f.checked(f.rest, in, at, base) - 1 // the end of the rest is that of the array
		default:
			at = r.member(i, in, at, base, &came)
		}
		if at < 0 {
			return declined
		}
		if at = to(in, at); in[at] == ',' {
			at = to(in, at+1)
		}
	}
	if !r.finish(&came, base) {
		return declined
	}
	return at + 1
}

// finish looks for what is missing and puts defaults there.
func (r *Record) finish(came *set, base unsafe.Pointer) bool {
	if came.lacks(&r.required) {
		return false
	}
	for _, i := range r.defaults {
		if f := &r.members[i]; !came.has(i) && f.decode(f.Default, 0, unsafe.Add(base, f.Offset)) < 0 {
			return false
		}
	}
	return true
}
