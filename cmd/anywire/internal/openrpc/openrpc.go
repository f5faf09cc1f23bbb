// Package openrpc reads an OpenRPC document (https://spec.open-rpc.org) as far as a person at a terminal wants to see it.
package openrpc

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Document describes the methods of one server.
type Document struct {
	Methods []Method `json:"methods"`
}

// Method is one callable function.
type Method struct {
	Name        string  `json:"name"`
	Summary     string  `json:"summary"`
	Description string  `json:"description"`
	Params      []Param `json:"params"`
	Result      *Param  `json:"result"` // nil: the method answers nothing
}

// Param is one argument, or the result.
type Param struct {
	Name     string          `json:"name"`
	Required bool            `json:"required"`
	Schema   json.RawMessage `json:"schema"` // JSON Schema
}

// Parse reads a document.
func Parse(raw []byte) (*Document, error) {
	var d Document
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("openrpc: %w", err)
	}
	return &d, nil
}

// Doc is the first line of what the document says about m, or "".
func (m *Method) Doc() string {
	text := m.Summary
	if text == "" {
		text = m.Description
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Signature returns m in one line: "sum(a: integer, b: integer) → integer".
func (m *Method) Signature() string {
	params := make([]string, len(m.Params))
	for i, p := range m.Params {
		params[i] = p.signature()
	}
	s := m.Name + "(" + strings.Join(params, ", ") + ")"
	if m.Result == nil {
		return s
	}
	if result := TypeOf(m.Result.Schema); result != "null" {
		s += " → " + result
	}
	return s
}

func (p *Param) signature() string {
	name := p.Name
	if !p.Required {
		name += "?"
	}
	s := name + ": " + TypeOf(p.Schema)
	if d := parseSchema(p.Schema).Default; d != nil {
		s += " = " + string(d)
	}
	return s
}
