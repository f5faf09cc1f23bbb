package method

import (
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
)

type counter struct{ n int }

func (c *counter) Add(n int) int           { c.n += n; return c.n }
func (c *counter) Join(s ...string) string { return strings.Join(s, "+") }
func (c *counter) hidden()                 {}

type constant int

func (c constant) Value() int { return int(c) }

type half int

func (half) Get() int { return 0 }
func (*half) Set(int) {}

type nothing struct{}

func (*nothing) hidden() {}

type adder interface{ Add(n int) int }

func callBound(b Bound, body string) string {
	return show(invoke(New(b.Name, b.Fn, Config{}), &call.Head{}, body))
}

func TestService(t *testing.T) {
	shared := Service("math", &counter{}, nil)
	if len(shared) != 2 || shared[0].Name != "math.add" || shared[0].GoName != "Add" || shared[1].Name != "math.join" {
		t.Fatalf("methods %v", shared)
	}
	callBound(shared[0], "[2]")
	if got := callBound(shared[0], "[3]"); got != "5" {
		t.Errorf("two calls on one value give %s", got)
	}
	if got := callBound(shared[1], `["a","b"]`); got != `"a+b"` {
		t.Errorf("variadic gives %s", got)
	}

	colons := func(prefix, name string) string { return prefix + ":" + name }
	fresh := Service("math", func() *counter { return &counter{n: 1} }, colons)
	if fresh[0].Name != "math:Add" {
		t.Errorf("the mapper is not asked: %s", fresh[0].Name)
	}
	callBound(fresh[0], "[2]")
	if got := callBound(fresh[0], "[3]"); got != "4" {
		t.Errorf("a fresh value for each call gives %s", got)
	}
	if got := callBound(fresh[1], `["a","b"]`); got != `"a+b"` {
		t.Errorf("variadic on a fresh value gives %s", got)
	}

	if got := callBound(Service("", constant(7), nil)[0], ""); got != "7" {
		t.Errorf("a value gives %s", got)
	}
	viaInterface := Service("", func() adder { return &counter{} }, nil)
	if got := callBound(viaInterface[0], "[3]"); got != "3" || len(viaInterface) != 1 {
		t.Errorf("an interface gives %s", got)
	}
}

func TestServiceRefuses(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"nil", nil, "is nil"},
		{"nil pointer", (*counter)(nil), "is nil"},
		{"nil func", (func() *counter)(nil), "is nil"},
		{"no exported method", &nothing{}, "*method.nothing has no exported method; start their names with a capital letter"},
		{"methods of the pointer alone", counter{}, "method.counter has no exported method; those of its pointer"},
		{"some of the pointer alone", half(0), "some methods belong to *method.half; pass a pointer"},
		{"a func that takes something", func(int) *counter { return nil }, "has no exported method"},
	}
	for _, tt := range tests {
		message := panicOf(t, func() { Service("s", tt.value, nil) })
		if !strings.HasPrefix(message, `anywire: service "s"`) || !strings.Contains(message, tt.want) {
			t.Errorf("%s: %s", tt.name, message)
		}
	}
	_ = (&nothing{}).hidden
	_ = (&counter{}).hidden
}

func TestSnakeCase(t *testing.T) {
	tests := []struct{ prefix, name, want string }{
		{"math", "AddTwo", "math.add_two"},
		{"", "Add", "add"},
		{"", "ABCXyz", "abc_xyz"},
		{"", "UserID", "user_id"},
		{"", "HTTPServer2", "http_server2"},
		{"", "Sha256Sum", "sha256_sum"},
		{"", "Get_It", "get_it"},
		{"", "ÄndereÖl", "ändere_öl"},
		{"", "A", "a"},
	}
	for _, tt := range tests {
		if got := SnakeCase(tt.prefix, tt.name); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.prefix, tt.name, got, tt.want)
		}
	}
}
