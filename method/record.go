package method

import (
	"reflect"
	"unsafe"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// makeRecord compiles the parameters for arguments that come as JSON and are right. It returns nil when some have no fixed
// place in the frame.
func (p *funcPlan) makeRecord() *json.Record {
	members := make([]json.Member, len(p.params))
	for i := range p.params {
		q := &p.params[i]
		offset, ok := p.offset(i)
		if !ok {
			return nil
		}
		members[i] = json.Member{
			Name: q.Name, Type: q.Type, Offset: offset, Required: q.Required, Default: q.Default, Variadic: q.Variadic,
			Check: checkOf(q.Type, q.Constraint),
		}
	}
	rules := json.Strict{Member: structRules{}.apply, Nullable: nullableType, RawDepth: p.rawDepth}
	return rules.Compile(members)
}

// offset returns where parameter i is from the base of args on.
func (p *funcPlan) offset(i int) (offset uintptr, ok bool) {
	if !p.fields {
		return p.frame.at.in[i], true
	}
	t := p.inputs[0]
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, x := range p.params[i].index {
		if t.Kind() != reflect.Struct {
			return 0, false // an embedded pointer
		}
		f := t.Field(x)
		offset += f.Offset
		t = f.Type
	}
	return offset, true
}

// structRules are the models of structs below parameters.
type structRules map[reflect.Type]*schema.Type

func (r structRules) apply(owner reflect.Type, m *json.Member) {
	if r[owner] == nil {
		r[owner] = schema.Of(owner)
	}
	for _, f := range r[owner].Fields {
		if f.Name == m.Name {
			m.Required, m.Default, m.Check = f.Required, f.Default, checkOf(m.Type, f.Constraint)
		}
	}
}

// checkOf returns the check of c on values of t, or nil.
func checkOf(t reflect.Type, c *schema.Constraint) func(value unsafe.Pointer) bool {
	if c == nil {
		return nil
	}
	return func(value unsafe.Pointer) bool { return violation(c, reflect.NewAt(t, value).Elem()) == "" }
}

func nullableType(t reflect.Type) bool { return nullable(schema.Of(t)) }

// quick decodes what is usual and right. When it returns false, a may hold anything.
func (p *funcPlan) quick(a *args, h *call.Head, body []byte) bool {
	if p.record == nil || h.Codec != call.JSON || len(h.Text) > 0 {
		return false
	}
	switch json.Kind(body) {
	case '[', '{':
		return p.valid(h, body) && p.record.Decode(body, a.base)
	case 'n':
		return p.valid(h, body) && p.record.Missing(a.base)
	}
	return isBlank(body) && p.record.Missing(a.base)
}

func (p *funcPlan) valid(h *call.Head, body []byte) bool {
	return h.Valid || json.Valid(body, 0) == nil
}
