package rest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// target is what a verb and a path stand for.
type target struct {
	method call.Method  // nil: no method answers this verb there
	name   []byte       // canonical, of the method
	params []call.Field // from the path, percent-decoded
	allow  []string     // without a method: the verbs that the path takes; none: the path is no one's
	unsafe bool         // the path names a method, but a safe verb must not call it
}

var (
	verbGet  = []byte("GET")
	safeOnes = []string{"GET", "HEAD"}
)

// find looks first for the method that the path names and then for routes, so that a route with wildcards takes nothing
// from a method.
func (b *binding) find(e *exchange, r *wire.Request) target {
	name, own := b.named(e, r.Path)
	if own != nil && answers(own, r.Verb) {
		return target{method: own, name: name}
	}
	route := b.Router.Match(r.Verb, r.Path, e.params[:0])
	e.params = route.Params
	t := target{name: route.Method, params: route.Params, allow: route.Allow}
	if route.Method != nil {
		t.method = b.Methods.Find(route.Method)
	}
	if t.method != nil && (!isSafe(r.Verb) || t.method.Traits().ReadOnly) {
		return t
	}
	t.unsafe = isSafe(r.Verb) && (t.method != nil || own != nil)
	return t.without(own)
}

// named returns the method whose own path it is, and its name.
func (b *binding) named(e *exchange, path []byte) ([]byte, call.Method) {
	name, ok := appendName(e.mem[:0], path)
	e.mem = name
	if !ok {
		return nil, nil
	}
	name = name[:len(name):len(name)]
	if m := b.Methods.Find(name); m != nil {
		return name, m
	}
	e.mem = append(e.mem, name...)
	slashed := e.mem[len(name):]
	for i, c := range slashed {
		if c == '.' {
			slashed[i] = '/' // a mapper may have named it like its path
		}
	}
	return slashed, b.Methods.Find(slashed)
}

// without returns t as the target of a verb that nothing answers. own may be nil.
func (t target) without(own call.Method) target {
	refused := t.method != nil || own != nil
	t.method = nil
	if own != nil && own.Traits().ReadOnly {
		t.allow = append(slices.Clone(safeOnes), t.allow...)
	}
	if own != nil {
		t.allow = append(t.allow, "POST")
	}
	if refused || len(t.allow) > 0 {
		t.allow = append(t.allow, "OPTIONS")
	}
	return t
}

// answers reports whether m takes the verb at its own path.
func answers(m call.Method, verb []byte) bool {
	return string(verb) == "POST" || isSafe(verb) && m.Traits().ReadOnly
}

// Safe reports whether a pattern is for a safe verb (RFC 9110 section 9.2.1), to which only methods that are read only may
// be bound.
func Safe(pattern string) bool {
	verb, _, _ := strings.Cut(pattern, " ")
	return isSafe([]byte(verb))
}

// isSafe reports whether the verb is one of the safe ones that can call a method.
func isSafe(verb []byte) bool { return string(verb) == "GET" || string(verb) == "HEAD" }

// allowValue joins verbs for the field Allow, each once. GET stands for HEAD as well.
func allowValue(verbs []string) string {
	var once []string
	for _, v := range verbs {
		if !slices.Contains(once, v) {
			once = append(once, v)
		}
		if v == "GET" && !slices.Contains(verbs, "HEAD") {
			once = append(once, "HEAD")
		}
	}
	return strings.Join(once, ", ")
}

// appendName appends the canonical name that a well-formed path stands for: its segments, percent-decoded and joined by
// dots. It reports false for a path that cannot be a method's own: an empty segment, or a dot or slash inside of one,
// which would give a method a second path.
func appendName(dst, path []byte) ([]byte, bool) {
	for len(path) > 0 {
		seg, after := path[1:], []byte(nil)
		if i := bytes.IndexByte(seg, '/'); i >= 0 {
			seg, after = seg[:i], seg[i:]
		}
		start := len(dst)
		dst, _ = appendPercent(dst, seg)
		if len(dst) == start || bytes.ContainsAny(dst[start:], "./") {
			return dst, false
		}
		if path = after; len(path) > 0 {
			dst = append(dst, '.')
		}
	}
	return dst, true
}
