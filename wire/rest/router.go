package rest

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/anywire/anywire/call"
)

// Router maps verbs and paths to methods, beside the path that every method has by its name. The zero Router is empty and
// ready. It is safe for concurrent use: Add makes a new tree and Match sees the old one or the new one.
type Router struct {
	mu   sync.Mutex // serializes Add
	root atomic.Pointer[node]
}

// Route is what Match found.
type Route struct {
	// Method is the canonical name of the method to call; nil: no route has both the verb and the path.
	Method []byte
	// Params are the texts that the wildcards stood for, percent-decoded. They may point into the path.
	Params []call.Field
	// Allow lists, when Method is nil, the verbs that routes have for the path.
	Allow []string
}

// Add adds a route to the method of that canonical name. A pattern is a verb, a space and a path whose segments are
// literals, written as they are after percent-decoding, or wildcards: {name} stands for one segment that is not empty,
// {name...} at the end for all that follows.
//
// Where several routes fit a path, a literal is preferred to {name} and {name} to {name...}, from left to right. Routes
// for GET answer HEAD as well, unless there is one for HEAD. Add panics when pattern is malformed or there is a route
// for the same verb and the same paths.
func (r *Router) Add(pattern, method string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	root, _, err := r.with(pattern, method)
	if err != nil {
		panic(fmt.Sprintf("anywire: route %q: %v", pattern, err))
	}
	r.root.Store(root)
}

// Check returns the names of the wildcards in pattern, or why Add would panic.
func (r *Router) Check(pattern string) (wildcards []string, err error) {
	_, p, err := r.with(pattern, "")
	for _, name := range p.names() {
		wildcards = append(wildcards, string(name))
	}
	return wildcards, err
}

// with returns the tree with one more route.
func (r *Router) with(text, method string) (*node, pattern, error) {
	p, err := parsePattern(text)
	if err != nil {
		return nil, p, err
	}
	root, err := r.root.Load().add(p.segments, leaf{p.verb, []byte(method), p.names()})
	return root, p, err
}

// Match finds the route for a verb and a path as sent, without the query. Params are appended to params. Without a route
// for the path it returns the zero Route and allocates nothing.
func (r *Router) Match(verb, path []byte, params []call.Field) Route {
	root := r.root.Load()
	if root == nil || len(path) == 0 || path[0] != '/' || !wellFormed(path) {
		return Route{}
	}
	s := search{verb: verb}
	if !s.walk(root, path) {
		return Route{Allow: s.allow}
	}
	for i, name := range s.found.names {
		params = append(params, call.Field{Name: name, Value: decoded(s.values[i])})
	}
	return Route{Method: s.found.method, Params: params}
}

// search is one walk through the tree. It turns back where a preferred branch proves a dead end; since each node stands
// for one way of reading the path, none is visited twice.
type search struct {
	verb   []byte
	values [maxWildcards][]byte // what the wildcards passed so far stand for, as sent
	n      int
	found  *leaf
	allow  []string // verbs met at the ends of matching paths
}

// walk looks below n for the rest of a path, which is empty or begins with a slash.
func (s *search) walk(n *node, path []byte) bool {
	if len(path) == 0 {
		return s.end(n)
	}
	seg, after := path[1:], []byte(nil)
	if i := bytes.IndexByte(seg, '/'); i >= 0 {
		seg, after = seg[:i], seg[i:]
	}
	if len(seg) > 0 {
		if next := n.literal(seg); next != nil && s.walk(next, after) {
			return true
		}
		if n.one != nil && s.through(n.one, seg, after) {
			return true
		}
	}
	return n.rest != nil && s.through(n.rest, path[1:], nil)
}

// through goes on at next with a wildcard standing for value.
func (s *search) through(next *node, value, after []byte) bool {
	s.values[s.n] = value
	s.n++
	if s.walk(next, after) {
		return true
	}
	s.n--
	return false
}

// end takes the route for the verb out of those that end at n.
func (s *search) end(n *node) bool {
	s.found = n.leaf(s.verb)
	if s.found == nil && string(s.verb) == "HEAD" {
		s.found = n.leaf(verbGet)
	}
	if s.found != nil {
		return true
	}
	for i := range n.leaves {
		if verb := n.leaves[i].verb; !slices.Contains(s.allow, verb) {
			s.allow = append(s.allow, verb)
		}
	}
	return false
}

// decoded returns a well-formed value percent-decoded: itself where nothing is encoded.
func decoded(value []byte) []byte {
	if bytes.IndexByte(value, '%') < 0 {
		return value
	}
	text, _ := appendPercent(make([]byte, 0, len(value)), value)
	return text
}
