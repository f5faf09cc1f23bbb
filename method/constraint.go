package method

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// violation returns what c does not allow about v and what came, or "". A nil pointer stands for nothing.
func violation(c *schema.Constraint, v reflect.Value) string {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch {
	case v.Kind() == reflect.String:
		return textViolation(c, v.String())
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		return outside(v.Len(), c.MinItems, c.MaxItems, "item")
	case v.CanInt(), v.CanUint(), v.CanFloat():
		return numberViolation(c, v)
	}
	return ""
}

func textViolation(c *schema.Constraint, s string) string {
	if c.MinLength >= 0 || c.MaxLength >= 0 {
		if told := outside(utf8.RuneCountInString(s), c.MinLength, c.MaxLength, "character"); told != "" {
			return told
		}
	}
	switch {
	case c.Pattern != nil && !c.Pattern.MatchString(s):
		return "want a match of " + c.Pattern.String() + ", got " + shown(s)
	case c.Enum != nil && !slices.Contains(c.Enum, s):
		return oneOf(c.Enum) + "; got " + shown(s)
	case c.Format != "" && !formats[c.Format].holds(s):
		return "want " + formats[c.Format].name + ", got " + shown(s)
	}
	return ""
}

// outside compares a size with its bounds, of which negative ones do not count.
func outside(n, least, most int, thing string) string {
	switch {
	case n < least:
		return fmt.Sprintf("want at least %s, got %d", count(least, thing), n)
	case most >= 0 && n > most:
		return fmt.Sprintf("want at most %s, got %d", count(most, thing), n)
	}
	return ""
}

func numberViolation(c *schema.Constraint, v reflect.Value) string {
	switch {
	case c.Min != "" && compare(v, string(c.Min)) < 0:
		return "want at least " + string(c.Min) + ", got " + numberText(v)
	case c.Max != "" && compare(v, string(c.Max)) > 0:
		return "want at most " + string(c.Max) + ", got " + numberText(v)
	case c.Enum != nil && !slices.ContainsFunc(c.Enum, func(one string) bool { return compare(v, one) == 0 }):
		return oneOf(c.Enum) + "; got " + numberText(v)
	}
	return ""
}

// compare compares the number v with a bound that its type can hold.
func compare(v reflect.Value, bound string) int {
	switch {
	case v.CanInt():
		n, _ := strconv.ParseInt(bound, 10, 64)
		return cmp.Compare(v.Int(), n)
	case v.CanUint():
		n, _ := strconv.ParseUint(bound, 10, 64)
		return cmp.Compare(v.Uint(), n)
	}
	f, _ := strconv.ParseFloat(bound, v.Type().Bits())
	return cmp.Compare(v.Float(), f)
}

func numberText(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
}

// shown shows a string that came, unless it is too long for that.
func shown(s string) string {
	const longest = 40 // characters
	if n := utf8.RuneCountInString(s); n > longest {
		return count(n, "character")
	}
	return string(json.AppendString(nil, s))
}

// hold checks the JSON value raw that came for a field and was passed just now, unless it is of another kind, which decoding
// tells. Items were counted on the way: to decode lists here would be to decode them once more on each level.
func (in *inspection) hold(f *schema.Field, raw []byte) {
	told := ""
	switch v := reflect.New(f.Type.Go); json.Kind(raw) {
	case '[':
		told = outside(in.count, f.Constraint.MinItems, f.Constraint.MaxItems, "item")
	case '{':
	default:
		if json.Unmarshal(raw, v.Interface()) == nil {
			told = violation(f.Constraint, v.Elem())
		}
	}
	if told != "" {
		in.problems.add(in.path, "%s", told)
	}
}

// constraints reads those of the options and checks that defaults keep them.
func (r *registration) constraints(p *funcPlan) {
	for name, text := range r.cfg.Constraints {
		i := p.find(name)
		if i < 0 {
			r.fail("Constraints has %q, but there is no such parameter; %s", name, p.known())
		}
		r.constrain(&p.params[i], reflect.StructTag(text))
	}
	for i := range p.params {
		if q := &p.params[i]; q.Constraint != nil && q.Default != nil {
			v := reflect.New(q.Type)
			if err := json.Unmarshal(q.Default, v.Interface()); err == nil && violation(q.Constraint, v.Elem()) != "" {
				r.fail("parameter %s: its default %s breaks its own constraint (%s); change one of them",
					q.Name, q.Default, violation(q.Constraint, v.Elem()))
			}
		}
	}
}

func (r *registration) constrain(q *param, tag reflect.StructTag) {
	c, err := schema.ParseConstraint(q.schema, tag)
	if err != nil {
		r.fail("parameter %s: %v", q.Name, err)
	}
	required, said := tag.Lookup("required")
	switch {
	case c == nil && !said:
		r.fail(`parameter %s: the constraint %q says nothing; write it as a struct tag, such as min:"1" max:"10"`, q.Name, tag)
	case said && required != "true" && required != "false":
		r.fail("parameter %s: the tag required:%q is neither true nor false; take one of them", q.Name, required)
	case required == "true" && q.Default != nil:
		r.fail("parameter %s is required and has a default; drop one of them", q.Name)
	case said:
		q.Required = required == "true"
	}
	if c != nil {
		q.Constraint = c
	}
}
