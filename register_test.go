package anywire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/anywire/anywire"
)

func registerChannel(n int, c chan int)           {}
func registerTwo(a, b int) int                    { return a - b }
func registerLate(n int, ctx context.Context) int { return n }

//lint:ignore U1000 that is its point
type registerHidden struct{ n int }

// registerPanic returns what f panics with.
func registerPanic(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() {
		v := recover()
		if v == nil {
			t.Error("no panic")
		}
		message = fmt.Sprint(v)
	}()
	f()
	return ""
}

func TestRegisterMistakes(t *testing.T) {
	ab := anywire.Params("a", "b")
	handle := func(name string, f any, opts ...anywire.MethodOption) func(*anywire.Server) {
		return func(s *anywire.Server) { s.Handle(name, f, opts...) }
	}
	tests := []struct {
		name  string
		do    func(*anywire.Server)
		words []string // function, parameter and cure
	}{
		{"nil", handle("m", nil), []string{`"m"`, "nil is no function", "pass the function itself"}},
		{"value", handle("m", registerTwo(1, 2)), []string{`"m"`, "int is no function", "not its result"}},
		{"channel", handle("m", registerChannel, ab), []string{"registerChannel", "parameter b (chan int)", "take a slice"}},
		{"late context", handle("m", registerLate, ab), []string{"registerLate", "parameter b", "make it the first"}},
		{"hidden", handle("m", func(registerHidden) {}), []string{"TestRegisterMistakes", "registerHidden", "export some"}},
		{"too few names", handle("m", registerTwo, anywire.Params("a")), []string{"registerTwo", "1 parameter", "2 parameters", "name each once"}},
		{"same names", handle("m", registerTwo, anywire.Params("a", "a")), []string{"registerTwo", `"a"`, "its own name"}},
		{"odd name", handle("m", registerTwo, anywire.Params("a", "b c")), []string{"registerTwo", `"b c"`, "take letters"}},
		{"unknown default", handle("m", registerTwo, ab, anywire.Default("c", 1)), []string{"registerTwo", `"c"`, "want one of: a, b"}},
		{"wrong default", handle("m", registerTwo, ab, anywire.Default("b", "x")), []string{"registerTwo", "parameter b", "change one of them"}},
		{"two results", handle("m", func() (int, int) { return 1, 2 }), []string{"TestRegisterMistakes", "make it error"}},
		{"empty name", handle("", registerTwo), []string{"is empty", "give one such as"}},
		{"strange name", handle("a b", registerTwo), []string{`"a b"`, "take ASCII letters"}},
		{"empty segment", handle("a..b", registerTwo), []string{`"a..b"`, "empty segment"}},
		{"long name", handle(strings.Repeat("x", 129), registerTwo), []string{"128 bytes", "shorten it"}},
		{"reserved", handle("rpc.mine", registerTwo), []string{`"rpc.mine"`, "reserved", "choose another"}},
		{"health", handle("healthz", registerTwo), []string{`"healthz"`, "reserved"}},
		{"twice", handle("taken", registerTwo), []string{`"taken"`, "registered already", "register each once"}},
		{"twice as a path", handle("math/taken", registerTwo), []string{`"math/taken"`, `"math.taken"`}},
		{"raw nil", func(s *anywire.Server) { s.HandleRaw("m", nil) }, []string{`"m"`, "the function is nil"}},
		{"raw names", func(s *anywire.Server) { s.HandleRaw("m", func(*anywire.CallInfo) {}, ab) }, []string{`"m"`, "drop Params"}},
		{"service nil", func(s *anywire.Server) { s.Service("s", (*registerCounter)(nil)) }, []string{`"s"`, "nil", "pass a value"}},
		{"service untyped nil", func(s *anywire.Server) { s.Service("s", nil) }, []string{`"s"`, "nil", "pass a value"}},
		{"service value", func(s *anywire.Server) { s.Service("s", registerCounter{}) }, []string{`"s"`, "registerCounter", "pass"}},
		{"service empty", func(s *anywire.Server) { s.Service("s", &struct{ X int }{}) }, []string{`"s"`, "no exported method", "capital"}},
		{"route to nobody", func(s *anywire.Server) { s.Route("GET /x", "nosuch") }, []string{`"nosuch"`, "call Handle first"}},
		{"unsafe route", handle("m", registerTwo, anywire.Route("GET /x")), []string{`"GET /x"`, `"m"`, "ReadOnly()", "another verb"}},
		{"unsafe head", handle("m", registerTwo, anywire.Route("HEAD /x")), []string{"ReadOnly()"}},
		{"route twice", handle("m", registerTwo, anywire.Route("PUT /taken/{x}")), []string{`"PUT /taken/{x}"`, "taken"}},
		{"malformed route", handle("m", registerTwo, anywire.Route("PUT x")), []string{`"PUT x"`}},
		{"wildcard of nobody", handle("m", registerTwo, ab, anywire.Route("PUT /x/{c}")), []string{"c", "m"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := anywire.NewServer()
			defer srv.Close()
			srv.Handle("taken", registerTwo, anywire.Params("id", "b"), anywire.Route("PUT /taken/{id}"))
			srv.Handle("math.taken", registerTwo)
			message := registerPanic(t, func() { tt.do(srv) })
			for _, word := range append(tt.words, "anywire") {
				if !strings.Contains(message, word) {
					t.Errorf("%q is not in: %s", word, message)
				}
			}
		})
	}
}

