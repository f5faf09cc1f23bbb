package schema

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

type Page[T any] struct {
	Items []T  `json:"items"`
	Next  *int `json:"next"`
}

type Tree []Tree

type Item struct {
	Name  string  `json:"name" doc:"what it is called"`
	Price float64 `json:"price" default:"1.5"`
	Owner *Owner  `json:"owner" doc:"who has it"`
}

type Owner struct {
	Since time.Time `json:"since"`
}

func TestJSONSchema(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"bool", true, `{"type":"boolean"}`},
		{"int64 unbounded", int64(0), `{"type":"integer"}`},
		{"int8", int8(0), `{"type":"integer","minimum":-128,"maximum":127}`},
		{"int32", int32(0), `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`},
		{"uint8", uint8(0), `{"type":"integer","minimum":0,"maximum":255}`},
		{"uint32", uint32(0), `{"type":"integer","minimum":0,"maximum":4294967295}`},
		{"uint64", uint64(0), `{"type":"integer","minimum":0}`},
		{"float32", float32(0), `{"type":"number"}`},
		{"string", "", `{"type":"string"}`},
		{"bytes", []byte{}, `{"type":"string","contentEncoding":"base64"}`},
		{"time", time.Time{}, `{"type":"string","format":"date-time"}`},
		{"any", json.RawMessage{}, `{}`},
		{"pointer", new(int), `{"type":["integer","null"]}`},
		{"pointer to pointer", new(*int), `{"type":["integer","null"]}`},
		{"pointer to any", new(any), `{}`},
		{"slice", []int{}, `{"type":"array","items":{"type":"integer"}}`},
		{"array", [2]bool{}, `{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}`},
		{"map", map[string]bool{}, `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		{"map by number", map[uint]bool{},
			`{"type":"object","propertyNames":{"pattern":"^[0-9]+$"},"additionalProperties":{"type":"boolean"}}`},
		{"map by signed number", map[int8]any{},
			`{"type":"object","propertyNames":{"pattern":"^-?[0-9]+$"},"additionalProperties":{}}`},
		{"documented reference", struct {
			A Owner `doc:"whose"`
		}{}, `{"type":"object","properties":{"A":{"description":"whose","allOf":[{"$ref":"#/definitions/Owner"}]}},
			"required":["A"],"additionalProperties":false,
			"definitions":{"Owner":{"type":"object","properties":{"since":{"type":"string","format":"date-time"}},
			"required":["since"],"additionalProperties":false}}}`},
		{"empty struct", struct{}{}, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"open struct", struct {
			More map[string]int `json:",embed"`
		}{}, `{"type":"object","properties":{}}`},
		{"struct", Item{}, `{"type":"object","properties":{
			"name":{"description":"what it is called","type":"string"},
			"price":{"type":"number","default":1.5},
			"owner":{"description":"who has it","anyOf":[{"$ref":"#/definitions/Owner"},{"type":"null"}]}},
			"required":["name"],"additionalProperties":false,
			"definitions":{"Owner":{"type":"object","properties":{"since":{"type":"string","format":"date-time"}},
			"required":["since"],"additionalProperties":false}}}`},
		{"recursive slice", Tree{},
			`{"type":"array","items":{"$ref":"#/definitions/Tree"},
			"definitions":{"Tree":{"type":"array","items":{"$ref":"#/definitions/Tree"}}}}`},
		{"generic, two of one name", struct {
			A Page[Owner]
			B Page[string]
			C []Page[Owner]
		}{}, `{"type":"object","properties":{"A":{"$ref":"#/definitions/Page_Owner"},"B":{"$ref":"#/definitions/Page_string"},
			"C":{"type":"array","items":{"$ref":"#/definitions/Page_Owner"}}},"required":["A","B","C"],"additionalProperties":false,
			"definitions":{
			"Page_Owner":{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/definitions/Owner"}},
				"next":{"type":["integer","null"]}},"required":["items"],"additionalProperties":false},
			"Owner":{"type":"object","properties":{"since":{"type":"string","format":"date-time"}},
				"required":["since"],"additionalProperties":false},
			"Page_string":{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}},
				"next":{"type":["integer","null"]}},"required":["items"],"additionalProperties":false}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := JSONSchema(Of(reflect.TypeOf(tt.value)), Draft07)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, got, strings.Replace(`{"$schema":"http://json-schema.org/draft-07/schema#",`+tt.want[1:], ",}", "}", 1))
		})
	}
}

func TestDraft2020SharesUnderDefs(t *testing.T) {
	got, err := JSONSchema(Of(reflect.TypeFor[node0]()), Draft2020)
	if err != nil {
		t.Fatal(err)
	}
	object := `{"type":"object","properties":{"value":{"type":"integer"},
		"left":{"anyOf":[{"$ref":"#/$defs/node0"},{"type":"null"}]},
		"kids":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/node0"},{"type":"null"}]}}},
		"required":["value"],"additionalProperties":false`
	sameJSON(t, got, object+`,"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"node0":`+object+`}}}`)
}

func TestTwoTypesOfOneName(t *testing.T) {
	first := func() any { type Same struct{ A int }; return Same{} }()
	second := func() any { type Same struct{ B int }; return Same{} }()
	r := newRenderer("#/")
	a, b := r.schema(Of(reflect.TypeOf(first))), r.schema(Of(reflect.TypeOf(second)))
	again := r.schema(Of(reflect.TypeOf(first)))
	if a.Ref != "#/Same" || b.Ref != "#/Same2" || again.Ref != a.Ref {
		t.Errorf("references %s, %s, %s", a.Ref, b.Ref, again.Ref)
	}
}

func TestDurationPatternAgreesWithParseDuration(t *testing.T) {
	got, err := JSONSchema(Of(reflect.TypeFor[time.Duration]()), Draft07)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Type, Pattern string }
	if err := json.Unmarshal(got, &doc); err != nil || doc.Type != "string" {
		t.Fatalf("%s: %v", got, err)
	}
	for _, text := range []string{"0", "1.5s", "-2h3m", ".5ms", "1.s", "+1µs", "", "1", "1.5", "s", "1d", "1s "} {
		_, err := time.ParseDuration(text)
		if matches(t, doc.Pattern, text) != (err == nil) {
			t.Errorf("%q: pattern and ParseDuration (%v) disagree", text, err)
		}
	}
}
