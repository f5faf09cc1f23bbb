package method

import (
	"errors"
	"reflect"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// Validator is what a type of arguments implements, on values or pointers, to check more than tags can say. It is asked once
// everything is decoded, what lies deeper first. An error made for the wire (call.Error) answers the call as it is; the text
// of any other travels as what is wrong at the place of the value.
type Validator interface{ Validate() error }

// validator asks the value v at path, and all below it.
type validator func(v reflect.Value, path []byte, found *findings)

// findings are what validators said.
type findings struct {
	problems
	answer *call.Error // the first one that was made for the wire
}

// validators makes the validators of one graph of types.
type validators map[*schema.Type]*validator

// of returns the validator of t, or nil when nothing in t is to be asked.
func (vs validators) of(t *schema.Type) validator {
	if !holds(t, map[*schema.Type]bool{}, isValidator) {
		return nil
	}
	if known := vs[t]; known != nil {
		return func(v reflect.Value, path []byte, found *findings) { (*known)(v, path, found) }
	}
	made := new(validator)
	vs[t] = made
	below := vs.below(t)
	*made = below
	if isValidator(t) {
		*made = func(v reflect.Value, path []byte, found *findings) {
			below(v, path, found)
			ask(v, path, found)
		}
	}
	return *made
}

func isValidator(t *schema.Type) bool {
	return t.Kind != schema.Optional && t.Go.Kind() != reflect.Interface &&
		reflect.PointerTo(t.Go).Implements(reflect.TypeFor[Validator]())
}

// ask asks v itself. v must be addressable.
func ask(v reflect.Value, path []byte, found *findings) {
	err := v.Addr().Interface().(Validator).Validate()
	var public *call.Error
	var told *json.Mistake
	switch {
	case err == nil:
	case errors.As(err, &public):
		if found.answer == nil {
			found.answer = public
		}
	case errors.As(err, &told):
		found.mistake(path, told)
	default:
		found.add(path, "%s", err.Error())
	}
}

// below returns the validator of the parts of t.
func (vs validators) below(t *schema.Type) validator {
	switch t.Kind {
	case schema.Optional:
		elem := vs.of(t.Elem)
		return func(v reflect.Value, path []byte, found *findings) {
			if !v.IsNil() {
				elem(v.Elem(), path, found)
			}
		}
	case schema.List:
		if elem := vs.of(t.Elem); elem != nil {
			return func(v reflect.Value, path []byte, found *findings) {
				for i := range v.Len() {
					elem(v.Index(i), appendIndex(path, i), found)
				}
			}
		}
	case schema.Map:
		if elem := vs.of(t.Elem); elem != nil {
			return elem.members
		}
	case schema.Struct:
		return vs.fields(t)
	}
	return func(reflect.Value, []byte, *findings) {}
}

// members asks the values of a map, which are copied because they have no address.
func (elem validator) members(v reflect.Value, path []byte, found *findings) {
	value := reflect.New(v.Type().Elem()).Elem()
	for each := v.MapRange(); each.Next(); {
		value.SetIterValue(each)
		name, err := json.Append(nil, each.Key().Interface())
		if err == nil && json.Kind(name) == '"' {
			name = json.AppendUnquoted(nil, name)
		}
		elem(value, appendMember(path, string(name)), found)
	}
}

func (vs validators) fields(t *schema.Type) validator {
	type part struct {
		name  string
		index []int
		ask   validator
	}
	var parts []part
	for _, f := range t.Fields {
		if each := vs.of(f.Type); each != nil && f.Type.Go == t.Go.FieldByIndex(f.Index).Type {
			parts = append(parts, part{f.Name, f.Index, each})
		}
	}
	return func(v reflect.Value, path []byte, found *findings) {
		for _, f := range parts {
			if inner, err := v.FieldByIndexErr(f.index); err == nil { // not in an embedded pointer that is nil
				f.ask(inner, appendMember(path, f.name), found)
			}
		}
	}
}

// validate asks the decoded arguments.
func (p *funcPlan) validate(a *args) error {
	found := findings{}
	for i, each := range p.validators {
		if each == nil {
			continue
		}
		var path []byte
		if !p.fields {
			path = appendMember(nil, p.params[i].Name)
		}
		each(a.inputs[i], path, &found)
	}
	if found.answer != nil {
		return withCode(found.answer)
	}
	return found.err()
}

func (p *funcPlan) makeValidators() []validator {
	found := false
	all := make([]validator, len(p.inputs))
	for i, t := range p.inputs {
		all[i] = validators{}.of(schema.Of(t))
		found = found || all[i] != nil
	}
	if !found {
		return nil
	}
	return all
}
