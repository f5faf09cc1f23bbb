package rest

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
)

func testRouter(patterns ...string) *Router {
	r := new(Router)
	for _, p := range patterns {
		r.Add(p, p)
	}
	return r
}

func TestRouter(t *testing.T) {
	r := testRouter(
		"GET /orders/{id}",
		"GET /orders/new",
		"POST /orders/{order}",
		"GET /orders/{id}/items/{item}",
		"GET /orders/new/items",
		"GET /files/{path...}",
		"GET /files/{name}",
		"GET /files/readme",
		"HEAD /files/readme",
		"BREW /pot",
		"GET /a/{x}/c",
		"GET /{y}/b/d",
		"GET /café",
		"GET /all/{one}/{two}/{three...}",
	)
	for _, test := range []struct{ verb, path, want string }{
		{"GET", "/orders/7", "GET /orders/{id} id=7"},
		{"POST", "/orders/7", "POST /orders/{order} order=7"},
		{"GET", "/orders/new", "GET /orders/new"},
		{"HEAD", "/orders/new", "GET /orders/new"},
		{"POST", "/orders/new", "POST /orders/{order} order=new"},
		{"GET", "/orders/new/items", "GET /orders/new/items"},
		{"GET", "/orders/new/items/3", "GET /orders/{id}/items/{item} id=new item=3"},
		{"GET", "/orders/a%2Fb", "GET /orders/{id} id=a/b"},
		{"GET", "/orders/n%65w", "GET /orders/new"},
		{"GET", "/orders/a+b", "GET /orders/{id} id=a+b"},
		{"GET", "/caf%C3%A9", "GET /café"},
		{"GET", "/files/readme", "GET /files/readme"},
		{"HEAD", "/files/readme", "HEAD /files/readme"},
		{"GET", "/files/other", "GET /files/{name} name=other"},
		{"GET", "/files/a/b%20c/", "GET /files/{path...} path=a/b c/"},
		{"GET", "/files/", "GET /files/{path...} path="},
		{"BREW", "/pot", "BREW /pot"},
		{"GET", "/a/b/d", "GET /{y}/b/d y=a"},
		{"GET", "/a/b/c", "GET /a/{x}/c x=b"},
		{"GET", "/all/1/2/3/4", "GET /all/{one}/{two}/{three...} one=1 two=2 three=3/4"},
		{"DELETE", "/orders/new", "allow [GET POST]"},
		{"PUT", "/files/readme", "allow [GET HEAD]"},
		{"GET", "/pot", "allow [BREW]"},
		{"GET", "/files", ""},
		{"GET", "/orders/", ""},
		{"GET", "/orders/7/", ""},
		{"GET", "/orders//items/1", ""},
		{"GET", "/", ""},
		{"GET", "", ""},
		{"GET", "orders/7", ""},
		{"GET", "/orders/%", ""},
		{"GET", "/Orders/7", ""},
		{"get", "/pot", "allow [BREW]"},
	} {
		if got := showRoute(r.Match([]byte(test.verb), []byte(test.path), nil)); got != test.want {
			t.Errorf("%s %s = %q, want %q", test.verb, test.path, got, test.want)
		}
	}
}

func showRoute(m Route) string {
	if m.Method == nil && m.Allow == nil {
		return ""
	}
	if m.Method == nil {
		return fmt.Sprintf("allow %v", m.Allow)
	}
	s := string(m.Method)
	for _, p := range m.Params {
		s += fmt.Sprintf(" %s=%s", p.Name, p.Value)
	}
	return s
}

