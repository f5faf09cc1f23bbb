package method

import (
	"errors"
	"fmt"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// checker looks through a type for what cannot travel.
type checker struct {
	input bool // values come from callers, so they must be decoded
	known map[*schema.Type]bool
}

// value returns what is wrong with t, with the place below path and the cure, or nil.
func (c *checker) value(t *schema.Type, path string) error {
	if c.known[t] {
		return nil
	}
	c.known[t] = true
	if reason := c.flaw(t); reason != "" {
		if path != "" {
			return fmt.Errorf("field %s (%s): %s", path, t.Go, reason)
		}
		return errors.New(reason)
	}
	switch t.Kind {
	case schema.Optional:
		return c.value(t.Elem, path)
	case schema.List, schema.Map:
		return c.value(t.Elem, path+"[]")
	case schema.Struct:
		return c.fields(t, path)
	}
	return nil
}

func (c *checker) flaw(t *schema.Type) string {
	switch {
	case t.Kind == schema.Invalid:
		return t.Reason
	case t.Go == readerType && c.input:
		return "an io.Reader can only be a parameter itself; take []byte"
	case t.Go == readerType:
		return "an io.Reader has no JSON form; return []byte"
	case c.input && t.Go.Kind() == reflect.Interface && t.Go.NumMethod() > 0:
		return "an interface with methods cannot be decoded; take the concrete type"
	}
	return ""
}

func (c *checker) fields(t *schema.Type, path string) error {
	if err := structFlaw(t.Go); err != nil {
		return fmt.Errorf("%s: %w", t.Go, err)
	}
	for _, f := range t.Fields {
		at := f.Name
		if path != "" {
			at = path + "." + f.Name
		}
		if err := c.value(f.Type, at); err != nil {
			return err
		}
		if f.Default == nil {
			continue
		}
		if err := json.Unmarshal(f.Default, reflect.New(f.Type.Go).Interface()); err != nil {
			return fmt.Errorf("field %s: its default %s does not fit %s (%v); change one of them", at, f.Default, f.Type.Go, err)
		}
	}
	return nil
}

// structFlaw tries a struct, because only its codec knows all that can be wrong with tags.
func structFlaw(t reflect.Type) error {
	err := jsonv2.Unmarshal([]byte("{}"), reflect.New(t).Interface())
	var told *jsonv2.SemanticError
	if errors.As(err, &told) && told.Err != nil {
		return fmt.Errorf("%w; correct the field or its tag", told.Err)
	}
	return err
}
