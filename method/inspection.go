package method

import (
	"slices"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// inspection finds in valid JSON what decoding lets pass: members that are missing or unknown, null where there must be a
// value, raw values that are nested too deeply. Values of a wrong kind it leaves to decoding.
type inspection struct {
	cursor
	rawDepth int
	problems *problems
	path     []byte // to the value that is looked at
	count    int    // items of the array that was passed last
}

// inspect passes the next value, which should be a t.
func (in *inspection) inspect(t *schema.Type) {
	kind := in.kind()
	switch {
	case kind == 'n':
		in.value()
		if !nullable(t) {
			in.problems.add(in.path, "want %s, got null", json.TypeName(t.Go))
		}
	case t.Kind == schema.Optional:
		in.inspect(t.Elem)
	case t.Kind == schema.List && kind == '[':
		in.items(t)
	case t.Kind == schema.Map && kind == '{':
		in.members(t)
	case t.Kind == schema.Struct && kind == '{':
		in.fields(t)
	case isRaw(t):
		in.raw()
	default:
		in.value()
	}
}

func (in *inspection) raw() {
	if depth := json.Depth(in.value()); depth > in.rawDepth {
		in.problems.add(in.path, "want a value nested at most %d deep, got %d", in.rawDepth, depth)
	}
}

func (in *inspection) items(t *schema.Type) {
	up, i := len(in.path), 0
	in.enter()
	for ; in.next(); i++ {
		in.path = appendIndex(in.path, i)
		in.inspect(t.Elem)
		in.path = in.path[:up]
	}
	in.count = i
}

func (in *inspection) members(t *schema.Type) {
	up := len(in.path)
	in.enter()
	for in.next() {
		in.path = appendMember(in.path, string(json.AppendUnquoted(nil, in.name())))
		in.inspect(t.Elem)
		in.path = in.path[:up]
	}
}

func (in *inspection) fields(t *schema.Type) {
	var few [32]bool
	seen := slices.Grow(few[:0], len(t.Fields))[:len(t.Fields)]
	in.enter()
	for in.next() {
		token := in.name()
		if i := fieldOf(t, token); i >= 0 {
			seen[i] = true
			in.field(&t.Fields[i])
			continue
		}
		in.value()
		in.unknown(t, token)
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required && !seen[i] {
			in.problems.add(appendMember(in.path, f.Name), "missing, want %s", json.TypeName(f.Type.Go))
		}
	}
}

func (in *inspection) field(f *schema.Field) {
	if !f.Required && in.kind() == 'n' { // null is like nothing
		in.value()
		return
	}
	up := len(in.path)
	in.path = appendMember(in.path, f.Name)
	from := in.rest
	in.inspect(f.Type)
	if f.Constraint != nil {
		in.hold(f, from[:len(from)-len(in.rest)])
	}
	in.path = in.path[:up]
}

func (in *inspection) unknown(t *schema.Type, token []byte) {
	if t.Open {
		return
	}
	names := make([]string, len(t.Fields))
	for i := range t.Fields {
		names[i] = t.Fields[i].Name
	}
	in.problems.add(appendMember(in.path, string(json.AppendUnquoted(nil, token))), "unknown member, %s", oneOf(names))
}

// fieldOf returns the index of the field that token names, or -1.
func fieldOf(t *schema.Type, token []byte) int {
	for i := range t.Fields {
		if json.KeyIs(token, t.Fields[i].Name) {
			return i
		}
	}
	return -1
}
