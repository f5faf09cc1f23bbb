package method

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// param is one parameter in a plan.
type param struct {
	Param
	schema *schema.Type
	index  []int // of the field, when the parameters are fields
	deep   bool  // decoding alone does not find all that can be wrong: see inspection
	fills  bool  // members below it have defaults: see filled
}

// want tells callers what to send.
func (p *param) want() string {
	if p.Type == readerType {
		return json.TypeName(reflect.TypeFor[[]byte]())
	}
	return json.TypeName(p.Type)
}

// params finds the parameters, by fields or one for each input.
func (r *registration) params(p *funcPlan) {
	if s := r.fieldStruct(p); s != nil {
		p.fields = true
		r.fieldParams(p, s)
	} else {
		r.plainParams(p)
	}
	for i := range p.params {
		q := &p.params[i]
		q.deep = holds(q.schema, map[*schema.Type]bool{}, needsInspection)
		q.fills = holds(q.schema, map[*schema.Type]bool{}, hasDefaults)
	}
}

// fieldStruct returns the struct whose fields are the parameters, or nil.
func (r *registration) fieldStruct(p *funcPlan) *schema.Type {
	if len(p.inputs) != 1 || p.variadic || len(r.cfg.Params) > 0 {
		return nil
	}
	t := p.inputs[0]
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s := schema.Of(t); s.Kind == schema.Struct {
		return s
	}
	return nil
}

func (r *registration) fieldParams(p *funcPlan, s *schema.Type) {
	if s.Open {
		r.fail("parameter struct %s takes any name by an embedded map; give the map a name with a json tag", s.Go)
	}
	if err := structFlaw(s.Go); err != nil {
		r.fail("parameter struct %s: %v", s.Go, err)
	}
	for _, f := range s.Fields {
		if f.Type.Kind == schema.String && schema.Of(f.Type.Go).Kind != schema.String {
			r.fail("parameter %s: the tag option string works below parameters only; drop it, or take a string", f.Name)
		}
		r.checkParam(f.Name, f.Type)
		p.params = append(p.params, param{schema: f.Type, index: f.Index, Param: Param{
			Name: f.Name, Type: f.Type.Go, Required: f.Required, Default: f.Default, Doc: f.Doc,
			Constraint: f.Constraint,
		}})
	}
}

func (r *registration) plainParams(p *funcPlan) {
	names := r.names(len(p.inputs))
	for i, t := range p.inputs {
		model, variadic := schema.Of(t), p.variadic && i == len(p.inputs)-1
		r.checkParam(names[i], model)
		p.params = append(p.params, param{schema: model, Param: Param{
			Name: names[i], Type: t, Variadic: variadic, Required: !variadic && t.Kind() != reflect.Pointer,
		}})
	}
}

// names returns the names of n plain parameters.
func (r *registration) names(n int) []string {
	names := r.cfg.Params
	if len(names) == 0 {
		for i := range n {
			names = append(names, "arg"+strconv.Itoa(i+1))
		}
		return names
	}
	if len(names) != n {
		r.fail("Params names %s, but the function takes %s; name each once, without the context",
			count(len(names), "parameter"), count(n, "parameter"))
	}
	seen := map[string]bool{}
	for i, name := range names {
		switch {
		case !isIdentifier(name):
			r.fail("Params names parameter %d %q; take letters, digits, _ and -, with a letter or _ in front", i+1, name)
		case seen[name]:
			r.fail("Params names two parameters %q; give each its own name", name)
		}
		seen[name] = true
	}
	return names
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func isIdentifier(s string) bool {
	for i, c := range s {
		if !unicode.IsLetter(c) && c != '_' && (i == 0 || c != '-' && !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}

func (r *registration) checkParam(name string, t *schema.Type) {
	switch t.Go {
	case readerType:
		return
	case contextType:
		r.fail("parameter %s is a context.Context; make it the first parameter", name)
	}
	check := checker{input: true, known: map[*schema.Type]bool{}}
	if err := check.value(t, ""); err != nil {
		r.fail("parameter %s (%s): %v", name, t.Go, err)
	}
}

// defaults adds those of the options and checks those of all parameters.
func (r *registration) defaults(p *funcPlan) {
	for name, value := range r.cfg.Defaults {
		i := p.find(name)
		if i < 0 {
			r.fail("Defaults has %q, but there is no such parameter; %s", name, p.known())
		}
		raw, err := json.Append(nil, value)
		if err != nil {
			r.fail("parameter %s: its default %v has no JSON form (%v); take one that callers could send", name, value, err)
		}
		p.params[i].Default, p.params[i].Required = raw, false
	}
	for i := range p.params {
		q := &p.params[i]
		if q.Default == nil {
			continue
		}
		found := problems{}
		p.value(q, q.Default, reflect.New(q.Type).Elem(), &found)
		if json.Kind(q.Default) == 'n' && !nullable(q.schema) {
			found.add([]byte(q.Name), "want %s, got null", q.want())
		}
		if len(found.list) > 0 {
			r.fail("parameter %s: its default %s does not fit %s (%s); change one of them",
				q.Name, q.Default, q.Type, found.list[0].Message)
		}
	}
}

// find returns the index of the parameter of that name, or -1.
func (p *funcPlan) find(name string) int {
	for i := range p.params {
		if p.params[i].Name == name {
			return i
		}
	}
	return -1
}

// known tells the names that callers may use.
func (p *funcPlan) known() string {
	names := make([]string, len(p.params))
	for i := range p.params {
		names[i] = p.params[i].Name
	}
	return oneOf(names)
}

func oneOf(names []string) string {
	if len(names) == 0 {
		return "there are none"
	}
	return "want one of: " + strings.Join(names, ", ")
}
