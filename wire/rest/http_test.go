package rest

import (
	"strings"
	"testing"

	"github.com/anywire/anywire/wire"
)

func TestHealth(t *testing.T) {
	c := testConfig()
	ready := true
	c.Ready = func() bool { return ready }
	b := New(c)
	const well = `200 Cache-Control: no-store; Content-Type: application/json {"status":"ok"}`
	for _, line := range []string{"GET /healthz", "HEAD /healthz", "GET /readyz"} {
		if _, _, w := exchanged(t, b, request(line), ""); w.String() != well {
			t.Errorf("%s: %s, want %s", line, w, well)
		}
	}
	ready = false
	if _, _, w := exchanged(t, b, request("GET /healthz"), ""); w.status != 200 {
		t.Errorf("a live server that is not ready: %s", w)
	}
	if _, _, w := exchanged(t, b, request("GET /readyz"), ""); w.status != 503 || !w.has("Cache-Control: no-store") {
		t.Errorf("not ready: %s", w)
	}
	if _, _, w := exchanged(t, b, request("POST /healthz"), ""); w.status != 405 || !w.has("Allow: GET, HEAD, OPTIONS") {
		t.Errorf("POST: %s", w)
	}
	c.Ready = nil
	if _, _, w := exchanged(t, New(c), request("GET /readyz"), ""); w.String() != well {
		t.Errorf("nobody asked whether it is ready: %s", w)
	}
}

func TestHealthOfTheUser(t *testing.T) {
	c := testConfig()
	c.Router.Add("GET /healthz", "math.get")
	if _, f, _ := exchanged(t, New(c), request("GET /healthz"), ""); f.Kind != wire.Open {
		t.Error("a route of that path was not called")
	}
}

func TestFallback(t *testing.T) {
	c := testConfig()
	c.Mounted = func(r *wire.Request) bool { return strings.HasPrefix(string(r.Path), "/debug/") }
	b := Fallback(c)
	if x, verdict := b.Accept(request("GET /debug/pprof"), nil, false); verdict != wire.Leave || x != nil {
		t.Errorf("a mounted path: verdict %d", verdict)
	}
	for _, test := range []struct {
		line   string
		status int
		want   string
	}{
		{"GET /nothing", 404, `"code":"unimplemented"`},
		{"POST /nothing/at%20all", 404, `nothing is at \"/nothing/at%20all\"`},
		{"POST /" + strings.Repeat("x", 1000), 404, strings.Repeat("x", 127) + `\""`},
		{"GET /", 405, "Allow: POST, OPTIONS"},
		{"POST /", 404, ""},
		{"OPTIONS /", 204, "Allow: POST, OPTIONS"},
		{"OPTIONS *", 204, "Allow: POST, OPTIONS"},
	} {
		if _, _, w := exchanged(t, b, request(test.line), ""); w.status != test.status || !strings.Contains(w.String(), test.want) {
			t.Errorf("%s: %s; want %d with %s", test.line, w, test.status, test.want)
		}
	}
}

func TestOptions(t *testing.T) {
	for line, want := range map[string]string{
		"OPTIONS /math/add": "204 Allow: POST, OPTIONS",
		"OPTIONS /math/get": "204 Allow: GET, HEAD, POST, OPTIONS",
		"OPTIONS /orders/7": "204 Allow: GET, HEAD, PUT, OPTIONS",
		"OPTIONS /healthz":  "204 Allow: GET, HEAD, OPTIONS",
	} {
		if _, _, w := exchanged(t, New(testConfig()), request(line), ""); w.String() != want {
			t.Errorf("%s: %s, want %s", line, w, want)
		}
	}
}

func TestCORS(t *testing.T) {
	const page, allow = "https://app.example", "Access-Control-Allow-Origin: https://app.example"
	c := testConfig()
	c.Origins = []string{page}
	b := New(c)
	reply := &wire.Frame{Kind: wire.Reply, ID: callID, Body: []byte("3")}

	x, f, w := exchanged(t, b, request("POST /math/add", "Origin: "+page), "[]")
	if f.Kind != wire.Open {
		t.Fatalf("an allowed origin is refused: %s", w)
	}
	x.Send(reply, w)
	if !w.has(allow) || !w.has("Vary: Origin") {
		t.Errorf("result: %s", w)
	}
	for _, line := range []string{"GET /math/add", "GET /math/get?a=%", "GET /%", "GET /healthz", "PUT /math/add"} {
		if _, _, w := exchanged(t, b, request(line, "Origin: "+page), ""); !w.has(allow) || !w.has("Vary: Origin") {
			t.Errorf("%s: %s", line, w)
		}
	}
	if _, _, w := exchanged(t, Fallback(c), request("GET /nothing", "Origin: "+page), ""); !w.has(allow) {
		t.Errorf("404: %s", w)
	}
	if _, _, w := exchanged(t, b, request("POST /math/add", foreignPage), "[]"); w.status != 415 || w.has(allow) {
		t.Errorf("an origin that is not allowed: %s", w)
	}
	_, _, w = exchanged(t, b, request("OPTIONS /math/add", "Origin: "+page, "Access-Control-Request-Method: POST"), "")
	if w.status != 204 || !w.has(allow) || !w.has("Access-Control-Allow-Methods: POST, OPTIONS") {
		t.Errorf("preflight: %s", w)
	}
}
