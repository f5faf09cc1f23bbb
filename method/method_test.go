package method

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
)

// trace returns an interceptor that notes when it is passed.
func trace(log *[]string, name string) call.Interceptor {
	return func(next call.Handler) call.Handler {
		return func(ctx context.Context, c *call.Call) error {
			*log = append(*log, name+" in")
			err := next(ctx, c)
			*log = append(*log, name+" out")
			return err
		}
	}
}

func TestInterceptorsWrapInOrder(t *testing.T) {
	var log []string
	m := New("m", func() { log = append(log, "function") }, Config{
		Interceptors: []call.Interceptor{trace(&log, "server"), trace(&log, "method")},
	})
	invoke(m, &call.Head{}, "")
	want := []string{"server in", "method in", "function", "method out", "server out"}
	if !slices.Equal(log, want) {
		t.Errorf("order %v", log)
	}
	if !m.Traits().Context {
		t.Error("a method with interceptors gets no context")
	}
}

func TestInterceptorsSeeAndChange(t *testing.T) {
	type in struct {
		*Base
		Word string
	}
	var seen []any
	see := func(next call.Handler) call.Handler {
		return func(ctx context.Context, c *call.Call) error {
			for i := range c.Args().Len() {
				seen = append(seen, c.Args().Name(i), c.Args().Value(i))
			}
			err := next(ctx, c)
			c.Out = []any{c.Out, "changed"}
			return err
		}
	}
	cfg := Config{Interceptors: []call.Interceptor{see}}
	m := New("m", func(n int, s string) int { return n }, cfg)
	if got := show(invoke(m, &call.Head{}, `[1,"x"]`)); got != `[1,"changed"]` {
		t.Errorf("result %s", got)
	}
	invoke(New("m", func(in) {}, Config{Interceptors: cfg.Interceptors, Defaults: map[string]any{"id": 7}}), &call.Head{}, `["x"]`)
	want := []any{"arg1", 1, "arg2", "x"}
	if !slices.Equal(seen[:4], want) {
		t.Errorf("seen %v", seen)
	}
	if got := show(invoke(New("m", func() {}, cfg), &call.Head{}, ``)); got != `[null,"changed"]` {
		t.Errorf("result %s of a method without one", got)
	}
}

type Optional struct {
	ID *int `json:"id"`
}

func TestEmbeddedPointersAreMadeOnlyWhenNeeded(t *testing.T) {
	type in struct {
		*Base
		Word string
	}
	type lazy struct {
		*Optional
		Word string
	}
	m := New("m", func(v lazy) bool { return v.Optional == nil }, Config{Interceptors: []call.Interceptor{
		func(next call.Handler) call.Handler {
			return func(ctx context.Context, c *call.Call) error {
				if v, ok := c.Args().Value(0).(*int); !ok || v != nil {
					t.Errorf("argument id is %v", c.Args().Value(0))
				}
				return next(ctx, c)
			}
		},
	}})
	if got := show(invoke(m, &call.Head{}, `{"Word":"x"}`)); got != "true" {
		t.Errorf("got %s", got)
	}
	m = New("m", func(v in) int { return v.ID }, Config{})
	if got := show(invoke(m, &call.Head{}, `{"Word":"x","id":5}`)); got != "5" {
		t.Errorf("got %s", got)
	}
}

func TestContextReachesTheFunction(t *testing.T) {
	type key struct{}
	m := New("m", func(ctx context.Context, n int) any { return ctx.Value(key{}) }, Config{})
	c := &call.Call{}
	if err := m.Decode(c, &call.Head{}, []byte("[1]")); err != nil {
		t.Fatal(err)
	}
	if err := m.Serve(context.WithValue(context.Background(), key{}, "here"), c); err != nil {
		t.Fatal(err)
	}
	if got := string(c.Body.B); got != `"here"` || !m.Traits().Context {
		t.Errorf("got %s", got)
	}
	if New("m", func() {}, Config{}).Traits().Context {
		t.Error("nobody wants a context")
	}
}

func TestADoneContextRunsNothing(t *testing.T) {
	ran := false
	m := New("m", func() { ran = true }, Config{})
	late, cancel := context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	gone, leave := context.WithCancel(context.Background())
	leave()
	for ctx, want := range map[context.Context]call.Code{late: call.DeadlineExceeded, gone: call.Canceled} {
		c := &call.Call{}
		if err := m.Decode(c, &call.Head{}, nil); err != nil {
			t.Fatal(err)
		}
		if err := m.Serve(ctx, c); !errors.Is(err, want) || ran {
			t.Errorf("error %v, want %v; ran: %v", err, want, ran)
		}
	}
}

