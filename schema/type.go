// Package schema turns Go types into one type model and renders it: as JSON Schema in two dialects and as an OpenRPC
// document. The model describes what package codec/json reads and writes, so both must agree on every type.
package schema

import (
	"encoding/json"
	"reflect"
)

// Kind says what a value looks like to a caller, whatever Go type is behind it.
type Kind uint8

const (
	Invalid  Kind = iota // no JSON form; Type.Reason tells why
	Bool                 // true or false
	Int                  // a signed integer of Type.Bits
	Uint                 // an unsigned integer of Type.Bits
	Float                // a number of Type.Bits
	String               // any text, also of types with their own text form
	Bytes                // a string in base64 (RFC 4648 section 4)
	Time                 // a string in the form of RFC 3339
	Duration             // a string such as "1.5s"
	Any                  // any JSON value, also of types with their own JSON form
	List                 // an array of Elem
	Map                  // an object whose values are Elem
	Struct               // an object with Fields
	Optional             // Elem or null
)

var kindNames = [...]string{
	"invalid", "bool", "int", "uint", "float", "string", "bytes", "time", "duration", "any", "list", "map", "struct", "optional",
}

// String returns the kind's name in lower case.
func (k Kind) String() string { return kindNames[k] }

// Type is one Go type as callers see it. Types of one graph refer to each other, in circles where Go types do; nothing in
// a graph changes once Of returned it, so it may be shared.
type Type struct {
	Kind   Kind
	Go     reflect.Type
	Bits   int     // of Int, Uint and Float
	Len    int     // how many items a List or bytes a Bytes has; -1: any number
	Key    *Type   // of a Map: String, Int, Uint or Float, in the text of member names
	Elem   *Type   // of List, Map and Optional
	Fields []Field // of a Struct, in the order in which they are written
	Open   bool    // a Struct that takes members beside its fields
	Reason string  // of Invalid: what is wrong, and what would do
}

// Field is one member of a Struct.
type Field struct {
	Name     string          // of the member
	Type     *Type           // of its value
	Index    []int           // of the Go field, for reflect's FieldByIndex
	Required bool            // it must be sent: by its tag required, or no pointer, not omitempty or omitzero, no default
	Default  json.RawMessage // from the tag default; nil: none
	Doc      string          // from the tag doc

	Constraint *Constraint // on a value that is sent; nil: none
}
