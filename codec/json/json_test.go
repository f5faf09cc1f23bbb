package json

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestKind(t *testing.T) {
	for in, want := range map[string]byte{
		"": 0, " ": 0, "{}": '{', "\n[1]": '[', `"a"`: '"', "true": 't', " false": 'f', "null": 'n', "0": '0', "7": '0', "-1.5": '0',
	} {
		if got := Kind([]byte(in)); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestMembers(t *testing.T) {
	for in, want := range map[string][]string{
		`{}`:                                   nil,
		" { } ":                                nil,
		`{"a":1}`:                              {`"a"`, `1`},
		" { \"a\" :\t1\n, \"b\" : [ 2 , 3 ] }": {`"a"`, `1`, `"b"`, `[ 2 , 3 ]`},
		`{"a":{"b":"}"},"a":"\"","":null}`:     {`"a"`, `{"b":"}"}`, `"a"`, `"\""`, `""`, `null`},
		`{"\\":"\\\\","\"":true}`:              {`"\\"`, `"\\\\"`, `"\""`, `true`},
	} {
		var got []string
		for name, value := range Members([]byte(in)) {
			got = append(got, string(name), string(value))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestItems(t *testing.T) {
	for in, want := range map[string][]string{
		`[]`:                      nil,
		" [ ] ":                   nil,
		`[1]`:                     {`1`},
		"[ 1 ,\n\"]\" , [ 2 ] ]":  {`1`, `"]"`, `[ 2 ]`},
		`[{"a":[]},[[]],true,""]`: {`{"a":[]}`, `[[]]`, `true`, `""`},
	} {
		var got []string
		for item := range Items([]byte(in)) {
			got = append(got, string(item))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", in, got)
		}
	}
}

func TestBreakOff(t *testing.T) {
	for name, value := range Members([]byte(`{"a":1,"b":2}`)) {
		if string(name) != `"a"` || string(value) != "1" {
			t.Errorf("%s: %s", name, value)
		}
		break
	}
	for item := range Items([]byte(`[1,2]`)) {
		if string(item) != "1" {
			t.Errorf("%s", item)
		}
		break
	}
}

func TestLooksDoNotAllocate(t *testing.T) {
	object := []byte(`{"jsonrpc":"2.0","meth\u006fd":"sum","params":[23,42.5,true],"id":107}`)
	var dst [64]byte
	if n := testing.AllocsPerRun(100, func() {
		for name, value := range Members(object) {
			if KeyIs(name, "method") {
				AppendUnquoted(dst[:0], value)
			}
			if Kind(value) != '[' {
				continue
			}
			for item := range Items(value) {
				Int64(item)
				Float64(item)
				Bool(item)
			}
		}
		Depth(object)
		AppendStringBytes(dst[:0], object[:20])
		AppendString(dst[:0], "a\nb")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestInvalidIsHarmless looks into what was never checked: nothing sensible comes out, but nothing breaks.
func TestInvalidIsHarmless(t *testing.T) {
	for _, v := range vectors(t) {
		if len(v.text) < 10_000 {
			lookInto(v.text)
		}
	}
}

func lookInto(value []byte) {
	for name, member := range Members(value) {
		KeyIs(name, "a much longer name than those that come")
		KeyIs(name, "")
		AppendUnquoted(nil, name)
		Kind(member)
	}
	for item := range Items(value) {
		AppendUnquoted(nil, item)
		Int64(item)
		Uint64(item)
		Float64(item)
		Bool(item)
	}
	Depth(value)
}

func FuzzMembers(f *testing.F) {
	for _, v := range vectors(f) {
		if len(v.text) < 4096 {
			f.Add(v.text)
		}
	}
	f.Add([]byte(` { "a" : [ 1 , { "b" : "\"" } ] , "\u0061" : { } , "" : -1.5e3 } `))
	f.Fuzz(func(t *testing.T, value []byte) {
		lookInto(value)
		if Valid(value, 0) == nil {
			compareInside(t, value)
		}
	})
}

// compareInside checks our look into an object or array against jsontext's, and goes on inside of each part.
func compareInside(t *testing.T, value []byte) {
	dec := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true))
	open, err := dec.ReadToken()
	if err != nil {
		t.Fatal(err)
	}
	part := func(got []byte) {
		want, err := dec.ReadValue()
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("in %q: got %q, want %q, %v", value, got, want, err)
		}
	}
	switch open.Kind() {
	case '{':
		for name, member := range Members(value) {
			part(name)
			part(member)
			compareInside(t, member)
		}
	case '[':
		for item := range Items(value) {
			part(item)
			compareInside(t, item)
		}
	default:
		return
	}
	if end := dec.PeekKind(); end != open.Kind()+2 { // '[' and ']', '{' and '}' are two apart in ASCII
		t.Fatalf("in %q: more comes: %v", value, end)
	}
}

func TestDeepValuesInLinearTime(t *testing.T) {
	long := `"` + strings.Repeat("x", 1_000_000) + `"`
	value := []byte(strings.Repeat("[", DefaultDepth-1) + `{"a":1,"a":` + long + `}` + strings.Repeat("]", DefaultDepth-1))
	var v any
	if err := Unmarshal(value, &v); err == nil || !strings.HasSuffix(err.Error(), "…: member appears twice") {
		t.Error(err)
	}
}