func TestReport(t *testing.T) {
	cause := errors.New("secret")
	var reported error
	cfg := Config{Report: func(m *Method, c *call.Call, err error) *call.Error {
		reported = err
		return call.Errorf(call.Internal, "%s failed, see log 7", m.Name())
	}}
	got := show(invoke(New("m", func() (int, error) { return 0, cause }, cfg), &call.Head{}, ""))
	if got != "internal: m failed, see log 7" || reported != cause {
		t.Errorf("sent %s, reported %v", got, reported)
	}

	for name, m := range map[string]*Method{
		"function": New("m", func(int) { panic(call.NotFound) }, cfg),
		"result":   New("m", func(int) explosive { return explosive{} }, cfg),
		"argument": New("m", func(*explosive) {}, cfg),
		"interceptor": New("m", func(int) {}, Config{Report: cfg.Report, Interceptors: []call.Interceptor{
			func(call.Handler) call.Handler { return func(context.Context, *call.Call) error { panic("x") } },
		}}),
	} {
		reported = nil
		got := show(invoke(m, &call.Head{}, "[5]"))
		var p *Panic
		if !errors.As(reported, &p) || len(p.Stack) == 0 || p.Error() == "panic: " || got != "internal: m failed, see log 7" {
			t.Errorf("panic in %s: sent %s, reported %v", name, got, reported)
		}
	}
	if _, err := invoke(New("m", func() error { return cause }, Config{}), &call.Head{}, ""); !errors.Is(err, cause) {
		t.Errorf("the default report lost the cause: %v", err)
	}
}

type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("cannot be written") }
func (*explosive) UnmarshalJSON([]byte) error  { panic("cannot be read") }

func TestReplacedArgumentsAreRefused(t *testing.T) {
	replace := func(next call.Handler) call.Handler {
		return func(ctx context.Context, c *call.Call) error {
			c.In = "something else"
			return next(ctx, c)
		}
	}
	m := New("m", func() {}, Config{Interceptors: []call.Interceptor{replace}})
	if _, err := invoke(m, &call.Head{}, ""); !errors.Is(err, call.Internal) {
		t.Errorf("error %v", err)
	}
}

func TestAdmit(t *testing.T) {
	secret := errors.New("secret")
	hook := func(err error) []call.Admit {
		return []call.Admit{func(*call.Head) error { return nil }, func(*call.Head) error { return err }}
	}
	tests := []struct {
		name string
		cfg  Config
		safe bool
		want string
	}{
		{"nothing to ask", Config{}, false, "<nil>"},
		{"admitted", Config{Admits: hook(nil)}, false, "<nil>"},
		{"refused", Config{Admits: hook(call.Unauthenticated)}, false, "unauthenticated: unauthenticated"},
		{"refused without code", Config{Admits: hook(&call.Error{Message: "no"})}, false, "unknown: no"},
		{"refused privately", Config{Admits: hook(secret)}, false, "permission_denied"},
		{"safe", Config{}, true, "failed_precondition: m cannot be called by a safe verb: it is not registered as ReadOnly()"},
		{"safe, read only", Config{ReadOnly: true}, true, "<nil>"},
		{"panic", Config{Admits: []call.Admit{func(*call.Head) error { panic("x") }}}, false, "unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := New("m", func() {}, tt.cfg).Admit(&call.Head{Safe: tt.safe})
			got := "<nil>"
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestTraits(t *testing.T) {
	cfg := Config{ReadOnly: true, Idempotent: true, Concurrent: true, MaxMessage: 5}
	got := New("m", func() {}, cfg).Traits()
	if got.Name != "m" || !got.ReadOnly || !got.Idempotent || !got.Concurrent || got.MaxMessage != 5 || got.Context {
		t.Errorf("read only %v, idempotent %v, concurrent %v, %+v", got.ReadOnly, got.Idempotent, got.Concurrent, got.MaxMessage)
	}
}

func TestAFailedCallKeepsNoBody(t *testing.T) {
	m := NewRaw("m", func(c *call.Call) {
		c.ReplyInt64(5)
		c.Fail(call.NotFound)
	}, Config{})
	c := &call.Call{}
	if err := m.Decode(c, &call.Head{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := m.Serve(context.Background(), c); !errors.Is(err, call.NotFound) || c.Body != nil {
		t.Errorf("error %v, body %v", err, c.Body)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	body := []byte("{")
	for i := range 1000 {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, `"b":1`...)
	}
	_, err := invoke(New("m", func(int) {}, Config{Params: []string{"a"}}), &call.Head{}, string(append(body, '}')))
	var details struct{ Errors []call.Violation }
	if err == nil || err.Decode(&details) != nil || len(details.Errors) != maxProblems+1 {
		t.Errorf("%d problems are told", len(details.Errors))
	}
	if last := details.Errors[maxProblems]; last.Message != "901 more problems" {
		t.Errorf("the last says %q", last.Message)
	}
}
