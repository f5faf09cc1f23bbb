package method

import (
	"bytes"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

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
			if err == nil && !plain && len(body) > 0 && !json.Valid(body) && !isBlank(body) {
				t.Fatalf("%s accepts %q", m.Name(), body)
			}
			if err == nil && name != "" && len(m.Params()) > 0 && find(m, name) < 0 {
				t.Fatalf("%s accepts the unknown %q", m.Name(), name)
			}
		}
	})
}

func find(m *Method, name string) int {
	for i, p := range m.Params() {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// slowly returns m as it is without a record, so that each call takes the long way.
func slowly(m *Method) *Method {
	p := *m.plan.(*funcPlan)
	p.record = nil
	p.frame.pool = &sync.Pool{}
	out := &Method{name: m.name, cfg: m.cfg, params: m.params, result: m.result, plan: &p}
	out.finish(p.context)
	return out
}

// FuzzRecords holds records against the long way: the same results and the same mistakes.
func FuzzRecords(f *testing.F) {
	methods := []*Method{
		New("add", add, Config{Params: []string{"a", "b"}}),
		New("limited", limited, Config{Params: []string{"a", "b", "c"}, Defaults: map[string]any{"b": 5, "c": "2s"}}),
		New("join", join, Config{}),
		New("whole", whole, Config{}),
		New("buy", func(b basket) basket { return b }, Config{}),
		New("span", func(s *span) *span { return s }, Config{}),
		New("raw", func(r json.RawMessage, v any) []any { return []any{r, v} }, Config{RawDepth: 2}),
		New("times", func(t time.Time, d *time.Duration, b []byte, m map[int]*recursive) []any { return []any{t, d, b, m} }, Config{}),
		New("tree", echo[recursive], Config{Params: []string{"tree"}}),
		New("own", func(u upper, c *celsius, a [2]*point, l []map[string]point) []any { return []any{u, c, a, l} }, Config{}),
		New("none", func() {}, Config{}),
	}
	for _, body := range []string{
		``, `null`, `[]`, `{}`, `[1,2]`, `{"a":1,"b":2}`, `["-","a","b"]`, `[1,null]`, `["x",null,null]`, `{"a":"x","b":null,"c":"1s"}`, `[[[1]],[[[1]]]]`,
		`{"id":1,"items":[{"name":"a","price":2,"next":{"name":"b","price":1}}],"by":{"x y":{"name":"ab","price":1}},"place":{"X":1,"Y":2}}`,
		`{"items":[{"name":"ab","price":1,"size":0,"tags":["x"],"color":"red","code":null}],"note":null,"count":null}`,
		`["2026-01-02T03:04:05Z","1s","AA==",{"1":{"value":1,"left":null,"named":{"a":{"value":2}}}}]`, `[null,null,null,null]`,
		`{"tree":{"value":1,"left":{"value":null}}}`, `{"tree":{"value":1,"left":{"value":2,"named":null}}}`, `{"From":2,"To":4,"Inner":null}`,
		`["a","20C",[{"X":1,"Y":2},null],[{"k":{"X":1,"Y":2}}]]`, `[null,null,[null,null],[{"k":null}]]`, `["a","20C",[null],[]]`, `{"\u0061":1,"b":2}`,
	} {
		f.Add([]byte(body))
	}
	slow := make([]*Method, len(methods))
	for i, m := range methods {
		slow[i] = slowly(m)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for i, m := range methods {
			h := &call.Head{Valid: isBlank(body) || json.Valid(body) && utf8.Valid(body) && !bytes.Contains(body, []byte(`\u`))}
			got, want := show(invoke(m, h, string(body))), show(invoke(slow[i], &call.Head{}, string(body)))
			if got != want {
				t.Fatalf("%s(%q)\ngot  %s\nwant %s", m.Name(), body, got, want)
			}
		}
	})
}
