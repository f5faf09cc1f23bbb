package method

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
)

// invoke runs one call and returns its result, or the error as it travels.
func invoke(m *Method, h *call.Head, body string) (string, *call.Error) {
	c := &call.Call{Method: m.Name()}
	defer c.Reset()
	borrowed := []byte(body)
	err := m.Decode(c, h, borrowed)
	for i := range borrowed { // whoever kept a part of it shows it now
		borrowed[i] = '!'
	}
	if err == nil {
		err = m.Serve(context.Background(), c)
	}
	if err != nil {
		return "", err.(*call.Error)
	}
	if c.Body == nil {
		return "null", nil
	}
	return string(c.Body.B), nil
}

// show writes an outcome in one line: the result, or the code and what is wrong at which path.
func show(result string, err *call.Error) string {
	if err == nil {
		return result
	}
	var details struct{ Errors []call.Violation }
	if err.Details != nil {
		if err := err.Decode(&details); err != nil {
			return err.Error()
		}
	}
	out := err.Code.String()
	if details.Errors == nil && err.Message != "" {
		out += ": " + err.Message
	}
	for _, v := range details.Errors {
		out += " | " + v.Path + ": " + v.Message
	}
	return out
}

type point struct {
	X, Y int
}

type item struct {
	Name  string  `json:"name"`
	Price float64 `json:"price"`
	Note  string  `json:"note,omitempty"`
	Count int     `json:"count" default:"1"`
	Next  *item   `json:"next"`
}

type Base struct {
	ID int `json:"id"`
}

type order struct {
	*Base
	Items  []item            `json:"items"`
	By     map[string]item   `json:"by,omitempty"`
	Place  *point            `json:"place"`
	Limit  uint8             `json:"limit" default:"10"`
	Word   string            `json:"word" default:"plain"`
	Secret string            `json:"-"`
	Tags   map[string]string `json:"tags,omitempty"`
}

type upper string

func (u *upper) UnmarshalText(b []byte) error {
	*u = upper(strings.ToUpper(string(b)))
	return nil
}

type celsius float64

func (c *celsius) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.TrimSuffix(strings.Trim(string(b), `"`), "C"), 64)
	*c = celsius(f)
	return err
}

func add(a, b int64) int64                                  { return a + b }
func echo[T any](v T) T                                     { return v }
func join(sep string, parts ...string) string               { return strings.Join(parts, sep) }
func sumAll(n ...int) (total int)                           { return total + fold(n) }
func whole(v order) order                                   { return v }
func origin(p *point) point                                 { return *p }
func search(ctx context.Context, q string, max *int) string { return q + " " + showPointer(max) }
func mixed(p point, scale int) point                        { return point{p.X * scale, p.Y * scale} }
func limited(q string, limit int, after time.Duration) string {
	return q + strconv.Itoa(limit) + after.String()
}

func fold(n []int) (total int) {
	for _, v := range n {
		total += v
	}
	return total
}

func showPointer(p *int) string {
	if p == nil {
		return "nil"
	}
	return strconv.Itoa(*p)
}

func readAll(r io.Reader) (string, error) {
	b, err := io.ReadAll(r)
	return string(b), err
}

// refused begins the outcome of calls with wrong arguments.
const refused = "invalid_argument | "