// TestRegisterMistakeLeavesNothing: after a panic that was recovered, the name is still free.
func TestRegisterMistakeLeavesNothing(t *testing.T) {
	srv := anywire.NewServer()
	addr := serve(t, srv)
	registerPanic(t, func() { srv.Handle("m", registerTwo, anywire.Route("GET /m2")) })
	if err := clientDial(t, addr).Call(clientContext(t), "m", []int{1, 2}, nil); !errors.Is(err, anywire.Unimplemented) {
		t.Fatalf("the method is there: %v", err)
	}
	srv.Handle("m", registerTwo)
}

func TestFallbackMistake(t *testing.T) {
	message := registerPanic(t, func() { anywire.NewServer(anywire.Fallback("gopher")) })
	if !strings.Contains(message, `"gopher"`) || !strings.Contains(message, "http1") {
		t.Error(message)
	}
}

// registerCounter counts its calls, to tell one instance from the next.
type registerCounter struct{ n int }

func (c *registerCounter) Count() int { c.n++; return c.n }

func (c *registerCounter) AddTwo(ctx context.Context, a, b int) (int, error) {
	if anywire.CallFrom(ctx) == nil {
		return 0, anywire.Errorf(anywire.Internal, "no call in the context")
	}
	return a + b, nil
}

func (c *registerCounter) HTTPStatus(code struct{ N int }) string { return http.StatusText(code.N) }

//lint:ignore U1000 that is its point
func (c *registerCounter) hidden() {}

func TestService(t *testing.T) {
	srv := anywire.NewServer()
	srv.Service("one", &registerCounter{n: 10})
	srv.Service("fresh", func() *registerCounter { return &registerCounter{n: 20} }, anywire.ReadOnly())
	c := clientDial(t, serve(t, srv))
	for i, tt := range []struct {
		method string
		in     any
		want   any
	}{
		{"one.count", nil, 11.0}, {"one.count", nil, 12.0},
		{"fresh.count", nil, 21.0}, {"fresh.count", nil, 21.0},
		{"one.add_two", []int{1, 2}, 3.0}, {"fresh.add_two", []int{3, 4}, 7.0},
		{"one.http_status", map[string]int{"N": 404}, "Not Found"},
	} {
		if got, err := anywire.Call[any](clientContext(t), c, tt.method, tt.in); got != tt.want || err != nil {
			t.Errorf("%d %s: %v, %v, want %v", i, tt.method, got, err, tt.want)
		}
	}
	clientWant(t, c.Call(clientContext(t), "one.hidden", nil, nil), anywire.Unimplemented)
	message := registerPanic(t, func() { srv.Service("one", &registerCounter{}) })
	if !strings.Contains(message, `"one.add_two"`) || !strings.Contains(message, "registered already") {
		t.Error(message)
	}
}

func TestServiceMapper(t *testing.T) {
	srv := anywire.NewServer(anywire.Mapper(func(prefix, name string) string { return prefix + "/" + strings.ToLower(name) }))
	srv.Service("math", &registerCounter{})
	addr := serve(t, srv)
	c := clientDial(t, addr)
	if n, err := anywire.Call[int](clientContext(t), c, "math/addtwo", []int{1, 2}); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, body := httpDo(t, httpRequest(t, "POST", "http://"+addr+"/math/addtwo", "[1,2]", httpJSON)); body != "3" {
		t.Errorf("REST: %s", body)
	}
}

