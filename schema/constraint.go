package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Constraint narrows what a value may be. Its parts come from the tags min, max, minLength, maxLength, pattern, enum, format,
// minItems and maxItems, which mean what JSON Schema means by those names (minimum and maximum for the first two).
type Constraint struct {
	Min, Max             json.Number    // of a number, itself allowed; "": no bound
	MinLength, MaxLength int            // of a string, in characters; -1: no bound
	MinItems, MaxItems   int            // of a list; -1: no bound
	Pattern              *regexp.Regexp // somewhere in a string (RE2); nil: any
	Format               string         // of a string, one of Formats; "": any
	Enum                 []string       // the values allowed, as text; nil: any
}

// Formats are those that strings can be held to, in the words of JSON Schema.
var Formats = []string{"date", "date-time", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"}

// constraintTags are the tags that a constraint is made of.
var constraintTags = []string{"min", "max", "minLength", "maxLength", "pattern", "format", "enum", "minItems", "maxItems"}

// ParseConstraint reads the constraint on values of t from a tag. It returns nil when the tag has none. Errors tell the cure.
func ParseConstraint(t *Type, tag reflect.StructTag) (*Constraint, error) {
	c := &Constraint{MinLength: -1, MaxLength: -1, MinItems: -1, MaxItems: -1}
	for t.Kind == Optional {
		t = t.Elem
	}
	found := false
	for _, name := range constraintTags {
		text, ok := tag.Lookup(name)
		if !ok {
			continue
		}
		found = true
		if !fits(name, t) {
			return nil, fmt.Errorf("the tag %s does not go with %s; %s", name, t.Go, belongs(name))
		}
		if err := c.set(name, text, t); err != nil {
			return nil, fmt.Errorf("the tag %s:%q %w", name, text, err)
		}
	}
	if !found {
		return nil, nil
	}
	return c, c.consistent()
}

// fits reports whether the tag says something about values of t.
func fits(name string, t *Type) bool {
	number := t.Kind == Int || t.Kind == Uint || t.Kind == Float
	text := t.Kind == String && t.Go.Kind() == reflect.String
	switch name {
	case "min", "max":
		return number
	case "minItems", "maxItems":
		return t.Kind == List
	case "enum":
		return number || text
	}
	return text
}

// belongs tells what to put a tag on.
func belongs(name string) string {
	switch name {
	case "min", "max":
		return "put it on a number, or take minLength or minItems and their like"
	case "minItems", "maxItems":
		return "put it on a slice"
	case "enum":
		return "put it on a string or a number"
	}
	return "put it on a string"
}

func (c *Constraint) set(name, text string, t *Type) (err error) {
	switch name {
	case "min":
		c.Min, err = bound(t, text)
	case "max":
		c.Max, err = bound(t, text)
	case "minLength":
		c.MinLength, err = size(text)
	case "maxLength":
		c.MaxLength, err = size(text)
	case "minItems":
		c.MinItems, err = size(text)
	case "maxItems":
		c.MaxItems, err = size(text)
	case "pattern":
		if c.Pattern, err = regexp.Compile(text); err != nil {
			err = fmt.Errorf("is no regular expression (%w); correct it", err)
		}
	case "format":
		if c.Format = text; !slices.Contains(Formats, text) {
			err = errors.New("is not known; take one of " + strings.Join(Formats, ", "))
		}
	case "enum":
		c.Enum, err = choices(t, text)
	}
	return err
}

// bound reads a number that values of t can be.
func bound(t *Type, text string) (json.Number, error) {
	var err error
	switch t.Kind {
	case Int:
		_, err = strconv.ParseInt(text, 10, t.Bits)
	case Uint:
		_, err = strconv.ParseUint(text, 10, t.Bits)
	default:
		var f float64
		if f, err = strconv.ParseFloat(text, t.Bits); err == nil {
			if math.IsNaN(f) || math.IsInf(f, 0) {
				return "", errors.New("is no number; take one")
			}
			text = strconv.FormatFloat(f, 'g', -1, t.Bits)
		}
	}
	if err != nil {
		return "", fmt.Errorf("is not a value of %s; take one", t.Go)
	}
	return json.Number(text), nil
}

func size(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errors.New("is no size; take a number from 0 on")
	}
	return n, nil
}

func choices(t *Type, text string) ([]string, error) {
	all := strings.Split(text, ",")
	for i, one := range all {
		if t.Kind == String {
			continue
		}
		n, err := bound(t, one)
		if err != nil {
			return nil, fmt.Errorf("has %q, which %w", one, err)
		}
		all[i] = string(n)
	}
	return all, nil
}

// consistent reports bounds that leave nothing.
func (c *Constraint) consistent() error {
	switch {
	case c.Min != "" && c.Max != "" && number64(c.Min) > number64(c.Max):
		return fmt.Errorf("min %s is above max %s; exchange them", c.Min, c.Max)
	case c.MinLength > c.MaxLength && c.MaxLength >= 0:
		return fmt.Errorf("minLength %d is above maxLength %d; exchange them", c.MinLength, c.MaxLength)
	case c.MinItems > c.MaxItems && c.MaxItems >= 0:
		return fmt.Errorf("minItems %d is above maxItems %d; exchange them", c.MinItems, c.MaxItems)
	}
	return nil
}

func number64(n json.Number) float64 {
	f, _ := n.Float64()
	return f
}

// constrain adds c to the schema n of a value that it applies to.
func (c *Constraint) constrain(n *node, t *Type) {
	if c.Min != "" {
		n.Minimum = c.Min
	}
	if c.Max != "" {
		n.Maximum = c.Max
	}
	n.MinLength, n.MaxLength = sizeOf(c.MinLength), sizeOf(c.MaxLength)
	if c.MinItems >= 0 {
		n.MinItems = &c.MinItems
	}
	if c.MaxItems >= 0 {
		n.MaxItems = &c.MaxItems
	}
	if c.Pattern != nil {
		n.Pattern = c.Pattern.String()
	}
	n.Format = c.Format
	n.Enum = c.enum(t)
}

func sizeOf(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

// enum lists the values allowed, with null where that is one.
func (c *Constraint) enum(t *Type) []any {
	var all []any
	optional := t.Kind == Optional
	for t.Kind == Optional {
		t = t.Elem
	}
	for _, one := range c.Enum {
		if t.Kind == String {
			all = append(all, one)
		} else {
			all = append(all, json.Number(one))
		}
	}
	if optional && all != nil {
		all = append(all, nil)
	}
	return all
}
