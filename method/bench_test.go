package method

import (
	"context"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
)

type message struct {
	ID      int64    `json:"id"`
	Sender  string   `json:"sender"`
	Urgent  bool     `json:"urgent"`
	Score   float64  `json:"score"`
	Labels  []string `json:"labels"`
	Content string   `json:"content"`
}

func rename(_ context.Context, m message) (message, error) { return m, nil }

func BenchmarkCall(b *testing.B) {
	tests := []struct {
		name string
		m    *Method
		body string
	}{
		{"raw sum", NewRaw("sum", rawSum, Config{}), `[2,3]`},
		{"add by position", New("add", add, Config{}), `[2,3]`},
		{"add by name", New("add", add, Config{Params: []string{"a", "b"}}), `{"a":2,"b":3}`},
		{"add by name, constrained", New("add", add, Config{Params: []string{"a", "b"},
			Constraints: map[string]string{"a": `min:"0" max:"10"`, "b": `min:"0" max:"10"`}}), `{"a":2,"b":3}`},
		{"greet", New("greet", func(name string) string { return name }, Config{}), `["some name"]`},
		{"message", New("rename", rename, Config{}), `{"id":9007199254740991,"sender":"alice@example.com","urgent":true,"score":0.875,` +
			`"labels":["new","starred"],"content":"` + strings.Repeat("All work and no play. ", 20) + `"}`},
		{"nested fields", New("whole", whole, Config{}),
			`{"id":1,"items":[{"name":"a","price":2,"count":3,"next":null}],"place":{"X":1,"Y":2}}`},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			c, h, body, ctx := &call.Call{}, &call.Head{Valid: true}, []byte(tt.body), context.Background()
			b.ReportAllocs()
			for b.Loop() {
				if tt.m.Decode(c, h, body) != nil || tt.m.Serve(ctx, c) != nil {
					b.Fatal("the call failed")
				}
				c.Reset()
			}
		})
	}
}
