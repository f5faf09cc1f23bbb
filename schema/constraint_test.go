package schema

import (
	"reflect"
	"testing"
)

type constrained struct {
	Count  int64    `json:"count" min:"-1" max:"5"`
	Small  uint8    `json:"small" min:"1"`
	Ratio  float64  `json:"ratio" min:"0.50" max:"1e3"`
	Name   *string  `json:"name" minLength:"1" maxLength:"9" pattern:"^a" required:"true" doc:"its name"`
	Mail   string   `json:"mail" format:"email" required:"false"`
	Colour string   `json:"colour" enum:"red,green"`
	Level  *int64   `json:"level" enum:"1,2"`
	List   []string `json:"list" minItems:"0" maxItems:"3"`
	Tree   Tree     `json:"tree" minItems:"1"`
}

func TestConstrainedSchema(t *testing.T) {
	got, err := JSONSchema(Of(reflect.TypeFor[struct{ constrained }]()), Draft2020)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
		"count":{"type":"integer","minimum":-1,"maximum":5},
		"small":{"type":"integer","minimum":1,"maximum":255},
		"ratio":{"type":"number","minimum":0.5,"maximum":1000},
		"name":{"description":"its name","type":["string","null"],"pattern":"^a","minLength":1,"maxLength":9},
		"mail":{"type":"string","format":"email"},
		"colour":{"type":"string","enum":["red","green"]},
		"level":{"type":["integer","null"],"enum":[1,2,null]},
		"list":{"type":"array","items":{"type":"string"},"minItems":0,"maxItems":3},
		"tree":{"allOf":[{"$ref":"#/$defs/Tree"}],"minItems":1}},
		"required":["count","small","ratio","name","colour","list","tree"],"additionalProperties":false,
		"$defs":{"Tree":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}`)
}

func TestConstrainedParameter(t *testing.T) {
	of := Of(reflect.TypeFor[int]())
	c, err := ParseConstraint(of, `min:"3"`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := OpenRPC(Info{}, []Method{{Name: "m", Params: []Param{{Name: "n", Type: of, Constraint: c}}}})
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, `{"openrpc":"1.4.1","info":{"title":"","version":""},"methods":[{"name":"m","paramStructure":"either",
		"params":[{"name":"n","required":false,"schema":{"type":"integer","minimum":3}}],
		"result":{"name":"result","required":true,"schema":{"type":"null"}}}],"components":{"schemas":{}}}`)
}

func TestNoConstraint(t *testing.T) {
	if c, err := ParseConstraint(Of(reflect.TypeFor[int]()), `json:"a" doc:"b"`); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
}
