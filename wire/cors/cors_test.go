package cors

import (
	"fmt"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// request makes a request from "Name: value" lines.
func request(verb string, lines ...string) *wire.Request {
	r := &wire.Request{Verb: []byte(verb), Path: []byte("/")}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Fields = append(r.Fields, call.Field{Name: []byte(name), Value: []byte(value)})
	}
	return r
}

// show renders fields, after the request they came of has been overwritten.
func show(r *wire.Request, fields []call.Field) string {
	for _, f := range r.Fields {
		for i := range f.Value {
			f.Value[i] = '!'
		}
	}
	var lines []string
	for _, f := range fields {
		lines = append(lines, fmt.Sprintf("%s: %s", f.Name, f.Value))
	}
	return strings.Join(lines, "; ")
}

func TestFields(t *testing.T) {
	const page = "Origin: https://a.example"
	for _, test := range []struct {
		name    string
		origin  string
		origins []string
		want    string
	}{
		{"off", page, nil, ""},
		{"all", page, []string{"*"}, "Access-Control-Allow-Origin: *; Vary: Origin"},
		{"all, no page", "", []string{"*"}, "Access-Control-Allow-Origin: *; Vary: Origin"},
		{"listed", page, []string{"https://b.example", "https://a.example"}, "Access-Control-Allow-Origin: https://a.example; Vary: Origin"},
		{"not listed", page, []string{"https://b.example"}, "Vary: Origin"},
		{"other scheme", "Origin: http://a.example", []string{"https://a.example"}, "Vary: Origin"},
		{"longer", "Origin: https://a.example.evil", []string{"https://a.example"}, "Vary: Origin"},
		{"no page", "", []string{"https://a.example"}, "Vary: Origin"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := request("GET", test.origin)
			if got := show(r, Fields(r, test.origins)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestPreflight(t *testing.T) {
	const page, asks = "Origin: https://a.example", "Access-Control-Request-Method: POST"
	origins := []string{"https://a.example"}
	for _, test := range []struct {
		name string
		r    *wire.Request
		want string
	}{
		{"plain", request("OPTIONS", page, asks), "Access-Control-Allow-Origin: https://a.example; Vary: Origin; " +
			"Access-Control-Allow-Methods: GET, POST; Access-Control-Max-Age: 600"},
		{"fields", request("OPTIONS", page, asks, "access-control-request-headers: x-a, x-b"),
			"Access-Control-Allow-Origin: https://a.example; Vary: Origin; Access-Control-Allow-Methods: GET, POST; " +
				"Access-Control-Max-Age: 600; Access-Control-Allow-Headers: x-a, x-b"},
		{"other origin", request("OPTIONS", "Origin: https://b.example", asks), ""},
		{"no origin", request("OPTIONS", asks), ""},
		{"no question", request("OPTIONS", page), ""},
		{"other verb", request("POST", page, asks), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			fields, is := Preflight(test.r, origins, "GET, POST")
			if got := show(test.r, fields); got != test.want || is != (test.want != "") {
				t.Errorf("got %q, %t; want %q", got, is, test.want)
			}
		})
	}
	if _, is := Preflight(request("OPTIONS", page, asks), nil, "GET"); is {
		t.Error("a preflight was granted though CORS is off")
	}
}

func TestForeignOrigin(t *testing.T) {
	const host = "Host: example.com:8080"
	for _, test := range []struct {
		origin  string
		origins []string
		want    bool
	}{
		{"", nil, false},
		{"http://example.com:8080", nil, false},
		{"https://EXAMPLE.com:8080", nil, false},
		{"http://example.com", nil, true},
		{"http://evil.example", nil, true},
		{"http://evil.example", []string{"http://evil.example"}, false},
		{"http://evil.example", []string{"http://good.example"}, true},
		{"http://evil.example", []string{"*"}, false},
		{"null", nil, true},
		{"null", []string{"*"}, false},
		{"example.com:8080", nil, true},
		{"http://", nil, true},
	} {
		r := request("POST", host)
		if test.origin != "" {
			r = request("POST", host, "Origin: "+test.origin)
		}
		if got := ForeignOrigin(r, test.origins); got != test.want {
			t.Errorf("%q allowing %v = %t", test.origin, test.origins, got)
		}
	}
	if !ForeignOrigin(request("POST", "Origin: http://"), nil) {
		t.Error("a request without a host is of the same host as an origin without one")
	}
}

func TestMediaType(t *testing.T) {
	for _, test := range []struct {
		in, want string
		simple   bool
	}{
		{"", "", true},
		{"application/json", "application/json", false},
		{" Text/Plain ; charset=UTF-8", "text/plain", true},
		{"text/plain, application/json", "text/plain, application/json", false},
		{"application/x-www-form-urlencoded", "application/x-www-form-urlencoded", true},
		{"multipart/form-data; boundary=A", "multipart/form-data", true},
	} {
		got := MediaType([]byte(test.in))
		if string(got) != test.want || Simple(got) != test.simple {
			t.Errorf("%q = %q, simple %t; want %q, %t", test.in, got, Simple(got), test.want, test.simple)
		}
	}
}
