package method

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
)

func rawSum(c *call.Call) { c.ReplyInt64(c.Int64("a", 0) + c.Int64("b", 1)) }

func TestRawCalls(t *testing.T) {
	all := func(c *call.Call) {
		numbers := []any{c.Int64("i", 0), c.Float64("f", 1), c.Bool("b", 2)}
		_ = c.Reply(append(numbers, c.String("s", 3), c.Bytes("d", 4), string(c.Raw("r", 5))))
	}
	limit := func(c *call.Call) {
		n := int64(10)
		if c.Has("limit", 0) {
			n = c.Int64("limit", 0)
		}
		c.ReplyInt64(n)
	}
	tests := []struct {
		name string
		fn   func(*call.Call)
		text []call.Field
		body string
		want string
	}{
		{"positions", rawSum, nil, `[2,3]`, `5`},
		{"names", rawSum, nil, `{"b":3,"a":2}`, `5`},
		{"text", rawSum, fieldsOf("a", "2", "b", "3"), ``, `5`},
		{"text and body", rawSum, fieldsOf("a", "2"), `{"b":3}`, `5`},
		{"twice", rawSum, nil, `{"b":3,"a":2,"b":3}`, refused + "b: came more than once"},
		{"in both", rawSum, fieldsOf("a", "2"), `{"a":2,"b":3}`, refused + "a: came more than once"},
		{"missing", rawSum, nil, `[2]`, refused + "b: missing, want integer"},
		{"none", rawSum, nil, ``, refused + "a: missing, want integer"},
		{"the first failure is told", rawSum, nil, `{"a":"2"}`, refused + `a: want integer, got "2"`},
		{"long values are not repeated", rawSum, nil, `["` + strings.Repeat("x", 99) + `"]`,
			refused + "a: want integer, got something else"},
		{"scalar body", rawSum, nil, `5`, refused + ": want the parameters in an array by position or in an object by name"},
		{"not JSON", rawSum, nil, `[2,3`, refused + ": unexpected end of the value"},
		{"too deep", rawSum, nil, `[2,3,[[[[]]]]]`, refused + ": nested too deeply"},
		{"all kinds", all, nil, `[1,2.5,true,"a\n","AQI=",{"x":[]}]`, `[1,2.5,true,"a\n","AQI=","{\"x\":[]}"]`},
		{"all kinds as text", all, fieldsOf("i", "1", "f", "2", "b", "1", "s", "a", "d", "AQI=", "r", "no JSON"), ``,
			`[1,2,true,"a","AQI=","\"no JSON\""]`},
		{"has", limit, nil, `[5]`, `5`},
		{"has not", limit, nil, `[]`, `10`},
		{"null is nothing", limit, nil, `{"limit":null}`, `10`},
		{"no reply", func(*call.Call) {}, nil, ``, `null`},
		{"the last reply counts", func(c *call.Call) { c.ReplyInt64(1); c.ReplyString("é\"") }, nil, ``, `"é\""`},
		{"bool", func(c *call.Call) { c.ReplyBool(c.Bool("b", 0)) }, nil, `[false]`, `false`},
		{"no bool", func(c *call.Call) { c.ReplyBool(c.Bool("b", 0)) }, nil, `[0]`, refused + "b: want boolean, got 0"},
		{"float", func(c *call.Call) { c.ReplyFloat64(c.Float64("f", 0)) }, nil, `[1.5e300]`, `1.5e+300`},
		{"hex is no text of a float", func(c *call.Call) { c.ReplyFloat64(c.Float64("f", 0)) }, fieldsOf("f", "0x1p4"), ``,
			refused + "f: want number, got 0x1p4"},
		{"NaN", func(c *call.Call) { c.ReplyFloat64(math.NaN()) }, nil, ``, "internal: the result cannot be encoded"},
		{"JSON", func(c *call.Call) { c.ReplyJSON([]byte(`[1]`)) }, nil, ``, `[1]`},
		{"no JSON", func(c *call.Call) { c.ReplyJSON([]byte(`[1`)) }, nil, ``, "internal: the result cannot be encoded"},
		{"no base64", func(c *call.Call) { c.ReplyString(string(c.Bytes("d", 0))) }, nil, `["?"]`, refused + "d: want base64 string"},
		{"not UTF-8", func(c *call.Call) { c.ReplyString(c.String("s", 0)) }, fieldsOf("s", "\xff"), ``,
			refused + "s: want string, got something else"},
		{"failed", func(c *call.Call) { c.Fail(call.NotFound); c.ReplyInt64(1) }, nil, ``, "not_found: not found"},
		{"the first failure wins", func(c *call.Call) { c.Fail(call.Aborted); c.Fail(call.NotFound) }, nil, ``, "aborted: aborted"},
		{"out wins over the reply", func(c *call.Call) { c.ReplyInt64(1); c.Out = 2 }, nil, ``, `2`},
		{"panic", func(*call.Call) { panic("x") }, nil, ``, "unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := NewRaw("test", tt.fn, Config{RawDepth: 4})
			if got := show(invoke(m, &call.Head{Text: tt.text}, tt.body)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestRawCallWithPlainBody(t *testing.T) {
	m := NewRaw("test", func(c *call.Call) { c.ReplyString(c.String("name", 0) + string(c.Bytes("data", 1))) }, Config{})
	h := &call.Head{Codec: call.Raw, Text: fieldsOf("name", "n:")}
	if got := show(invoke(m, h, "\x7f[")); got != "\"n:\x7f[\"" {
		t.Errorf("got %s", got)
	}
}

func TestPooledRawCallsShareNothing(t *testing.T) {
	m := NewRaw("test", func(c *call.Call) { c.ReplyString(c.String("s", 0)) }, Config{})
	c := &call.Call{}
	for i := range 3 {
		body := fmt.Sprintf(`["%s"]`, strings.Repeat("x", 10-3*i))
		if err := m.Decode(c, &call.Head{}, []byte(body)); err != nil {
			t.Fatal(err)
		}
		if err := m.Serve(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		if want := body[1 : len(body)-1]; string(c.Body.B) != want {
			t.Errorf("got %s, want %s", c.Body.B, want)
		}
		c.Reset()
		if c.Body != nil || c.Has("s", 0) || c.Err() != nil {
			t.Error("something is left after Reset")
		}
	}
}

func TestRawSumDoesNotAllocate(t *testing.T) {
	m := NewRaw("sum", rawSum, Config{})
	r := &Registry{}
	r.Add(m)
	c, h, ctx := &call.Call{}, &call.Head{Method: []byte("sum")}, context.Background()
	for _, body := range []string{`[2,3]`, `{"a":2,"b":3}`} {
		params := []byte(body)
		allocs := testing.AllocsPerRun(1000, func() {
			m := r.Find(h.Method)
			if m.Admit(h) != nil || m.Decode(c, h, params) != nil || m.Serve(ctx, c) != nil || string(c.Body.B) != "5" {
				t.Error("the call failed")
			}
			c.Reset()
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations", body, allocs)
		}
	}
}
