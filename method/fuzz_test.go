package method

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
)

func FuzzDecode(f *testing.F) {
	methods := []*Method{
		New("add", add, Config{Params: []string{"a", "b"}}),
		New("join", join, Config{}),
		New("whole", whole, Config{}),
		New("raw", func(json.RawMessage, any) {}, Config{RawDepth: 4}),
		New("times", func(time.Time, *time.Duration, []byte, map[int]*recursive) {}, Config{}),
		New("tree", func(recursive) {}, Config{Params: []string{"tree"}}),
		New("reader", readAll, Config{}),
		NewRaw("sum", rawSum, Config{}),
	}
	for _, body := range []string{
		``, `null`, `[]`, `{}`, `[1,2]`, `{"a":1,"b":2}`, `["-","a","b"]`, `[1,2`, `{"a":1,"a":1}`, `[[[[[[]]]]]]`,
		`{"id":1,"items":[{"name":"a","price":2,"next":{"name":"b","price":1}}],"by":{"x y":{}},"place":{"X":1,"Y":2}}`,
		`["2026-01-02T03:04:05Z","1s","AA==",{"1":{"value":1,"left":null,"named":{"a":{"value":2}}}}]`,
		`{"tree":{"value":1,"left":{"value":null}}}`, `["\ud800"]`, "[\"\xff\"]", `5`, `"a"`, `[1,2]x`, `{"arg1":"AA=="}`, "\x00",
	} {
		f.Add([]byte(body), "a", "1", false)
		f.Add([]byte(body), "id", body, true)
	}
	f.Fuzz(func(t *testing.T, body []byte, name, text string, plain bool) {
		for _, m := range methods {
			h := &call.Head{}
			if name != "" {
				h.Text = fieldsOf(name, text)
			}
			if plain {
				h.Codec = call.Raw
			}
			c := &call.Call{}
			err := m.Decode(c, h, body)
			var public *call.Error
			if err != nil && (!errors.As(err, &public) || public.Code != call.InvalidArgument) {
				t.Fatalf("%s: error %v", m.Name(), err)
			}
			if err == nil && !plain && len(body) > 0 && !json.Valid(body) && !blank(body) {
				t.Fatalf("%s accepts %q", m.Name(), body)
			}
			if err == nil && name != "" && len(m.Params()) > 0 && find(m, name) < 0 {
				t.Fatalf("%s accepts the unknown %q", m.Name(), name)
			}
		}
	})
}

// blank reports whether there is only white space, which stands for no arguments.
func blank(body []byte) bool {
	for _, b := range body {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return false
		}
	}
	return true
}

func find(m *Method, name string) int {
	for i, p := range m.Params() {
		if p.Name == name {
			return i
		}
	}
	return -1
}
