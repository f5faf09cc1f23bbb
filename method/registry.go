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
// lock. The zero value is empty and ready.
type Registry struct {
	mu    sync.Mutex // held to change table
	table atomic.Pointer[map[string]*Method]
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
	table := map[string]*Method{}
	if old := r.table.Load(); old != nil {
		table = maps.Clone(*old)
	}
	for name := range table {
		if asPath(name) == asPath(m.name) {
			panic(fmt.Sprintf("anywire: the method %q is registered already, as %q; register each once", m.name, name))
		}
	}
	table[m.name] = m
	r.table.Store(&table)
}

// Find implements call.Dispatcher. It does not allocate.
func (r *Registry) Find(name []byte) call.Method {
	table := r.table.Load()
	if table == nil {
		return nil
	}
	if m := (*table)[string(name)]; m != nil {
		return m
	}
	return nil
}

// All returns the methods, sorted by name.
func (r *Registry) All() []*Method {
	table := r.table.Load()
	if table == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(*table), func(a, b *Method) int { return strings.Compare(a.name, b.name) })
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
