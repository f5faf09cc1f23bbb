package schema

import (
	"encoding/json"
	"reflect"
	"strconv"
)

// Dialect is a version of JSON Schema.
type Dialect uint8

const (
	Draft07   Dialect = iota // draft-07, of OpenRPC; shared schemas are under definitions
	Draft2020                // 2020-12, of OpenAPI 3.1 and MCP; shared schemas are under $defs
)

// uri identifies the dialect in the member $schema.
func (d Dialect) uri() string {
	if d == Draft2020 {
		return "https://json-schema.org/draft/2020-12/schema"
	}
	return "http://json-schema.org/draft-07/schema#"
}

// JSONSchema renders t as a document of its own. Named structs, and all types that contain themselves, are shared schemas
// that the others refer to.
func JSONSchema(t *Type, dialect Dialect) ([]byte, error) {
	prefix := "#/definitions/"
	if dialect == Draft2020 {
		prefix = "#/$defs/"
	}
	r := newRenderer(prefix)
	root := r.body(t)
	root.Schema = dialect.uri()
	switch {
	case len(r.shared.names) == 0:
	case dialect == Draft2020:
		root.Defs = r.shared
	default:
		root.Definitions = r.shared
	}
	return encode(root)
}

// node is one schema. Its members are written in this order.
type node struct {
	Schema      string          `json:"$schema,omitempty"`
	Ref         string          `json:"$ref,omitempty"`
	Description string          `json:"description,omitempty"`
	Type        any             `json:"type,omitempty"` // a string, or a list of them
	Format      string          `json:"format,omitempty"`
	Pattern     string          `json:"pattern,omitempty"`
	Encoding    string          `json:"contentEncoding,omitempty"`
	Minimum     json.Number     `json:"minimum,omitempty"`
	Maximum     json.Number     `json:"maximum,omitempty"`
	MinLength   *int            `json:"minLength,omitempty"`
	MaxLength   *int            `json:"maxLength,omitempty"`
	Enum        []any           `json:"enum,omitempty"`
	Items       *node           `json:"items,omitempty"`
	MinItems    *int            `json:"minItems,omitempty"`
	MaxItems    *int            `json:"maxItems,omitempty"`
	Properties  *properties     `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Names       *node           `json:"propertyNames,omitempty"`
	Additional  any             `json:"additionalProperties,omitempty"` // false, or a *node
	AllOf       []*node         `json:"allOf,omitempty"`
	AnyOf       []*node         `json:"anyOf,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`

	Definitions *properties `json:"definitions,omitempty"`
	Defs        *properties `json:"$defs,omitempty"`
}

// durationPattern is what time.ParseDuration reads.
const durationPattern = `^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`

// renderer turns types into schemas and gathers the shared ones.
type renderer struct {
	prefix string // of references to shared schemas
	shared *properties
	names  map[reflect.Type]string
	taken  map[string]bool
}

func newRenderer(prefix string) *renderer {
	return &renderer{prefix: prefix, shared: &properties{}, names: map[reflect.Type]string{}, taken: map[string]bool{}}
}

// schema returns the schema of t, a reference when t is shared.
func (r *renderer) schema(t *Type) *node {
	if !isShared(t) {
		return r.body(t)
	}
	name, known := r.names[t.Go]
	if !known {
		name = r.name(t)
		i := r.shared.reserve(name) // before its members, which may refer to it
		r.shared.set(i, r.body(t))
	}
	return &node{Ref: r.prefix + name}
}

// body returns the schema of t itself.
func (r *renderer) body(t *Type) *node {
	switch t.Kind {
	case Bool:
		return &node{Type: "boolean"}
	case Int, Uint:
		return integer(t)
	case Float:
		return &node{Type: "number"}
	case String:
		return &node{Type: "string"}
	case Bytes:
		return &node{Type: "string", Encoding: "base64"}
	case Time:
		return &node{Type: "string", Format: "date-time"}
	case Duration:
		return &node{Type: "string", Pattern: durationPattern}
	case List:
		return r.list(t)
	case Map:
		return r.table(t)
	case Struct:
		return r.object(t)
	case Optional:
		return nullable(r.schema(t.Elem))
	}
	return &node{}
}

// integer bounds what fits into fewer bits than every reader of JSON numbers is ready for.
func integer(t *Type) *node {
	n := &node{Type: "integer"}
	switch {
	case t.Kind == Uint && t.Bits < 64:
		n.Minimum, n.Maximum = "0", number(int64(1)<<t.Bits-1)
	case t.Kind == Uint:
		n.Minimum = "0"
	case t.Bits < 64:
		n.Minimum, n.Maximum = number(-1<<(t.Bits-1)), number(1<<(t.Bits-1)-1)
	}
	return n
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func (r *renderer) list(t *Type) *node {
	n := &node{Type: "array", Items: r.schema(t.Elem)}
	if t.Len >= 0 {
		n.MinItems, n.MaxItems = &t.Len, &t.Len
	}
	return n
}

func (r *renderer) table(t *Type) *node {
	n := &node{Type: "object", Additional: r.schema(t.Elem)}
	switch t.Key.Kind {
	case Int:
		n.Names = &node{Pattern: `^-?[0-9]+$`}
	case Uint:
		n.Names = &node{Pattern: `^[0-9]+$`}
	}
	return n
}

func (r *renderer) object(t *Type) *node {
	n := &node{Type: "object", Properties: &properties{}}
	for _, f := range t.Fields {
		n.Properties.add(f.Name, described(r.constrained(f.Type, f.Constraint), f.Doc, f.Default))
		if f.Required {
			n.Required = append(n.Required, f.Name)
		}
	}
	if !t.Open {
		n.Additional = false
	}
	return n
}

// constrained returns the schema of values of t that c holds to, which may be nil. A reference moves inside; see described.
func (r *renderer) constrained(t *Type, c *Constraint) *node {
	n := r.schema(t)
	if c == nil {
		return n
	}
	if n.Ref != "" {
		n = &node{AllOf: []*node{n}}
	}
	c.constrain(n, t)
	return n
}

// described adds what is said of one use of a schema. Draft-07 ignores what stands beside a reference, so a reference moves
// inside.
func described(n *node, doc string, standard json.RawMessage) *node {
	if doc == "" && standard == nil {
		return n
	}
	if n.Ref != "" {
		n = &node{AllOf: []*node{n}}
	}
	n.Description, n.Default = doc, standard
	return n
}

// nullable allows null beside n.
func nullable(n *node) *node {
	switch kind := n.Type.(type) {
	case string:
		n.Type = []string{kind, "null"}
		return n
	case []string: // already does
		return n
	}
	if n.Ref == "" {
		return n // takes anything
	}
	return &node{AnyOf: []*node{n, {Type: "null"}}}
}
