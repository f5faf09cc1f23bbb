package json

import (
	"errors"
	"strings"
	"testing"
)

func TestMistakes(t *testing.T) {
	long := strings.Repeat("7", 41)
	for _, c := range []struct{ value, path, message string }{
		{`{"size":300}`, "size", "want integer -128 to 127, got 300"},
		{`{"size":1.5}`, "size", "want integer -128 to 127, got 1.5"},
		{`{"size":"1"}`, "size", "want integer -128 to 127, got string"},
		{`{"size": ` + long + ` }`, "size", "want integer -128 to 127, got number"},
		{`{"count":-1}`, "count", "want integer 0 to 255, got -1"},
		{`{"id":9223372036854775808}`, "id", "want integer -9223372036854775808 to 9223372036854775807, got 9223372036854775808"},
		{`{"id":1e3}`, "id", "want integer, got 1e3"},
		{`{"id":true}`, "id", "want integer, got boolean"},
		{`{"name":5}`, "name", "want string, got number"},
		{`{"name":{"a":1}}`, "name", "want string, got object"},
		{`{"price":[]}`, "price", "want number, got array"},
		{`{"price":1e400}`, "price", "want number, got 1e400"},
		{`{"paid":"true"}`, "paid", "want boolean, got string"},
		{`{"wait":"x"}`, "wait", `want duration such as "1.5s", got string`},
		{`{"wait":5}`, "wait", `want duration such as "1.5s", got number`},
		{`{"at":"today"}`, "at", "want RFC 3339 time, got string"},
		{`{"at":5}`, "at", "want RFC 3339 time, got number"},
		{`{"data":"AQI"}`, "data", "want base64 string, got string"},
		{`{"data":[1]}`, "data", "want base64 string, got array"},
		{`{"key":"AQ=="}`, "key", "want base64 string of 4 bytes, got string"},
		{`{"pair":[1]}`, "pair", "want array of 2 items, got array"},
		{`{"pair":[1,2,3]}`, "pair", "want array of 2 items, got array"},
		{`{"pair":[1,{}]}`, "pair[1]", "want integer, got object"},
		{`{"items":{}}`, "items", "want array, got object"},
		{`{"items":[{"price":1},{},{"price":"x"}]}`, "items[2].price", "want number, got string"},
		{`{"items":[{"price":1}, {"prize":1}]}`, "items[1].prize", "unknown member"},
		{`{"stock":{"x":"y"}}`, "stock.x", "want integer as the name"},
		{`{"stock":{"1":2}}`, "stock.1", "want string, got number"},
		{`{"stock":{"1":"a","1":"b"}}`, "stock.1", "member appears twice"},
		{`{"quoted":5}`, "quoted", "want integer in a string, got 5"},
		{`{"quoted":"x"}`, "quoted", "want integer, got string"},
		{`{"pointer":1}`, "pointer", "want object, got number"},
		{`{"from":"nowhere"}`, "from", "unacceptable string"},
		{`{"from":1}`, "from", "want string, got number"},
		{`{"colour":"blue"}`, "colour", "want red"},
		{`{"unit price":{"texts":["a",1]}}`, `["unit price"].texts[1]`, "want string, got number"},
		{`{"unit price":[]}`, `["unit price"]`, "want object, got array"},
		{`{"any":{"a":[0,{"b":1,"b":2}]}}`, "any.a[1].b", "member appears twice"},
		{`{"raw":{"a":1,"\u0061":2}}`, "raw.a", "member appears twice"},
		{`{"ID":1}`, "ID", "unknown member"},
		{`{"a.b":1}`, `["a.b"]`, "unknown member"},
		{`{"":1}`, `[""]`, "unknown member"},
		{`{"~/\"":1}`, `["~/\""]`, "unknown member"},
		{`{"größe":1}`, "größe", "unknown member"},
		{`{"` + strings.Repeat("é", 100) + `":1}`, strings.Repeat("é", 32) + "…", "unknown member"},
		{`[1]`, "", "want object, got array"},
		{` "x"`, "", "want object, got string"},
		{`{"id":1`, "", "unexpected end of the value"},
		{`{"id":01}`, "", "offset 7: malformed number"},
		{`{"id":"x",01}`, "", "offset 10: want a member name in quotes"},
		{"{\"name\":\"\xff\"}", "", "offset 9: invalid UTF-8"},
		{`{} {}`, "", "offset 3: something follows the value"},
		{strings.Repeat("[", 20_000), "", "nested too deeply"},
	} {
		var v order
		err := Unmarshal([]byte(c.value), &v)
		var m *Mistake
		if !errors.As(err, &m) || *m != (Mistake{c.path, c.message}) {
			t.Errorf("%.60s: %v", c.value, err)
		}
	}
}

func TestMistakeError(t *testing.T) {
	if got := (&Mistake{"a[1]", "unknown member"}).Error(); got != "a[1]: unknown member" {
		t.Error(got)
	}
	if got := (&Mistake{"", "want object, got array"}).Error(); got != "want object, got array" {
		t.Error(got)
	}
}

// TestMistakesNameNoTypes sends each kind of value to each kind of member and looks for Go in what comes back.
func TestMistakesNameNoTypes(t *testing.T) {
	var names []string
	for name := range Members(mustAppend(t, order{Colour: "red"})) {
		names = append(names, string(name))
	}
	for _, name := range names {
		for _, value := range []string{`{"x":1}`, `[{}]`, `"x"`, `true`, `-1.5`, `1e999`} {
			err := Unmarshal([]byte("{"+name+":"+value+"}"), new(order))
			if err == nil {
				continue
			}
			for _, word := range []string{"Go ", "json", "strconv", "time.", "int8", "uint8", "float64", "order", "netip", "struct", "map["} {
				if strings.Contains(err.Error(), word) {
					t.Errorf("%s: %s: %v", name, value, err)
				}
			}
		}
	}
}

func TestUnmarshalIntoNothing(t *testing.T) {
	for _, v := range []any{nil, 5, (*int)(nil), new(chan int), new(error)} {
		var m *Mistake
		if err := Unmarshal([]byte("1"), v); !errors.As(err, &m) {
			t.Errorf("%T: %v", v, err)
		}
	}
}

func TestMistakeOfLongPath(t *testing.T) {
	deep := strings.Repeat(`{"name of some length":`, 500) + `{"a":1,"a":2}` + strings.Repeat("}", 500)
	var v any
	err := Unmarshal([]byte(deep), &v)
	if err == nil || len(err.Error()) > maxPath+200 || !strings.Contains(err.Error(), "…: member appears twice") {
		t.Errorf("%v", err)
	}
}

func mustAppend(t *testing.T, v any) []byte {
	t.Helper()
	value, err := Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// FuzzUnmarshal sends anything to a type with a member of each form: mistakes have words, and what was read can be written.
func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"size":300,"items":[{"price":"x"}],"wait":"1.5s","at":"2026-11-30T12:00:00Z","stock":{"x":1}}`))
	f.Add([]byte(`{"colour":"red","unit price":{"texts":["a"]},"any":{"a":[1,{"b":null}]},"raw":{"a":1}}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		var v order
		err := Unmarshal(value, &v)
		if err == nil {
			return
		}
		var m *Mistake
		if !errors.As(err, &m) || m.Message == "" {
			t.Errorf("%q: %#v", value, err)
		}
		if Valid(AppendString(nil, m.Path), 0) != nil || len(m.Path) > maxPath+2*maxName+20 {
			t.Errorf("%q: path %q", value, m.Path)
		}
	})
}
