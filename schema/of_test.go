package schema

import (
	"encoding/json"
	"iter"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

type node0 struct {
	Value int      `json:"value"`
	Left  *node0   `json:"left"`
	Kids  []*node0 `json:"kids,omitempty"`
}

type namedByte byte

func TestKinds(t *testing.T) {
	tests := []struct {
		value any
		kind  Kind
		bits  int
	}{
		{true, Bool, 0},
		{int8(0), Int, 8},
		{int64(0), Int, 64},
		{uint16(0), Uint, 16},
		{float32(0), Float, 32},
		{"", String, 0},
		{[]byte(nil), Bytes, 0},
		{[4]byte{}, Bytes, 0},
		{[]namedByte(nil), List, 0},
		{time.Time{}, Time, 0},
		{time.Second, Duration, 0},
		{json.RawMessage(nil), Any, 0},
		{jsontext.Value(nil), Any, 0},
		{big.Int{}, Any, 0},
		{netip.Addr{}, String, 0},
		{[3]int{}, List, 0},
		{map[int]string{}, Map, 0},
		{map[netip.Addr]string{}, Map, 0},
		{node0{}, Struct, 0},
		{&node0{}, Optional, 0},
		{struct{}{}, Struct, 0},
		{struct {
			A int `json:"-"`
		}{}, Struct, 0},
	}
	for _, tt := range tests {
		got := Of(reflect.TypeOf(tt.value))
		if got.Kind != tt.kind || got.Bits != tt.bits {
			t.Errorf("%T: kind %v, bits %d; want %v, %d", tt.value, got.Kind, got.Bits, tt.kind, tt.bits)
		}
	}
}

func TestInvalid(t *testing.T) {
	//lint:ignore U1000 that is its point
	type hidden struct{ a int }
	tests := []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[chan int](), "a channel has no JSON form"},
		{reflect.TypeFor[func()](), "a func has no JSON form"},
		{reflect.TypeFor[iter.Seq[int]](), "a stream"},
		{reflect.TypeFor[iter.Seq2[int, error]](), "a stream"},
		{reflect.TypeFor[complex64](), "two floats"},
		{reflect.TypeFor[map[[2]int]string](), "keys of type string"},
		{reflect.TypeFor[map[bool]string](), "keys of type string"},
		{reflect.TypeFor[hidden](), "without exported fields"},
		{reflect.TypeFor[struct{ *hidden }](), "is not exported"},
		{reflect.TypeFor[struct{ time.Duration }](), "give it a name with a json tag"},
	}
	for _, tt := range tests {
		got := Of(tt.typ)
		if got.Kind != Invalid || !strings.Contains(got.Reason, tt.want) {
			t.Errorf("%v: %v %q; want a reason with %q", tt.typ, got.Kind, got.Reason, tt.want)
		}
	}
	format := Of(reflect.TypeFor[struct {
		T time.Time `json:"t,format:unix"`
	}]())
	if got := format.Fields[0].Type; got.Kind != Invalid {
		t.Errorf("format:unix is %v", got.Kind)
	}
}

func TestRecursionEndsInACircle(t *testing.T) {
	n := Of(reflect.TypeFor[node0]())
	if n.Fields[1].Type.Elem != n || n.Fields[2].Type.Elem.Elem != n {
		t.Error("the fields of a node lead elsewhere than to the node")
	}
}

type base struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type Deep struct{ Note string }

type loop struct {
	X int
	*Loop
}

type Loop struct {
	Y int
	*Deep
	loop
}

type fields struct {
	base
	*Deep
	Name    string            `json:"name"`
	Skipped int               `json:"-"`
	Dash    int               `json:"'-'"`
	Comma   int               `json:"'a,b',omitzero"`
	Quoted  int64             `json:"quoted,string"`
	Limit   int               `json:"limit" default:"10" doc:"how many"`
	Word    string            `default:"plain"`
	Word2   string            `default:"\"quoted\""`
	Maybe   *int              `json:",omitempty"`
	Other   map[string]string `json:",embed"`
	hidden  int
}

func TestFields(t *testing.T) {
	m := Of(reflect.TypeFor[fields]())
	type row struct {
		name     string
		kind     Kind
		required bool
		standard string
	}
	want := []row{
		{"id", Int, true, ""},
		{"Note", String, true, ""},
		{"name", String, true, ""},
		{"-", Int, true, ""},
		{"a,b", Int, false, ""},
		{"quoted", String, true, ""},
		{"limit", Int, false, "10"},
		{"Word", String, false, `"plain"`},
		{"Word2", String, false, `"quoted"`},
		{"Maybe", Optional, false, ""},
	}
	var got []row
	for _, f := range m.Fields {
		got = append(got, row{f.Name, f.Type.Kind, f.Required, string(f.Default)})
	}
	if !reflect.DeepEqual(got, want) || !m.Open {
		t.Errorf("fields:\n%v\nwant:\n%v\nopen: %v", got, want, m.Open)
	}
	if f := m.Fields[2]; len(f.Index) != 1 {
		t.Errorf("name is the embedded one at %v; the outer one hides it", f.Index)
	}
	if m.Fields[6].Doc != "how many" {
		t.Errorf("doc is %q", m.Fields[6].Doc)
	}
	_ = fields{}.hidden
}

func TestFieldsOfOneNameAtOneDepthCancelOut(t *testing.T) {
	type A struct{ X, Y int }
	type B struct {
		X int
		Z int `json:"Y"`
	}
	m := Of(reflect.TypeFor[struct {
		A
		B
	}]())
	if len(m.Fields) != 1 || m.Fields[0].Name != "Y" || m.Fields[0].Index[0] != 1 {
		t.Errorf("fields %+v; want the tagged Y of B alone", m.Fields)
	}
}

func TestEmbeddedLoopEnds(t *testing.T) {
	if m := Of(reflect.TypeFor[Loop]()); m.Kind != Struct || m.Fields[0].Name != "Y" {
		t.Errorf("got %+v", m)
	}
}

func TestAppendText(t *testing.T) {
	tests := []struct {
		value any
		text  string
		want  string
	}{
		{0, "5", "5"},
		{0, "five", `"five"`},
		{0, "", `""`},
		{false, "1", "true"},
		{false, "0", "false"},
		{false, "true", "true"},
		{"", "5", `"5"`},
		{"", `a"b`, `"a\"b"`},
		{[]byte{}, "AA==", `"AA=="`},
		{time.Second, "1.5s", `"1.5s"`},
		{new(string), "null", `"null"`},
		{new(int), "7", "7"},
		{[]int{}, "[1,2]", "[1,2]"},
		{map[string]int{}, `{"a":1}`, `{"a":1}`},
		{json.RawMessage{}, "x y", `"x y"`},
		{json.RawMessage{}, "[1", `"[1"`},
	}
	for _, tt := range tests {
		got := AppendText(nil, Of(reflect.TypeOf(tt.value)), []byte(tt.text))
		if string(got) != tt.want {
			t.Errorf("%T from %q: %s, want %s", tt.value, tt.text, got, tt.want)
		}
	}
}
