package method

import (
	"context"
	"reflect"
	"testing"

	"github.com/anywire/anywire/call"
)

// TestFramesKeepNothing calls with everything, then with nothing, and looks for what is left of the first call.
func TestFramesKeepNothing(t *testing.T) {
	type all struct {
		A int            `json:"a,omitempty"`
		S string         `json:"s,omitempty"`
		P *int           `json:"p"`
		L []int          `json:"l,omitempty"`
		M map[string]int `json:"m,omitempty"`
	}
	var got any
	m := New("m", func(v all) all { got = v; return v }, Config{})
	for range 100 { // some of them in the same frame
		invoke(m, &call.Head{}, `{"a":1,"s":"secret","p":1,"l":[1,2,3],"m":{"a":1}}`)
		if result := show(invoke(m, &call.Head{}, `{}`)); result != `{"a":0,"p":null}` || !reflect.DeepEqual(got, all{}) {
			t.Fatalf("%s, %+v", result, got)
		}
		invoke(m, &call.Head{}, `{"a":1,"s":"secret","p":1,"l":[1,2,3],"m":{"a":1},"x":1}`) // refused half-way
	}
}

// TestKeptArgumentsStay keeps what functions may keep and calls on.
func TestKeptArgumentsStay(t *testing.T) {
	var pointers []*point
	var lists [][]int
	m := New("m", func(p *point) { pointers = append(pointers, p) }, Config{})
	n := New("m", func(l ...int) { lists = append(lists, l) }, Config{})
	for _, body := range []string{`[1,2]`, `[3,4]`, `[5,6]`} {
		invoke(m, &call.Head{}, body)
		invoke(n, &call.Head{}, body)
	}
	if *pointers[0] != (point{1, 2}) || *pointers[1] != (point{3, 4}) || lists[0][0] != 1 || lists[1][1] != 4 {
		t.Errorf("%v, %v", *pointers[0], lists)
	}
}

// TestInterceptorsKeepFrames shows that what interceptors see is never used again.
func TestInterceptorsKeepFrames(t *testing.T) {
	var kept []call.Values
	see := func(next call.Handler) call.Handler {
		return func(ctx context.Context, c *call.Call) error {
			kept = append(kept, c.Args())
			return next(ctx, c)
		}
	}
	m := New("m", add, Config{Interceptors: []call.Interceptor{see}})
	for _, body := range []string{`[1,2]`, `[3,4]`} {
		invoke(m, &call.Head{}, body)
	}
	if kept[0].Value(0) != int64(1) || kept[1].Value(1) != int64(4) {
		t.Errorf("%v, %v", kept[0].Value(0), kept[1].Value(1))
	}
}

// TestDirectCallers calls each shape of signature and compares with reflection.
func TestDirectCallers(t *testing.T) {
	fail := error(call.NotFound)
	for body, functions := range map[string][]any{
		`[]`: {func() {}, func() int { return 1 }, func() (string, error) { return "a", nil }, func() error { return fail },
			func(context.Context) {}, func(context.Context) bool { return true }, func(context.Context) ([]byte, error) { return nil, fail }},
		`["a"]`: {func(string) {}, func(s string) string { return s }, func(s string) (int, error) { return len(s), nil },
			func(context.Context, string) error { return nil }, func(ctx context.Context, s string) bool { return ctx != nil }},
		`["a",2]`: {func(string, int) {}, func(s string, n int64) string { return s }, func(s string, f float64) (float64, error) { return f, nil },
			func(_ context.Context, s string, n int) (int, error) { return n, nil }},
		`[1,2,3]`: {func(int, int, int) {}, func(a, b, c int64) int64 { return a + 10*b + 100*c },
			func(_ context.Context, a, b, c float64) (float64, error) { return a - b*c, nil }},
	} {
		for _, fn := range functions {
			m := New("m", fn, Config{})
			if m.plan.(*funcPlan).direct == nil {
				t.Errorf("%T is called by reflection", fn)
			}
			got := show(invoke(m, &call.Head{}, body))
			m.plan.(*funcPlan).direct = nil
			if want := show(invoke(m, &call.Head{}, body)); got != want {
				t.Errorf("%T: %s, by reflection %s", fn, got, want)
			}
		}
	}
}