// registerInput is the parameters of one function.
type registerInput struct {
	Name  string   `json:"name"`
	Count int      `json:"count" default:"2"`
	Tags  []string `json:"tags,omitempty"`
	Note  *string  `json:"note"`
}

func registerParameters() *anywire.Server {
	srv := anywire.NewServer()
	srv.Handle("plain", func(a, b int) string { return fmt.Sprint(a, b) })
	srv.Handle("default", func(a, b int) string { return fmt.Sprint(a, b) }, anywire.Params("a", "b"), anywire.Default("b", 5))
	srv.Handle("variadic", func(sep string, parts ...string) string { return strings.Join(parts, sep) }, anywire.Params("sep", "parts"))
	srv.Handle("struct", func(in registerInput) string {
		return fmt.Sprint(in.Name, in.Count, len(in.Tags), in.Note != nil)
	})
	srv.Handle("pointer", func(in *registerInput) string { return fmt.Sprint(in.Name, in.Count) })
	srv.Handle("one", func(in registerInput) string { return in.Name }, anywire.Params("in"))
	srv.Handle("optional", func(a *int) string { return fmt.Sprint(a == nil) }, anywire.Params("a"))
	srv.HandleRaw("raw", func(c *anywire.CallInfo) {
		c.ReplyString(fmt.Sprint(c.Int64("n", 0), c.String("s", 1), c.Has("x", 2)))
	})
	return srv
}

func TestParameters(t *testing.T) {
	c := clientDial(t, serve(t, registerParameters()))
	tests := []struct{ method, in, want string }{ // want "": refused; the error names what follows
		{"plain", `[1,2]`, "1 2"},
		{"plain", `{"arg2":2,"arg1":1}`, "1 2"},
		{"default", `[1]`, "1 5"},
		{"default", `{"a":1,"b":null}`, "1 5"},
		{"default", `{"b":2,"a":1}`, "1 2"},
		{"variadic", `["-","a","b"]`, "a-b"},
		{"variadic", `["-"]`, ""},
		{"variadic", `{"sep":"+","parts":["a","b"]}`, "a+b"},
		{"struct", `{"name":"x"}`, "x2 0 false"},
		{"struct", `{"name":"x","count":3,"tags":["t"],"note":"n"}`, "x3 1 true"},
		{"struct", `["x",4]`, "x4 0 false"},
		{"pointer", `{"name":"x"}`, "x2"},
		{"one", `{"in":{"name":"x","note":null}}`, "x"},
		{"one", `[{"name":"y","note":null}]`, "y"},
		{"optional", `[]`, "true"},
		{"optional", `[null]`, "true"},
		{"optional", `[1]`, "false"},
		{"raw", `[1,"x"]`, "1xfalse"},
		{"raw", `{"s":"y","n":2,"x":0}`, "2ytrue"},
	}
	for _, tt := range tests {
		if got, err := anywire.Call[string](clientContext(t), c, tt.method, json.RawMessage(tt.in)); got != tt.want || err != nil {
			t.Errorf("%s %s: %q, %v, want %q", tt.method, tt.in, got, err, tt.want)
		}
	}
}

// TestArgumentMistakes wants answers that say where the mistake is.
func TestArgumentMistakes(t *testing.T) {
	c := clientDial(t, serve(t, registerParameters()))
	tests := []struct{ method, in, path string }{
		{"plain", `[1]`, "arg2"},
		{"plain", `[1,"x"]`, "arg2"},
		{"plain", `[1,2,3]`, ""},
		{"plain", `{"arg1":1,"ARG2":2}`, "ARG2"},
		{"plain", `[1,1.5]`, "arg2"},
		{"plain", `[1,null]`, "arg2"},
		{"struct", `{"count":1}`, "name"},
		{"struct", `{"name":"x","tags":["a",2]}`, "tags[1]"},
		{"one", `[{"name":"x","extra":1}]`, "in.extra"},
		{"raw", `["x"]`, "n"},
	}
	for _, tt := range tests {
		err := c.Call(clientContext(t), tt.method, json.RawMessage(tt.in), nil)
		clientWant(t, err, anywire.InvalidArgument)
		if e, ok := err.(*anywire.Error); !ok || !strings.Contains(string(e.Details), fmt.Sprintf(`"path":%q`, tt.path)) {
			t.Errorf("%s %s: %v tells %s, not %q", tt.method, tt.in, err, e.Details, tt.path)
		}
	}
}

