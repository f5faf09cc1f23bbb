//go:build !race

package method

// The race detector makes pools forget at random, so what they save is measured without it.

import (
	"context"
	"testing"

	"github.com/anywire/anywire/call"
)

// allocations returns how many a call with body makes, decoded and served.
func allocations(t *testing.T, m *Method, h *call.Head, body string) float64 {
	t.Helper()
	c, raw, ctx := &call.Call{}, []byte(body), context.Background()
	return testing.AllocsPerRun(200, func() {
		if err := m.Decode(c, h, raw); err != nil {
			t.Fatal(err)
		}
		if err := m.Serve(ctx, c); err != nil {
			t.Fatal(err)
		}
		c.Reset()
	})
}

func TestCallsAllocateOnlyValues(t *testing.T) {
	type flat struct {
		A int     `json:"a" min:"0"`
		F float64 `json:"f" default:"1.5"`
		S string  `json:"s"`
	}
	greet := func(name string) string { return name }
	for _, tt := range []struct {
		name string
		m    *Method
		body string
		most float64
	}{
		{"raw", NewRaw("m", rawSum, Config{}), `[2,3]`, 0},
		{"sum by position", New("m", add, Config{}), `[2,3]`, 0},
		{"sum by name", New("m", add, Config{Params: []string{"a", "b"}}), `{"b":3,"a":2}`, 0},
		{"sum with context and error", New("m", func(_ context.Context, a, b int) (int, error) { return a + b, nil }, Config{}), `[2000,3]`, 0},
		{"constraint", New("m", add, Config{Params: []string{"a", "b"}, Constraints: map[string]string{"a": `min:"1"`}}), `[2,3]`, 0},
		{"text", New("m", greet, Config{}), `["some name"]`, 1}, // the text
		{"bytes", New("m", echo[[]byte], Config{}), `["AQIDBAUG"]`, 1},
		{"struct by reflection", New("m", func(v flat) int { return v.A }, Config{}), `{"a":1,"s":"x y z"}`, 4},
		{"struct and nothing back", New("m", func(flat) {}, Config{}), `{"a":1,"s":"x y z"}`, 2},
	} {
		for _, h := range []*call.Head{{}, {Valid: true}} {
			if n := allocations(t, tt.m, h, tt.body); n > tt.most {
				t.Errorf("%s: %v allocations, at most %v", tt.name, n, tt.most)
			}
		}
	}
}
