package schema

import (
	"encoding/json"
	"slices"
)

// Info is what a document says of the whole service.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

// Method is one callable function, as a document describes it.
type Method struct {
	Name   string
	Doc    string
	Params []Param
	Result *Type // nil: none
}

// Param is one parameter of a Method.
type Param struct {
	Name     string
	Type     *Type
	Required bool
	Variadic bool            // by position it takes all arguments that are left
	Default  json.RawMessage // nil: none
	Doc      string

	Constraint *Constraint // nil: none
}

// OpenRPC renders an OpenRPC 1.4.1 document (https://spec.open-rpc.org). Schemas are in draft-07; those of
// named structs are under components.
func OpenRPC(info Info, methods []Method) ([]byte, error) {
	r := newRenderer("#/components/schemas/")
	doc := document{Version: "1.4.1", Info: info, Methods: []methodObject{}}
	for _, m := range methods {
		doc.Methods = append(doc.Methods, r.method(m))
	}
	doc.Components.Schemas = r.shared
	return encode(doc)
}

type document struct {
	Version    string         `json:"openrpc"`
	Info       Info           `json:"info"`
	Methods    []methodObject `json:"methods"`
	Components struct {
		Schemas *properties `json:"schemas"`
	} `json:"components"`
}

type methodObject struct {
	Name        string       `json:"name"`
	Description string       `json:"description,omitempty"`
	Structure   string       `json:"paramStructure"`
	Params      []descriptor `json:"params"`
	Result      descriptor   `json:"result"`
}

// descriptor is a content descriptor: one parameter or the result.
type descriptor struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required"`
	Schema      *node  `json:"schema"`
}

func (r *renderer) method(m Method) methodObject {
	out := methodObject{Name: m.Name, Description: m.Doc, Structure: structure(m.Params), Params: []descriptor{}}
	for _, p := range requiredFirst(m.Params) {
		out.Params = append(out.Params, descriptor{
			Name: p.Name, Description: p.Doc, Required: p.Required, Schema: described(r.constrained(p.Type, p.Constraint), "", p.Default),
		})
	}
	// A method without a result is a notification to OpenRPC, though ours answers with null.
	out.Result = descriptor{Name: "result", Required: true, Schema: &node{Type: "null"}}
	if m.Result != nil {
		out.Result.Schema = r.schema(m.Result)
	}
	return out
}

// requiredFirst orders parameters as the specification demands: those that may be left out come last.
func requiredFirst(params []Param) []Param {
	sorted := slices.Clone(params)
	slices.SortStableFunc(sorted, func(a, b Param) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return sorted
}

// structure is "either", except where positions in the document would not be those of the method: behind reordered
// parameters, and for variadic ones, which a document can only show as an array.
func structure(params []Param) string {
	optional := false
	for _, p := range params {
		if p.Variadic || p.Required && optional {
			return "by-name"
		}
		optional = optional || !p.Required
	}
	return "either"
}
