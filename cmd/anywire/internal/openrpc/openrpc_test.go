package openrpc

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTypeOf(t *testing.T) {
	for _, tc := range []struct{ schema, want string }{
		{``, "any"},
		{`true`, "any"},
		{`{}`, "any"},
		{`{"type":5}`, "any"},
		{`{"type":"integer"}`, "integer"},
		{`{"type":["string","null"]}`, "string | null"},
		{`{"$ref":"#/components/schemas/Order"}`, "Order"},
		{`{"$ref":"Order"}`, "Order"},
		{`{"enum":["a","b",null]}`, `"a" | "b" | null`},
		{`{"const":5}`, "5"},
		{`{"anyOf":[{"type":"string"},{"type":"null"},{"type":"string"}]}`, "string | null"},
		{`{"oneOf":[{"type":"number"},{}]}`, "number | any"},
		{`{"type":"array"}`, "array"},
		{`{"type":"array","items":{"type":"string"}}`, "string[]"},
		{`{"type":"array","items":{"type":["string","null"]}}`, "(string | null)[]"},
		{`{"type":["array","null"],"items":{"type":"string"}}`, "string[] | null"},
		{`{"type":"object"}`, "object"},
		{`{"type":"object","properties":{}}`, "object"},
		{`{"type":"object","properties":{"z":{"type":"string"},"a":{}},"required":["z"]}`, "{z: string, a?: any}"},
		{`{"type":"object","properties":[]}`, "any"},
		{`{"type":"array","items":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}`, "array[][]"},
	} {
		if got := TypeOf(json.RawMessage(tc.schema)); got != tc.want {
			t.Errorf("TypeOf(%s) = %s, want %s", tc.schema, got, tc.want)
		}
	}
}

func TestSignature(t *testing.T) {
	doc, err := Parse([]byte(`{"openrpc":"1.4.0","methods":[
		{"name":"now","params":[],"result":{"name":"result","schema":{"type":"string"}}},
		{"name":"log","params":[{"name":"text","required":true,"schema":{"type":"string"}}]},
		{"name":"ping","params":[],"result":{"name":"result","schema":{"type":"null"}}},
		{"name":"hello","params":[{"name":"name","schema":{"type":"string","default":"world"}},
			{"name":"loud","schema":{"type":"boolean"}}],"result":{"name":"result","schema":{}}}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"now() → string",
		"log(text: string)",
		"ping()",
		`hello(name?: string = "world", loud?: boolean) → any`,
	}
	for i := range doc.Methods {
		if got := doc.Methods[i].Signature(); got != want[i] {
			t.Errorf("signature %s, want %s", got, want[i])
		}
	}
}

func TestDoc(t *testing.T) {
	for _, tc := range []struct {
		method Method
		want   string
	}{
		{Method{}, ""},
		{Method{Summary: "Adds.", Description: "More."}, "Adds."},
		{Method{Description: "\n Adds.\nSecond line."}, "Adds."},
	} {
		if got := tc.method.Doc(); got != tc.want {
			t.Errorf("Doc of %+v = %q, want %q", tc.method, got, tc.want)
		}
	}
}

func TestParseRefusesWhatIsNoDocument(t *testing.T) {
	for _, raw := range []string{"", "[]", `{"methods":5}`, `{"methods":[{"name":`} {
		if _, err := Parse([]byte(raw)); err == nil {
			t.Errorf("Parse(%s) did not fail", raw)
		}
	}
}

// FuzzSignature checks that every document that Parse accepts has signatures.
func FuzzSignature(f *testing.F) {
	f.Add(`{"methods":[{"name":"a","params":[{"name":"b","schema":{"type":["array"],"items":{"$ref":"/"}}}]}]}`)
	f.Add(`{"methods":[{"name":"a","params":[],"result":{"schema":{"properties":{"x":{"enum":[1,"2"]}},"type":"object"}}}]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		doc, err := Parse([]byte(raw))
		if err != nil {
			return
		}
		for i := range doc.Methods {
			m := &doc.Methods[i]
			if s := m.Signature(); !strings.HasPrefix(s, m.Name+"(") {
				t.Errorf("signature %q does not begin with the name %q", s, m.Name)
			}
		}
	})
}