func TestCalls(t *testing.T) {
	ab := Config{Params: []string{"a", "b"}}
	v := Config{Params: []string{"v"}}
	tests := []struct {
		name string
		fn   any
		cfg  Config
		body string
		want string
	}{
		// By position, by name, none.
		{"positions", add, ab, `[2, 3]`, `5`},
		{"names", add, ab, ` {"b":3,"a":2} `, `5`},
		{"escaped name", add, ab, `{"\u0062":3,"a":2}`, `5`},
		{"unnamed", add, Config{}, `[2,3]`, `5`},
		{"unnamed by their made-up names", add, Config{}, `{"arg1":2,"arg2":3}`, `5`},
		{"no parameters, no body", func() int { return 1 }, Config{}, ``, `1`},
		{"no parameters, null", func() int { return 1 }, Config{}, `null`, `1`},
		{"no parameters, []", func() int { return 1 }, Config{}, `[]`, `1`},
		{"no parameters, {}", func() int { return 1 }, Config{}, `{}`, `1`},
		{"no parameters, one came", func() int { return 1 }, Config{}, `[1]`,
			refused + ": want at most 0 parameters, got 1; there are none"},
		{"scalar body", add, ab, `5`, refused + ": want the parameters in an array by position or in an object by name"},
		{"string body", add, ab, `"a"`, refused + ": want the parameters in an array by position or in an object by name"},
		{"not JSON", add, ab, `[1,`, refused + ": unexpected end of the value"},
		{"something behind it", add, ab, `[1,2] 3`, refused + ": offset 6: something follows the value"},

		// What can be wrong with the set of arguments.
		{"too many", add, ab, `[1,2,3]`, refused + ": want at most 2 parameters, got 3; want one of: a, b"},
		{"too few", add, ab, `[1]`, refused + "b: missing, want integer"},
		{"none", add, ab, ``, refused + "a: missing, want integer | b: missing, want integer"},
		{"unknown", add, ab, `{"a":1,"b":2,"c":3}`, refused + "c: unknown parameter, want one of: a, b"},
		{"other case", add, ab, `{"A":1,"b":2}`, refused + "A: unknown parameter, want one of: a, b | a: missing, want integer"},
		{"twice", add, ab, `{"a":1,"b":2,"a":3}`, refused + "a: came more than once in the body"},
		{"all at once", add, ab, `{"a":"x","c":1,"c":2}`, refused + "c: unknown parameter, want one of: a, b | " +
			"c: unknown parameter, want one of: a, b | a: want integer, got string | b: missing, want integer"},
		{"null for a number", add, ab, `[1,null]`, refused + "b: want integer, got null"},

		// Scalars.
		{"uint8", echo[uint8], v, `[255]`, `255`},
		{"300 into uint8", echo[uint8], v, `[300]`, refused + "v: want integer 0 to 255, got 300"},
		{"-1 into uint8", echo[uint8], v, `[-1]`, refused + "v: want integer 0 to 255, got -1"},
		{"1.5 into int", echo[int], v, `[1.5]`, refused + "v: want integer, got 1.5"},
		{"2.0 into int", echo[int], v, `[2.0]`, refused + "v: want integer, got 2.0"},
		{"string into int", echo[int], v, `["2"]`, refused + "v: want integer, got string"},
		{"int64 limits", echo[[]int64], v, `[[-9223372036854775808,9223372036854775807]]`,
			`[-9223372036854775808,9223372036854775807]`},
		{"past int64", echo[int64], v, `[9223372036854775808]`,
			refused + "v: want integer -9223372036854775808 to 9223372036854775807, got 9223372036854775808"},
		{"uint64 limit", echo[uint64], v, `[18446744073709551615]`, `18446744073709551615`},
		{"float", echo[float64], v, `[1e3]`, `1000`},
		{"past float64", echo[float64], v, `[1e400]`, refused + "v: want number, got 1e400"},
		{"bool", echo[bool], v, `[true]`, `true`},
		{"1 into bool", echo[bool], v, `[1]`, refused + "v: want boolean, got number"},
		{"string", echo[string], v, `["a\u00e9\n"]`, `"aé\n"`},
		{"lone surrogate", echo[string], v, `["\ud800"]`, refused + ": offset 2: first half of a surrogate pair without the second"},

		// Types with a form of their own.
		{"bytes", echo[[]byte], v, `["AQI="]`, `"AQI="`},
		{"not base64", echo[[]byte], v, `["?"]`, refused + "v: want base64 string, got string"},
		{"byte array", echo[[2]byte], v, `["AQI="]`, `"AQI="`},
		{"time", echo[time.Time], v, `["2026-01-02T03:04:05Z"]`, `"2026-01-02T03:04:05Z"`},
		{"no time", echo[time.Time], v, `["today"]`, refused + "v: want RFC 3339 time, got string"},
		{"duration", echo[time.Duration], v, `["1.5s"]`, `"1.5s"`},
		{"own text", func(u upper) string { return string(u) }, v, `["abc"]`, `"ABC"`},
		{"own JSON", func(c celsius) float64 { return float64(c) }, v, `["21.5C"]`, `21.5`},
		{"big", echo[*big.Int], v, `[123456789012345678901234567890]`, `123456789012345678901234567890`},
		{"address", echo[netip.Addr], v, `["::1"]`, `"::1"`},
		{"reader", readAll, v, `["YWJj"]`, `"abc"`},
		{"reader, missing", readAll, v, `[]`, refused + "v: missing, want base64 string"},
		{"reader, not base64", readAll, v, `[5]`, refused + "v: want base64 string, got number"},
		{"raw", echo[json.RawMessage], v, `[ {"a" : [1, 2]} ]`, `{"a":[1,2]}`},
		{"raw at the limit", echo[json.RawMessage], Config{RawDepth: 2}, `[[[]]]`, `[[]]`},
		{"raw too deep", echo[json.RawMessage], Config{RawDepth: 2}, `[[[[]]]]`,
			refused + "arg1: want a value nested at most 2 deep, got 3"},
		{"raw too deep below", echo[map[string]json.RawMessage], Config{RawDepth: 2}, `[{"a b":[[[]]]}]`,
			refused + `arg1["a b"]: want a value nested at most 2 deep, got 3`},
		{"any", echo[any], v, `[{"a":[1,"x",null]}]`, `{"a":[1,"x",null]}`},
		{"any, null", echo[any], v, `[null]`, `null`},

		// Composite types.
		{"slice", echo[[]int], v, `[[1,2]]`, `[1,2]`},
		{"slice, null is empty", echo[[]int], v, `[null]`, `[]`},
		{"slice with null", echo[[]int], v, `[[1,null]]`, refused + "v[1]: want integer, got null"},
		{"slice of pointers", echo[[]*int], v, `[[1,null]]`, `[1,null]`},
		{"slice, wrong item", echo[[]int], v, `[[1,"x"]]`, refused + "v[1]: want integer, got string"},
		{"array", echo[[2]int], v, `[[1,2]]`, `[1,2]`},
		{"array, one short", echo[[2]int], v, `[[1]]`, refused + "v: want array of 2 items, got array"},
		{"map", echo[map[string]int], v, `[{"b":1,"a":2}]`, `{"a":2,"b":1}`},
		{"map by number", echo[map[int]bool], v, `[{"2":true}]`, `{"2":true}`},
		{"map with null", echo[map[string]int], v, `[{"a":null}]`, refused + "v.a: want integer, got null"},
		{"map, twice", echo[map[string]int], v, `[{"a":1,"a":2}]`, refused + "v.a: member appears twice"},
		{"pointer", echo[*int], v, `[5]`, `5`},
		{"pointer, null", echo[*int], v, `[null]`, `null`},
		{"pointer, left out", echo[*int], v, ``, `null`},
		{"optional behind", search, Config{Params: []string{"q", "max"}}, `["x"]`, `"x nil"`},
		{"optional behind, given", search, Config{Params: []string{"q", "max"}}, `{"max":3,"q":"x"}`, `"x 3"`},
		{"struct beside a scalar", mixed, Config{}, `[{"X":1,"Y":2},3]`, `{"X":3,"Y":6}`},
		{"named struct", echo[point], v, `{"v":{"X":1,"Y":2}}`, `{"X":1,"Y":2}`},
		{"struct below, missing and unknown", echo[point], v, `[{"X":1,"y":2}]`,
			refused + "v.y: unknown member, want one of: X, Y | v.Y: missing, want integer"},
		{"structs in a slice", echo[[]point], v, `[[{"X":1,"Y":2},{"X":"a"}]]`,
			refused + "v[1].Y: missing, want integer | v[1].X: want integer, got string"},

		// Variadic.
		{"variadic", join, Config{Params: []string{"sep", "parts"}}, `["-","a","b"]`, `"a-b"`},
		{"variadic, none", join, Config{Params: []string{"sep", "parts"}}, `["-"]`, `""`},
		{"variadic by name", join, Config{Params: []string{"sep", "parts"}}, `{"parts":["a","b"],"sep":"-"}`, `"a-b"`},
		{"variadic, one wrong", join, Config{Params: []string{"sep", "parts"}}, `["-","a",5]`,
			refused + "parts[1]: want string, got number"},
		{"variadic alone", sumAll, Config{}, `[1,2,3]`, `6`},
		{"variadic alone, nothing", sumAll, Config{}, ``, `0`},

		// Fields as parameters.
		{"fields by name", origin, Config{}, `{"X":1,"Y":2}`, `{"X":1,"Y":2}`},
		{"fields by position", echo[point], Config{}, `[1,2]`, `{"X":1,"Y":2}`},
		{"field missing", echo[point], Config{}, `{"X":1}`, refused + "Y: missing, want integer"},
		{"field, one position too many", echo[point], Config{}, `[1,2,3]`,
			refused + ": want at most 2 parameters, got 3; want one of: X, Y"},
		{"defaults at all levels", whole, Config{}, `{"id":1,"items":[{"name":"a","price":2}],"place":null}`,
			`{"id":1,"items":[{"name":"a","price":2,"count":1,"next":null}],"place":null,"limit":10,"word":"plain"}`},
		{"null for a default", whole, Config{}, `{"id":1,"items":[{"name":"a","price":2,"count":null}],"limit":null}`,
			`{"id":1,"items":[{"name":"a","price":2,"count":1,"next":null}],"place":null,"limit":10,"word":"plain"}`},
		{"defaults below pointers and maps", whole, Config{},
			`{"id":1,"items":[],"by":{"k":{"name":"a","price":2,"next":{"name":"b","price":3}}}}`,
			`{"id":1,"items":[],"by":{"k":{"name":"a","price":2,"count":1,"next":{"name":"b","price":3,"count":1,"next":null}}},` +
				`"place":null,"limit":10,"word":"plain"}`},
		{"every problem of a tree", whole, Config{}, `{"items":[{"name":1,"cost":2},{}],"place":{"X":1.5},"limit":300,"Secret":""}`,
			refused + "Secret: unknown parameter, want one of: id, items, by, place, limit, word, tags | id: missing, want integer | " +
				"items[0].cost: unknown member, want one of: name, price, note, count, next | items[0].price: missing, want number | " +
				"items[1].name: missing, want string | items[1].price: missing, want number | " +
				"items[0].name: want string, got number | place.Y: missing, want integer | place.X: want integer, got 1.5 | " +
				"limit: want integer 0 to 255, got 300"},

		// Defaults by option.
		{"defaults", limited, Config{Params: []string{"q", "limit", "after"}, Defaults: map[string]any{"limit": 5, "after": "2s"}},
			`["x"]`, `"x52s"`},
		{"defaults, overridden", limited,
			Config{Params: []string{"q", "limit", "after"}, Defaults: map[string]any{"limit": 5, "after": time.Second}},
			`{"q":"x","limit":7}`, `"x71s"`},
		{"null where a default is", limited,
			Config{Params: []string{"q", "limit", "after"}, Defaults: map[string]any{"limit": 5, "after": time.Second}},
			`["x",null,"3s"]`, `"x53s"`},

		// Results.
		{"no result", func() {}, Config{}, ``, `null`},
		{"nil pointer", func() *point { return nil }, Config{}, ``, `null`},
		{"nil slice", func() []int { return nil }, Config{}, ``, `[]`},
		{"nil map", func() map[string]int { return nil }, Config{}, ``, `{}`},
		{"nil any", func() any { return nil }, Config{}, ``, `null`},
		{"value and no error", func() (int, error) { return 1, nil }, Config{}, ``, `1`},
		{"error wins", func() (int, error) { return 1, call.NotFound }, Config{}, ``, `not_found: not found`},
		{"only an error", func() error { return call.Errorf(call.Aborted, "again") }, Config{}, ``, `aborted: again`},
		{"no code", func() error { return &call.Error{Message: "odd"} }, Config{}, ``, `unknown: odd`},
		{"not for the wire", func() error { return errors.New("secret") }, Config{}, ``, `unknown`},
		{"panic", func() { panic("secret") }, Config{}, ``, `unknown`},
		{"NaN", func() float64 { return nan() }, Config{}, ``, `internal: the result cannot be encoded`},
		{"channel in any", func() any { return make(chan int) }, Config{}, ``, `internal: the result cannot be encoded`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := show(invoke(New("test", tt.fn, tt.cfg), &call.Head{}, tt.body))
			if got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", tt.body, got, tt.want)
			}
		})
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}
