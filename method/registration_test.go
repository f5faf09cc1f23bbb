package method

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/anywire/anywire/call"
)

type (
	hidden   struct{ a int } //lint:ignore U1000 that is its point
	misspelt struct {
		//lint:ignore SA5008 that is its point
		A int `json:"a,omitEmpty"`
	}
	badDefault struct {
		Size int `json:"size" default:"big"`
	}
	opened struct {
		More map[string]int `json:",embed"`
	}
	quoted struct {
		N int `json:"n,string"`
	}
	failure struct{}
)

func (*failure) Error() string { return "failed" }

// Functions with names of their own, so that the table can ask for them.
func takesChannel(n int, c chan int)                     {}
func takesDeep(n int, d map[string][]struct{ F func() }) {}
func takesMisspelt(n int, c misspelt)                    {}
func takesMisspeltFields(misspelt)                       {}

func TestRegistrationPanics(t *testing.T) {
	one := Config{Params: []string{"a"}}
	two := Config{Params: []string{"a", "b"}}
	tests := []struct {
		name string
		fn   any
		cfg  Config
		want []string // in the message: function, parameter, what is wrong, cure
	}{
		{"nil", nil, Config{}, []string{"nil is no function", "pass the function itself"}},
		{"no function", 5, Config{}, []string{"int is no function", "not its result"}},
		{"nil function", (func())(nil), Config{}, []string{"the function is nil", "set it before"}},
		{"channel", takesChannel, Config{},
			[]string{"method.takesChannel)", "parameter arg2 (chan int)", "a channel has no JSON form", "take a slice"}},
		{"named channel", takesChannel, two, []string{"parameter b (chan int)"}},
		{"func", func(func()) {}, one, []string{"method.TestRegistrationPanics", "parameter a (func())", "take the data"}},
		{"stream", func(iter.Seq[int]) {}, one, []string{"parameter a (iter.Seq[int])", "take a slice"}},
		{"complex", func(complex128) {}, one, []string{"parameter a (complex128)", "take two floats"}},
		{"unsafe pointer", func(unsafe.Pointer) {}, one, []string{"parameter a (unsafe.Pointer)", "take the data"}},
		{"map keys", func(map[[1]int]int) {}, one, []string{"parameter a (map[[1]int]int)", "take keys of type string"}},
		{"deep inside", takesDeep, two,
			[]string{"method.takesDeep)", "parameter b", "field [][].F (func())", "take the data"}},
		{"hidden struct", func(int, hidden) {}, two,
			[]string{"parameter b (method.hidden)", "without exported fields", "export some"}},
		{"interface", func(fmt.Stringer) {}, one, []string{"parameter a (fmt.Stringer)", "take the concrete type"}},
		{"late context", func(int, context.Context) {}, two,
			[]string{"parameter b is a context.Context", "make it the first"}},
		{"reader below", func([]io.Reader) {}, one, []string{"parameter a ([]io.Reader)", "take []byte"}},
		{"variadic readers", func(...io.Reader) {}, one, []string{"parameter a ([]io.Reader)", "take []byte"}},
		{"bad tag", takesMisspelt, two,
			[]string{"method.takesMisspelt)", "parameter b (method.misspelt)", "specify `omitempty` instead", "correct the field"}},
		{"bad tag of a parameter", takesMisspeltFields, Config{},
			[]string{"takesMisspeltFields)", "method.misspelt", "specify `omitempty` instead", "correct the field"}},
		{"open fields", func(opened) {}, Config{}, []string{"method.opened", "embedded map", "give the map a name"}},
		{"quoted field", func(quoted) {}, Config{}, []string{"parameter n", "tag option string", "drop it"}},

		{"too few names", func(int, int) {}, one,
			[]string{"Params names 1 parameter, but the function takes 2 parameters", "without the context"}},
		{"too many names", func(context.Context, int) {}, two,
			[]string{"Params names 2 parameters, but the function takes 1 parameter"}},
		{"name twice", func(int, int) {}, Config{Params: []string{"a", "a"}}, []string{`two parameters "a"`, "its own name"}},
		{"empty name", func(int, int) {}, Config{Params: []string{"a", ""}}, []string{`parameter 2 ""`, "take letters"}},
		{"odd name", func(int) {}, Config{Params: []string{"a b"}}, []string{`parameter 1 "a b"`, "take letters"}},

		{"default of nobody", func(int) {}, Config{Params: []string{"a"}, Defaults: map[string]any{"b": 1}},
			[]string{`Defaults has "b"`, "no such parameter", "want one of: a"}},
		{"default does not fit", func(int8) {}, Config{Params: []string{"a"}, Defaults: map[string]any{"a": 300}},
			[]string{"parameter a", "default 300 does not fit int8", "change one of them"}},
		{"default null", func(int8) {}, Config{Params: []string{"a"}, Defaults: map[string]any{"a": nil}},
			[]string{"parameter a", "default null does not fit int8"}},
		{"default without form", func(int8) {}, Config{Params: []string{"a"}, Defaults: map[string]any{"a": make(chan int)}},
			[]string{"parameter a", "has no JSON form", "take one that callers could send"}},
		{"default in a tag", func(badDefault) {}, Config{}, []string{"parameter size", `default "big" does not fit int`}},
		{"default in a tag below", func([]badDefault) {}, one,
			[]string{"parameter a", "field [].size", `default "big" does not fit int`}},

		{"two values", func() (int, int) { return 0, 0 }, Config{}, []string{"second result is int", "make it error"}},
		{"three results", func() (int, int, error) { return 0, 0, nil }, Config{},
			[]string{"3 results", "one value and an error"}},
		{"two errors", func() (error, error) { return nil, nil }, Config{},
			[]string{"its result error is an error", "declare it"}},
		{"own error", func() *failure { return nil }, Config{},
			[]string{"*method.failure is an error", "declare it as error"}},
		{"channel result", func() chan int { return nil }, Config{}, []string{"result chan int", "take a slice"}},
		{"reader result", func() io.Reader { return nil }, Config{}, []string{"result io.Reader", "return []byte"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			message := panicOf(t, func() { New("the.method", tt.fn, tt.cfg) })
			for _, want := range append(tt.want, `anywire: method "the.method"`) {
				if !strings.Contains(message, want) {
					t.Errorf("%q is not in: %s", want, message)
				}
			}
		})
	}
}

