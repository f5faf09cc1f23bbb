package openrpc

import (
	"encoding/json"
	"slices"
	"strings"
)

// schema holds the keywords of JSON Schema that say what kind of value is meant.
type schema struct {
	Ref        string            `json:"$ref"`
	Type       typeList          `json:"type"`
	Enum       []json.RawMessage `json:"enum"`
	Const      json.RawMessage   `json:"const"`
	AnyOf      []json.RawMessage `json:"anyOf"`
	OneOf      []json.RawMessage `json:"oneOf"`
	Items      json.RawMessage   `json:"items"`
	Properties properties        `json:"properties"`
	Required   []string          `json:"required"`
	Default    json.RawMessage   `json:"default"`
}

// maxDepth keeps a signature on one line: what lies deeper is named by its kind alone.
const maxDepth = 2

// TypeOf writes a schema as a short type: "integer", "string | null", "{id: string, tags: string[]}". What it does not
// understand is "any".
func TypeOf(raw json.RawMessage) string { return typeAt(raw, 0) }

func typeAt(raw json.RawMessage, depth int) string {
	s := parseSchema(raw)
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case s.Const != nil:
		return string(s.Const)
	case s.Enum != nil:
		return union(s.Enum, func(v json.RawMessage) string { return string(v) })
	case s.AnyOf != nil:
		return union(s.AnyOf, func(v json.RawMessage) string { return typeAt(v, depth) })
	case s.OneOf != nil:
		return union(s.OneOf, func(v json.RawMessage) string { return typeAt(v, depth) })
	case s.Type != nil:
		return union(s.Type, func(name string) string { return s.named(name, depth) })
	}
	return "any"
}

// named writes one of the seven types with what the schema says of its parts.
func (s *schema) named(name string, depth int) string {
	switch {
	case name == "array" && s.Items != nil && depth < maxDepth:
		return arrayOf(typeAt(s.Items, depth+1))
	case name == "object" && s.Properties != nil && depth < maxDepth:
		return s.object(depth)
	}
	return name
}

func (s *schema) object(depth int) string {
	members := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		mark := "?"
		if slices.Contains(s.Required, p.name) {
			mark = ""
		}
		members[i] = p.name + mark + ": " + typeAt(p.schema, depth+1)
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func arrayOf(item string) string {
	if strings.Contains(item, " | ") && !strings.HasPrefix(item, "{") {
		return "(" + item + ")[]"
	}
	return item + "[]"
}

// union joins the alternatives and drops repeated ones.
func union[T any](alternatives []T, name func(T) string) string {
	var names []string
	for _, a := range alternatives {
		if n := name(a); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, " | ")
}

// parseSchema returns an empty schema, which allows anything, for true, for no schema, and for one it cannot read.
func parseSchema(raw json.RawMessage) schema {
	var s schema
	if json.Unmarshal(raw, &s) != nil {
		return schema{}
	}
	return s
}
