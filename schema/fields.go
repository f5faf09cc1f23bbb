package schema

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// object lists the members of a struct by the rules of encoding/json (v2): embedded structs give theirs away, and of several
// fields with one name the shallowest wins, then the one named by a tag.
func (b builder) object(m *Type) {
	m.Kind = Struct
	found := b.collect(m, m.Go, nil, nil)
	if m.Kind == Invalid {
		return
	}
	if len(found) == 0 && !m.Open && m.Go.NumField() > 0 && !anyTag(m.Go) {
		m.Kind = Invalid
		m.Reason = "a struct without exported fields has no JSON form; export some, or give it MarshalJSON and UnmarshalJSON"
		return
	}
	for _, f := range dominant(found) {
		m.Fields = append(m.Fields, f.Field)
	}
}

// candidate is a field that may become a member, unless another one with its name dominates it.
type candidate struct {
	Field
	tagged bool // named by its tag
}

// collect returns the members that fields of t below index offer. within holds the structs that t is embedded in, so that
// types which embed themselves end.
func (b builder) collect(m *Type, t reflect.Type, index []int, within []reflect.Type) []candidate {
	if slices.Contains(within, t) {
		return nil
	}
	within = append(slices.Clip(within), t)
	var found []candidate
	for i := range t.NumField() {
		f := t.Field(i)
		opts, skip := parseTag(f)
		at := append(slices.Clip(index), i)
		switch inner := indirect(f.Type); {
		case skip:
		case !opts.embed:
			found = append(found, candidate{b.field(f, opts, at), opts.named})
		case !f.IsExported() && inner != f.Type:
			m.Kind = Invalid
			m.Reason = fmt.Sprintf("embedded pointer %s is not exported, so it cannot be set; embed the struct itself", f.Name)
		case inner.Kind() == reflect.Struct:
			found = append(found, b.collect(m, inner, at, within)...)
		case len(index) == 0 && f.IsExported() && !f.Anonymous:
			m.Open = true // a map or raw value that takes all other members
		default:
			m.Kind, m.Reason = Invalid, fmt.Sprintf("embedded field %s is not a struct; give it a name with a json tag", f.Name)
		}
	}
	return found
}

func (b builder) field(f reflect.StructField, opts tagOptions, index []int) Field {
	out := Field{Name: opts.name, Type: b.of(f.Type), Index: index, Doc: f.Tag.Get("doc")}
	switch {
	case opts.formatted:
		out.Type = &Type{Go: f.Type, Reason: "the tag option format is not supported; take a type with its own text form"}
	case opts.quoted:
		out.Type = &Type{Kind: String, Go: f.Type, Len: -1}
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		out.Default = standard(out.Type, text)
	}
	out.Required = f.Type.Kind() != reflect.Pointer && !opts.omit && out.Default == nil
	if err := out.constrain(f.Tag, opts); err != nil {
		out.Type = &Type{Go: f.Type, Reason: err.Error()}
	}
	return out
}

// constrain reads the tags that say what may be sent.
func (f *Field) constrain(tag reflect.StructTag, opts tagOptions) (err error) {
	if f.Type.Kind == Invalid {
		return nil
	}
	f.Constraint, err = ParseConstraint(f.Type, tag)
	switch {
	case opts.quoted && (err != nil || f.Constraint != nil):
		return errors.New("constraints do not go with the tag option string; drop one of them")
	case err != nil:
		return err
	}
	switch text, _ := tag.Lookup("required"); {
	case text == "true" && f.Default != nil:
		return errors.New("it is required and has a default; drop one of them")
	case text == "true":
		f.Required = true
	case text == "false":
		f.Required = false
	case text != "":
		return fmt.Errorf("the tag required:%q is neither true nor false; take one of them", text)
	}
	return nil
}

// dominant drops fields that are hidden by others and restores the order of declaration.
func dominant(all []candidate) []candidate {
	better := func(x, y candidate) int {
		return cmp.Or(cmp.Compare(len(x.Index), len(y.Index)), cmp.Compare(rank(x), rank(y)))
	}
	slices.SortStableFunc(all, func(x, y candidate) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), better(x, y))
	})
	var kept []candidate
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].Name == all[i].Name {
			end++
		}
		if end == i+1 || better(all[i], all[i+1]) != 0 {
			kept = append(kept, all[i])
		}
		i = end
	}
	slices.SortFunc(kept, func(x, y candidate) int { return slices.Compare(x.Index, y.Index) })
	return kept
}

func rank(c candidate) int {
	if c.tagged {
		return 0
	}
	return 1
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		return t.Elem()
	}
	return t
}

func anyTag(t reflect.Type) bool {
	for i := range t.NumField() {
		if _, ok := t.Field(i).Tag.Lookup("json"); ok {
			return true
		}
	}
	return false
}
