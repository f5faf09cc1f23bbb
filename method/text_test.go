package method

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
)

func fieldsOf(pairs ...string) (fields []call.Field) {
	for i := 0; i < len(pairs); i += 2 {
		fields = append(fields, call.Field{Name: []byte(pairs[i]), Value: []byte(pairs[i+1])})
	}
	return fields
}

func TestText(t *testing.T) {
	v := Config{Params: []string{"v"}}
	ab := Config{Params: []string{"a", "b"}}
	b64 := base64.StdEncoding.EncodeToString
	tests := []struct {
		name string
		fn   any
		cfg  Config
		text []call.Field
		body string
		want string
	}{
		{"ints", add, ab, fieldsOf("a", "2", "b", "-3"), ``, `-1`},
		{"beside a body", add, ab, fieldsOf("a", "2"), `{"b":3}`, `5`},
		{"in both", add, ab, fieldsOf("a", "2"), `{"a":1,"b":3}`,
			refused + "a: came more than once: in the path, query or form and in the body"},
		{"in both by position", add, ab, fieldsOf("a", "2"), `[1,3]`,
			refused + "a: came more than once: in the path, query or form and in the body"},
		{"twice", add, ab, fieldsOf("a", "2", "a", "3", "b", "1"), ``, refused + "a: came more than once in the path, query or form"},
		{"unknown", add, ab, fieldsOf("a", "2", "b", "3", "c", "4"), ``, refused + "c: unknown parameter, want one of: a, b"},
		{"no number", add, ab, fieldsOf("a", "two", "b", ""), ``,
			refused + "a: want integer, got string | b: want integer, got string"},
		{"no integer", add, ab, fieldsOf("a", "1.0", "b", "1"), ``, refused + "a: want integer, got 1.0"},
		{"float", echo[float64], v, fieldsOf("v", "1.5e2"), ``, `150`},
		{"NaN", echo[float64], v, fieldsOf("v", "NaN"), ``, refused + "v: want number, got string"},
		{"hex", echo[float64], v, fieldsOf("v", "0x10p1"), ``, refused + "v: want number, got string"},
		{"bool", echo[[]bool], v, fieldsOf("v", "true", "v", "false", "v", "1", "v", "0"), ``, `[true,false,true,false]`},
		{"no bool", echo[bool], v, fieldsOf("v", "yes"), ``, refused + "v: want boolean, got string"},
		{"string", echo[string], v, fieldsOf("v", `"a" 5`), ``, `"\"a\" 5"`},
		{"string that looks like null", echo[*string], v, fieldsOf("v", "null"), ``, `"null"`},
		{"not UTF-8", echo[string], v, fieldsOf("v", "\xff"), ``, refused + "v: want text in UTF-8"},
		{"bytes", echo[[]byte], v, fieldsOf("v", b64([]byte{1, 2})), ``, `"AQI="`},
		{"time", echo[time.Time], v, fieldsOf("v", "2026-01-02T03:04:05Z"), ``, `"2026-01-02T03:04:05Z"`},
		{"duration", echo[time.Duration], v, fieldsOf("v", "2m"), ``, `"120s"`},
		{"own text", func(u upper) string { return string(u) }, v, fieldsOf("v", "ab"), ``, `"AB"`},
		{"pointer", echo[*int], v, fieldsOf("v", "5"), ``, `5`},
		{"slice by repetition", echo[[]int], v, fieldsOf("v", "1", "v", "2"), ``, `[1,2]`},
		{"slice of text", echo[[]string], v, fieldsOf("v", "1"), ``, `["1"]`},
		{"slice in both", echo[[]int], v, fieldsOf("v", "1"), `{"v":[2]}`,
			refused + "v: came more than once: in the path, query or form and in the body"},
		{"variadic", join, Config{Params: []string{"sep", "parts"}}, fieldsOf("parts", "a", "sep", "-", "parts", "b"), ``, `"a-b"`},
		{"variadic in both", join, Config{Params: []string{"sep", "parts"}}, fieldsOf("parts", "a"), `["-","b","c"]`,
			refused + "parts: came more than once: in the path, query or form and in the body"},
		{"any, JSON", echo[any], v, fieldsOf("v", `[1]`), ``, `[1]`},
		{"any, text", echo[any], v, fieldsOf("v", `one two`), ``, `"one two"`},
		{"struct", mixed, ab, fieldsOf("a", `{"X":1,"Y":2}`, "b", "2"), ``, `{"X":2,"Y":4}`},
		{"struct, no JSON", mixed, ab, fieldsOf("a", `{"X":1`, "b", "2"), ``, refused + "a: want object, got string"},
		{"map", echo[map[string]int], v, fieldsOf("v", `{"a":1}`), ``, `{"a":1}`},
		{"raw", echo[json.RawMessage], v, fieldsOf("v", `{"a":1}`), ``, `{"a":1}`},
		{"fields", echo[point], Config{}, fieldsOf("X", "1", "Y", "2"), ``, `{"X":1,"Y":2}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := show(invoke(New("test", tt.fn, tt.cfg), &call.Head{Text: tt.text}, tt.body)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestPlainBody(t *testing.T) {
	named := func(name string, data []byte) string { return name + ":" + string(data) }
	cfg := Config{Params: []string{"name", "data"}}
	tests := []struct {
		name string
		fn   any
		cfg  Config
		text []call.Field
		body string
		want string
	}{
		{"bytes", func(b []byte) string { return string(b) }, Config{}, nil, "\x00[", `"\u0000["`},
		{"bytes, empty", func(b []byte) bool { return b != nil }, Config{}, nil, "", `true`},
		{"reader", readAll, Config{}, nil, "abc", `"abc"`},
		{"string", echo[string], Config{}, nil, "abc", `"abc"`},
		{"string, not UTF-8", echo[string], Config{}, nil, "\xff", refused + "arg1: want text in UTF-8"},
		{"raw", echo[json.RawMessage], Config{}, nil, `[1]`, `[1]`},
		{"raw, no JSON", echo[json.RawMessage], Config{}, nil, `[1`, refused + "arg1: want JSON: unexpected end of the value"},
		{"bytes go before strings", named, cfg, fieldsOf("name", "a"), "b", `"a:b"`},
		{"the rest is missing", named, cfg, nil, "b", refused + "name: missing, want string"},
		{"the bytes came as text", named, cfg, fieldsOf("data", "AQI="), "b", "\"b:\x01\x02\""},
		{"several", func(a, b []byte) int { return 0 }, Config{Params: []string{"a", "b"}}, nil, "b", refused +
			": the body is plain bytes, and several parameters could take them; send JSON, or all but one as text | " +
			"a: missing, want base64 string | b: missing, want base64 string"},
		{"nobody", add, Config{Params: []string{"a", "b"}}, fieldsOf("a", "1", "b", "2"), "b",
			refused + ": the body is plain bytes, and no parameter takes them; send JSON"},
		{"nobody, nothing", add, Config{Params: []string{"a", "b"}}, fieldsOf("a", "1", "b", "2"), "", `3`},
		{"a field", func(p struct {
			Name string
			Data []byte
		}) string {
			return p.Name + string(p.Data)
		}, Config{}, fieldsOf("Name", "n"), "d", `"nd"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &call.Head{Text: tt.text, Codec: call.Raw}
			got := show(invoke(New("test", tt.fn, tt.cfg), h, tt.body))
			if got = strings.NewReplacer(`\u0001`, "\x01", `\u0002`, "\x02").Replace(got); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