func TestRawRegistrationPanics(t *testing.T) {
	message := panicOf(t, func() { NewRaw("m", nil, Config{}) })
	if !strings.Contains(message, "the function is nil") {
		t.Error(message)
	}
	message = panicOf(t, func() { NewRaw("m", func(*call.Call) {}, Config{Params: []string{"a"}}) })
	if !strings.Contains(message, "drop Params and Defaults") {
		t.Error(message)
	}
}

// panicOf returns what f panics with.
func panicOf(t *testing.T, f func()) (message string) {
	t.Helper()
	defer func() { message, _ = recover().(string) }()
	f()
	t.Fatal("no panic")
	return ""
}

type recursive struct {
	Value int                  `json:"value"`
	Left  *recursive           `json:"left"`
	Named map[string]recursive `json:"named,omitempty"`
}

func TestRecursiveTypesAreFine(t *testing.T) {
	m := New("tree", func(r recursive) int { return r.Value }, Config{Params: []string{"r"}})
	got := show(invoke(m, &call.Head{}, `[{"value":1,"left":{"value":2,"left":{}}}]`))
	if want := refused + "r.left.left.value: missing, want integer"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Each level must not be searched anew for its end: this would take minutes.
func TestDeepValuesTakeLinearTime(t *testing.T) {
	const depth = 9000
	body := "[" + strings.Repeat(`{"value":1,"left":`, depth) + `{"value":1,"left":` + strings.Repeat(" ", 4<<20) + "null}" +
		strings.Repeat("}", depth) + "]"
	start := time.Now()
	m := New("tree", func(r recursive) int { return r.Value }, Config{Params: []string{"r"}})
	if got := show(invoke(m, &call.Head{}, body)); got != "1" {
		t.Errorf("got %s", got)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestDescription(t *testing.T) {
	type in struct {
		Query string `json:"query" doc:"what to look for"`
		Limit int    `json:"limit" default:"10"`
	}
	m := New("find", func(context.Context, in) ([]string, error) { return nil, nil }, Config{Doc: "Find finds."})
	params := m.Params()
	if len(params) != 2 || params[0].Name != "query" || !params[0].Required || params[0].Doc != "what to look for" {
		t.Errorf("parameters %+v", params)
	}
	if string(params[1].Default) != "10" || params[1].Required {
		t.Errorf("limit is %+v", params[1])
	}
	if m.Result().String() != "[]string" || m.Name() != "find" || m.Config().RawDepth != 64 {
		t.Errorf("result %v, name %s, depth %d", m.Result(), m.Name(), m.Config().RawDepth)
	}
	d := m.Describe()
	if d.Doc != "Find finds." || len(d.Params) != 2 || d.Result.Kind.String() != "list" {
		t.Errorf("description %+v", d)
	}
	if New("none", func() error { return nil }, Config{}).Result() != nil {
		t.Error("an error counts as a result")
	}
}
