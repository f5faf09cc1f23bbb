package method

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/anywire/anywire/call"
)

// maxMethodName bounds names so that they fit into every wire and log line.
const maxMethodName = 128

// Registry is the set of methods of one server. It is a call.Dispatcher, safe for concurrent use, and looking up takes no
// lock, except the first time after a change. The zero value is empty and ready.
type Registry struct {
	mu    sync.Mutex
	paths map[string]*Method                 // guarded by mu: by asPath of the name
	table atomic.Pointer[map[string]*Method] // by name, never changed; nil: to be made anew
}

// Add adds m. It panics when the name is not one that all wires can carry, is reserved, or is taken.
func (r *Registry) Add(m *Method) {
	if reserved := strings.HasPrefix(m.name, "rpc.") || m.name == "healthz" || m.name == "readyz"; reserved {
		panic(fmt.Sprintf("anywire: the name %q is reserved for the server itself; choose another", m.name))
	}
	r.AddReserved(m)
}

// AddReserved is Add for the server's own methods: their names may be reserved ones.
func (r *Registry) AddReserved(m *Method) {
	if flaw := nameFlaw(m.name); flaw != "" {
		panic(fmt.Sprintf("anywire: the method name %q %s", m.name, flaw))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	path := asPath(m.name)
	if old := r.paths[path]; old != nil {
		panic(fmt.Sprintf("anywire: the method %q is registered already, as %q; register each once", m.name, old.name))
	}
	if r.paths == nil {
		r.paths = make(map[string]*Method)
	}
	r.paths[path] = m
	r.table.Store(nil)
}

// Find implements call.Dispatcher. It does not allocate, except the first time after a change.
func (r *Registry) Find(name []byte) call.Method {
	table := r.table.Load()
	if table == nil {
		table = r.remake()
	}
	if m := (*table)[string(name)]; m != nil {
		return m
	}
	return nil
}

func (r *Registry) remake() *map[string]*Method {
	r.mu.Lock()
	defer r.mu.Unlock()
	table := make(map[string]*Method, len(r.paths))
	for _, m := range r.paths {
		table[m.name] = m
	}
	r.table.Store(&table)
	return &table
}

// All returns the methods, sorted by name.
func (r *Registry) All() []*Method {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(maps.Values(r.paths), func(a, b *Method) int { return strings.Compare(a.name, b.name) })
}

// asPath returns the form in which names must differ: as a path of HTTP, math.add and math/add are one.
func asPath(name string) string { return strings.ReplaceAll(name, ".", "/") }

// nameFlaw tells what is wrong with a method name, and the cure.
func nameFlaw(name string) string {
	strange := func(c rune) bool {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		return !letter && (c < '0' || c > '9') && !strings.ContainsRune("_-$./", c)
	}
	switch {
	case name == "":
		return "is empty; give one such as math.add"
	case len(name) > maxMethodName:
		return fmt.Sprintf("is longer than %d bytes; shorten it", maxMethodName)
	case strings.ContainsFunc(name, strange):
		return "has characters that some wires cannot carry; take ASCII letters, digits, _ - $ and dots"
	case slices.Contains(strings.Split(asPath(name), "/"), ""):
		return "has an empty segment; put something before, between and after its dots"
	}
	return ""
}
