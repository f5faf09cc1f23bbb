package schema

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func matches(t *testing.T, pattern, text string) bool {
	t.Helper()
	re, err := regexp.Compile(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return re.MatchString(text)
}

func sameJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, got)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatalf("the wanted value is not JSON: %v", err)
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func exampleMethods() []Method {
	number := Of(reflect.TypeFor[int32]())
	return []Method{
		{Name: "math.add", Doc: "Add adds.", Result: number, Params: []Param{
			{Name: "a", Type: number, Required: true, Doc: "the first"},
			{Name: "b", Type: number, Default: json.RawMessage("1")},
		}},
		{Name: "shop.put", Params: []Param{{Name: "item", Type: Of(reflect.TypeFor[Item]()), Required: true}}},
		{Name: "shop.get", Result: Of(reflect.TypeFor[*Item]())},
		{Name: "sum", Params: []Param{{Name: "all", Type: Of(reflect.TypeFor[[]int]()), Variadic: true}}},
		{Name: "late", Params: []Param{{Name: "a", Type: number}, {Name: "b", Type: number, Required: true}}},
	}
}

func TestOpenRPC(t *testing.T) {
	got, err := OpenRPC(Info{Title: "Test", Version: "1"}, exampleMethods())
	if err != nil {
		t.Fatal(err)
	}
	i32 := `{"type":"integer","minimum":-2147483648,"maximum":2147483647}`
	i32or1 := `{"type":"integer","minimum":-2147483648,"maximum":2147483647,"default":1}`
	none := `{"name":"result","required":true,"schema":{"type":"null"}}`
	sameJSON(t, got, `{"openrpc":"1.4.1","info":{"title":"Test","version":"1"},"methods":[
		{"name":"math.add","description":"Add adds.","paramStructure":"either","params":[
			{"name":"a","description":"the first","required":true,"schema":`+i32+`},
			{"name":"b","required":false,"schema":`+i32or1+`}],
			"result":{"name":"result","required":true,"schema":`+i32+`}},
		{"name":"shop.put","paramStructure":"either","params":[
			{"name":"item","required":true,"schema":{"$ref":"#/components/schemas/Item"}}],"result":`+none+`},
		{"name":"shop.get","paramStructure":"either","params":[],"result":{"name":"result","required":true,
			"schema":{"anyOf":[{"$ref":"#/components/schemas/Item"},{"type":"null"}]}}},
		{"name":"sum","paramStructure":"by-name","params":[
			{"name":"all","required":false,"schema":{"type":"array","items":{"type":"integer"}}}],"result":`+none+`},
		{"name":"late","paramStructure":"by-name","params":[
			{"name":"b","required":true,"schema":`+i32+`},{"name":"a","required":false,"schema":`+i32+`}],"result":`+none+`}],
		"components":{"schemas":{
		"Item":{"type":"object","properties":{"name":{"description":"what it is called","type":"string"},
			"price":{"type":"number","default":1.5},
			"owner":{"description":"who has it","anyOf":[{"$ref":"#/components/schemas/Owner"},{"type":"null"}]}},
			"required":["name"],"additionalProperties":false},
		"Owner":{"type":"object","properties":{"since":{"type":"string","format":"date-time"}},
			"required":["since"],"additionalProperties":false}}}}`)
}

func TestEmptyServiceHasAnOpenRPCDocument(t *testing.T) {
	got, err := OpenRPC(Info{Title: "None", Version: "0", Description: "d"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, `{"openrpc":"1.4.1","info":{"title":"None","version":"0","description":"d"},"methods":[],
		"components":{"schemas":{}}}`)
}

// The rules of the specification that a reader of any document relies on.
func TestOpenRPCKeepsItsRules(t *testing.T) {
	raw, err := OpenRPC(Info{Title: "Test", Version: "1"}, exampleMethods())
	if err != nil {
		t.Fatal(err)
	}
	type content struct {
		Name     string
		Schema   json.RawMessage
		Required bool
	}
	var doc struct {
		OpenRPC string
		Methods []struct {
			Name, ParamStructure string
			Params               []content
			Result               *content
		}
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if !matches(t, `^1\.4\.\d+$`, doc.OpenRPC) {
		t.Errorf("version %q", doc.OpenRPC)
	}
	for _, m := range doc.Methods {
		optional := false
		for _, p := range append(m.Params, *m.Result) {
			if p.Name == "" || p.Schema == nil {
				t.Errorf("%s: a content descriptor without name or schema", m.Name)
			}
			if p.Required && optional && p.Name != "result" {
				t.Errorf("%s: required %s stands behind an optional parameter", m.Name, p.Name)
			}
			optional = optional || !p.Required
		}
	}
	for ref := range strings.SplitSeq(string(raw), `"$ref":"`) {
		name, ok := strings.CutPrefix(ref[:strings.IndexByte(ref, '"')], "#/components/schemas/")
		if ok && doc.Components.Schemas[name] == nil {
			t.Errorf("the reference to %s leads nowhere", name)
		}
	}
}