// TestHandleWhileServing registers methods and routes while calls go on.
func TestHandleWhileServing(t *testing.T) {
	srv := sumServer()
	addr := serve(t, srv)
	c := clientDial(t, addr)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			if n, err := anywire.Call[int](clientContext(t), c, "sum", []int{1, 2}); n != 3 || err != nil {
				t.Errorf("%d, %v", n, err)
				return
			}
		}
	})
	for i := range 50 {
		name := fmt.Sprintf("late%d", i)
		clientWant(t, c.Call(clientContext(t), name, nil, nil), anywire.Unimplemented)
		srv.Handle(name, func() int { return i }, anywire.ReadOnly(), anywire.Route("GET /late/"+name), anywire.MaxMessage(5<<20+i))
		if n, err := anywire.Call[int](clientContext(t), c, name, nil); n != i || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if i%10 == 0 {
			if _, body := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/late/"+name, "")); body != fmt.Sprint(i) {
				t.Errorf("%s: %s", name, body)
			}
		}
	}
	stop.Store(true)
	wg.Wait()
	srv.Mount("/late/", http.NotFoundHandler())
}

// registerDocument is what matters of an OpenRPC document.
type registerDocument struct {
	OpenRPC string
	Info    struct{ Title, Version string }
	Methods []struct {
		Name, Description, ParamStructure string
		Params                            []struct {
			Name     string
			Required bool
			Schema   json.RawMessage
		}
		Result *struct {
			Name   string
			Schema json.RawMessage
		}
	}
	Components struct{ Schemas map[string]json.RawMessage }
}

func TestDiscover(t *testing.T) {
	srv := registerParameters()
	srv.Handle("described", func(map[string][]registerInput) *registerInput { return nil }, anywire.Doc("Says it."), anywire.Params("m"))
	addr := serve(t, srv)
	raw, err := anywire.Call[json.RawMessage](clientContext(t), clientDial(t, addr), "rpc.discover", nil)
	if err != nil {
		t.Fatal(err)
	}
	var doc registerDocument
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^1\.4\.\d+$`).MatchString(doc.OpenRPC) || doc.Info.Title != "Anywire" || doc.Info.Version != "1.0.0" {
		t.Errorf("openrpc %q, info %+v", doc.OpenRPC, doc.Info)
	}
	want := []string{"default", "described", "one", "optional", "plain", "pointer", "raw", "rpc.discover", "struct", "variadic"}
	var names []string
	for _, m := range doc.Methods {
		names = append(names, m.Name)
		if m.Result == nil || m.Result.Schema == nil || !slices.Contains([]string{"either", "by-name", "by-position"}, m.ParamStructure) {
			t.Errorf("%s: result %v, structure %q", m.Name, m.Result, m.ParamStructure)
		}
		optional := false
		for _, p := range m.Params {
			if p.Name == "" || p.Schema == nil || p.Required && optional {
				t.Errorf("%s: parameter %+v", m.Name, p)
			}
			optional = optional || !p.Required
		}
		if (m.Name == "described") != (m.Description == "Says it.") && m.Name != "rpc.discover" {
			t.Errorf("%s: description %q", m.Name, m.Description)
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("methods %q, want %q", names, want)
	}
	for _, ref := range regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllStringSubmatch(string(raw), -1) {
		name, local := strings.CutPrefix(ref[1], "#/components/schemas/")
		if _, there := doc.Components.Schemas[name]; !local || !there {
			t.Errorf("%s leads nowhere; there are %q", ref[1], slices.Sorted(maps.Keys(doc.Components.Schemas)))
		}
	}
	if _, body := httpDo(t, httpRequest(t, "GET", "http://"+addr+"/rpc/discover", "")); body != string(raw) {
		t.Errorf("REST: %s", body)
	}
	titled := anywire.NewServer(anywire.Title("Shop", "2.1.0"))
	defer titled.Close()
	c := titled.Client()
	defer c.Close()
	raw, err = anywire.Call[json.RawMessage](clientContext(t), c, "rpc.discover", nil)
	if !strings.Contains(string(raw), `"info":{"title":"Shop","version":"2.1.0"}`) {
		t.Errorf("%s, %v", raw, err)
	}
}