func TestRouterRefuses(t *testing.T) {
	for _, test := range []struct{ before, pattern, message string }{
		{"", "/orders", "is no verb"},
		{"", " /orders", "is no verb"},
		{"", "G(T /orders", "is no verb"},
		{"", "GET", "names nothing"},
		{"", "GET orders", "names nothing"},
		{"", "GET /", "names nothing"},
		{"", "GET /a/", "empty"},
		{"", "GET /a//b", "empty"},
		{"", "GET /a{b}", "in part only"},
		{"", "GET /{b}c", "in part only"},
		{"", "GET /a}", "in part only"},
		{"", "GET /{}", "no name"},
		{"", "GET /{...}", "no name"},
		{"", "GET /{a.b}", "no name"},
		{"", "GET /a b", "space"},
		{"", "GET /a%20b", "after decoding"},
		{"", "GET /a?b=c", "after decoding"},
		{"", "GET /{all...}/b", "not the last"},
		{"", "GET /{a}/{a}", `two wildcards are named "a"`},
		{"", "GET " + wildcards(maxWildcards+1), "more than 16"},
		{"GET /a/{x}", "GET /a/{y}", "same verb and paths"},
		{"GET /a", "GET /a", "same verb and paths"},
		{"GET /a/{x...}", "GET /a/{y...}", "same verb and paths"},
	} {
		r := new(Router)
		if test.before != "" {
			r.Add(test.before, "first")
		}
		if got := panicOf(func() { r.Add(test.pattern, "second") }); !strings.Contains(got, test.message) {
			t.Errorf("Add(%q) panics with %q, want %q in it", test.pattern, got, test.message)
		}
	}
}

func wildcards(n int) (path string) {
	for i := range n {
		path += fmt.Sprintf("/{w%d}", i)
	}
	return path
}

func panicOf(f func()) (message string) {
	defer func() { message, _ = recover().(string) }()
	f()
	return ""
}

func TestRouterKeepsOldRoutes(t *testing.T) {
	r := testRouter("GET /a/b")
	old := r.root.Load()
	r.Add("POST /a/b", "post")
	r.Add("GET /a/c", "c")
	s := search{verb: []byte("POST")}
	if s.walk(old, []byte("/a/b")) || s.walk(old, []byte("/a/c")) {
		t.Error("a tree in use was changed")
	}
}

func TestRouterConcurrently(t *testing.T) {
	r := testRouter("GET /fixed/{id}")
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 50 {
				r.Add(fmt.Sprintf("GET /%d/%d", i, j), "m")
				if m := r.Match([]byte("GET"), []byte("/fixed/1"), nil); m.Method == nil {
					t.Error("a route got lost")
				}
			}
		})
	}
	wg.Wait()
	if m := r.Match([]byte("GET"), []byte("/3/49"), nil); m.Method == nil {
		t.Error("a route was not added")
	}
}

func FuzzRouter(f *testing.F) {
	for _, pattern := range []string{"GET /orders/{id}", "GET /{a}/{b...}", "PUT /x/y", "GET /", "POST /{a}b", "{} /{}"} {
		f.Add(pattern, "/orders/a%2Fb")
		f.Add(pattern, "/x/y")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		r := testRouter("GET /orders/new", "PUT /orders/{id}", "GET /orders/{id}/{rest...}")
		if panicOf(func() { r.Add(pattern, pattern) }) != "" {
			return
		}
		verb, _, _ := strings.Cut(pattern, " ")
		m := r.Match([]byte(verb), []byte(path), nil)
		if m.Method == nil {
			return
		}
		if got, want := filled(string(m.Method), m), decodedPath(t, path); got != want {
			t.Errorf("%s with its wildcards filled in is %q, the path is %q", m.Method, got, want)
		}
	})
}

// filled returns the path of a pattern with the wildcards replaced by what they stood for.
func filled(pattern string, m Route) string {
	_, path, _ := strings.Cut(pattern, " ")
	segments := strings.Split(path, "/")
	next := 0
	for i, seg := range segments {
		if strings.HasPrefix(seg, "{") {
			segments[i] = string(m.Params[next].Value)
			next++
		}
	}
	return strings.Join(segments, "/")
}

func decodedPath(t *testing.T, path string) string {
	text, err := url.PathUnescape(path)
	if err != nil {
		t.Fatalf("%q matched, but: %v", path, err)
	}
	return text
}
