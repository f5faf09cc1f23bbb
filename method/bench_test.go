package method

import (
	"context"
	"testing"

	"github.com/anywire/anywire/call"
)

func BenchmarkCall(b *testing.B) {
	tests := []struct {
		name string
		m    *Method
		body string
	}{
		{"raw sum", NewRaw("sum", rawSum, Config{}), `[2,3]`},
		{"add by position", New("add", add, Config{}), `[2,3]`},
		{"add by name", New("add", add, Config{Params: []string{"a", "b"}}), `{"a":2,"b":3}`},
		{"nested fields", New("whole", whole, Config{}),
			`{"id":1,"items":[{"name":"a","price":2,"count":3,"next":null}],"place":{"X":1,"Y":2}}`},
	}
	for _, tt := range tests {
		b.Run(tt.name, func(b *testing.B) {
			c, h, body, ctx := &call.Call{}, &call.Head{}, []byte(tt.body), context.Background()
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
