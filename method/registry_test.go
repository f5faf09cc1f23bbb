package method

import (
	"strings"
	"sync"
	"testing"

	"github.com/anywire/anywire/call"
)

func named(name string) *Method { return New(name, func() {}, Config{}) }

func TestRegistry(t *testing.T) {
	var r Registry
	if r.Find([]byte("a")) != nil || r.All() != nil {
		t.Error("the empty registry has methods")
	}
	var wg sync.WaitGroup
	for _, name := range []string{"b", "math.add", "pkg.Service/Method", "$/cancelRequest", "eth_call", "a"} {
		wg.Go(func() { r.Add(named(name)) })
	}
	wg.Wait()
	r.AddReserved(named("rpc.discover"))
	var names []string
	for _, m := range r.All() {
		names = append(names, m.Name())
	}
	if got := strings.Join(names, " "); got != "$/cancelRequest a b eth_call math.add pkg.Service/Method rpc.discover" {
		t.Errorf("methods %s", got)
	}
	if m := r.Find([]byte("math.add")); m == nil || m.Traits().Name != "math.add" {
		t.Error("math.add is not found")
	}
	if m := r.Find([]byte("Math.add")); m != call.Method(nil) {
		t.Error("another case is found")
	}
}

func TestRegistryRefuses(t *testing.T) {
	var r Registry
	r.Add(named("math.add"))
	tests := []struct{ name, want string }{
		{"math.add", "registered already"},
		{"math/add", `registered already, as "math.add"`},
		{"", "is empty"},
		{".a", "empty segment"},
		{"a..b", "empty segment"},
		{"a/", "empty segment"},
		{"a b", "ASCII letters"},
		{"añb", "ASCII letters"},
		{"a?b", "ASCII letters"},
		{strings.Repeat("a", 129), "shorten it"},
		{"rpc.x", "reserved"},
		{"healthz", "reserved"},
		{"readyz", "reserved"},
	}
	for _, tt := range tests {
		message := panicOf(t, func() { r.Add(named(tt.name)) })
		if !strings.HasPrefix(message, "anywire: ") || !strings.Contains(message, tt.want) {
			t.Errorf("%q: %s", tt.name, message)
		}
	}
	if len(r.All()) != 1 {
		t.Error("a refused method was added")
	}
}

func TestFindDoesNotAllocate(t *testing.T) {
	var r Registry
	r.Add(named("math.add"))
	name := []byte("math.add")
	if n := testing.AllocsPerRun(100, func() { r.Find(name) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
