package rest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

const (
	typeIsJSON  = "Content-Type: application/json"
	typeIsForm  = "Content-Type: application/x-www-form-urlencoded"
	foreignPage = "Origin: https://evil.example"
)

func TestCalls(t *testing.T) {
	b := New(testConfig())
	for _, test := range []struct {
		name, line string
		fields     []string
		body, want string
	}{
		{"object", "POST /math/add", []string{typeIsJSON}, `{"a":1}`, `math.add {"a":1}`},
		{"array", "POST /math/add", []string{typeIsJSON}, `[1,2]`, `math.add [1,2]`},
		{"no body", "POST /ping", nil, "", "ping"},
		{"no type", "POST /math/add", nil, `[1]`, `math.add [1]`},
		{"text", "POST /math/add", []string{"content-type: TEXT/Plain ; charset=\"UTF-8\""}, `[1]`, `math.add [1]`},
		{"text/json", "POST /math/add", []string{"Content-Type: text/json;charset=utf-8"}, `[1]`, `math.add [1]`},
		{"+json", "POST /math/add", []string{"Content-Type: application/x.y+json"}, `[1]`, `math.add [1]`},
		{"form", "POST /math/add", []string{typeIsForm}, "a=1&b=x+y", "math.add a=1 b=x y"},
		{"query", "POST /math/add?c=3", []string{typeIsJSON}, `{"a":1}`, `math.add c=3 {"a":1}`},
		{"form and query", "POST /math/add?c=3", []string{typeIsForm}, "a=1", "math.add c=3 a=1"},
		{"bytes", "POST /math/add", []string{"Content-Type: application/octet-stream"}, "\x00\xff", "math.add raw \x00\xff"},
		{"image", "POST /math/add?w=3", []string{"Content-Type: image/png"}, "PNG", "math.add raw w=3 PNG"},
		{"xml", "POST /math/add", []string{"Content-Type: application/xml; charset=latin1"}, "<a/>", "math.add raw <a/>"},
		{"GET", "GET /math/get?a=1&b=%41+B", nil, "", "math.get safe a=1 b=A B"},
		{"HEAD", "HEAD /math/get", nil, "", "math.get safe"},
		{"GET with a type", "GET /math/get", []string{"Content-Type: multipart/form-data"}, "", "math.get safe"},
		{"GET of a foreign page", "GET /math/get", []string{foreignPage}, "", "math.get safe"},
		{"POST reads", "POST /math/get", nil, "[1]", "math.get [1]"},
		{"percent in path", "POST /m%61th/a%64d", nil, "", "math.add"},
		{"not ASCII", "POST /caf%C3%A9/%C3%B6ffnen", nil, "", "café.öffnen"},
		{"timeout", "POST /ping", []string{"request-timeout: 2.5"}, "", "ping 2.5s"},
		{"route", "GET /orders/a%20b?full=1", nil, "", "orders.get safe id=a b full=1"},
		{"route, HEAD", "HEAD /orders/7", nil, "", "orders.get safe id=7"},
		{"route with body", "PUT /orders/7", []string{typeIsJSON}, `{"n":1}`, `orders.put id=7 {"n":1}`},
		{"method before route", "GET /orders/get", nil, "", "orders.get safe"},
		{"name before wildcard", "POST /math/add", nil, "", "math.add"},
		{"wildcard", "POST /other/add", nil, "", "ping any=other"},
		{"own host", "POST /ping", []string{typeIsForm, "Origin: https://example.com"}, "", "ping"},
		{"foreign but asked", "POST /ping", []string{typeIsJSON, foreignPage}, "[]", "ping []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, f, w := exchanged(t, b, request(test.line, test.fields...), test.body)
			if f.Kind != wire.Open {
				t.Fatalf("answered %s", w)
			}
			if got := show(f); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			if f.ID != callID || !f.End || f.Head.Wire != "rest" {
				t.Errorf("frame: ID %d, End %t, wire %q", f.ID, f.End, f.Head.Wire)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	b := New(testConfig())
	for _, test := range []struct {
		name, line string
		fields     []string
		body       string
		status     int
		want       string // in the response
	}{
		{"GET changes", "GET /math/add", nil, "", 405, "ReadOnly()"},
		{"GET changes: Allow", "GET /math/add", nil, "", 405, "Allow: POST, OPTIONS {"},
		{"HEAD changes", "HEAD /math/add", nil, "", 405, "use POST"},
		{"PUT on a reader", "PUT /math/get", nil, "", 405, "Allow: GET, HEAD, POST, OPTIONS {"},
		{"routes' verbs", "DELETE /orders/7", nil, "", 405, "Allow: GET, HEAD, PUT, OPTIONS {"},
		{"method and route", "PATCH /orders/put", nil, "", 405, "Allow: GET, HEAD, PUT, POST, OPTIONS {"},
		{"unsafe route", "GET /unsafe/1", nil, "", 405, "ReadOnly()"},
		{"bad path", "GET /math/%zz", nil, "", 400, "percent"},
		{"bad path elsewhere", "GET /%", nil, "", 400, "percent"},
		{"bad query", "GET /math/get?a=%", nil, "", 400, "the query"},
		{"bad form", "POST /math/add", []string{typeIsForm}, "a=%4", 400, "the form"},
		{"query not UTF-8", "GET /math/get?a=%ff", nil, "", 400, "UTF-8"},
		{"form not UTF-8", "POST /math/add", []string{typeIsForm}, "%ff=1", 400, "UTF-8"},
		{"path not UTF-8", "GET /orders/%ff", nil, "", 400, "UTF-8"},
		{"GET with body", "GET /math/get", nil, "x", 400, "body"},
		{"multipart", "POST /math/add", []string{"Content-Type: multipart/form-data; boundary=x"}, "", 415, "application/json"},
		{"html", "POST /math/add", []string{"Content-Type: text/html"}, "", 415, "text/html"},
		{"no media type", "POST /math/add", []string{"Content-Type: application/"}, "", 415, "application/json"},
		{"charset", "POST /math/add", []string{typeIsJSON + "; charset=latin1"}, "", 415, "UTF-8"},
		{"form charset", "POST /math/add", []string{typeIsForm + "; x=y ; Charset=utf-16"}, "", 415, "UTF-8"},
		{"foreign text", "POST /math/add", []string{"Content-Type: text/plain", foreignPage}, "[]", 415, "allowed origins"},
		{"foreign, no type", "POST /math/add", []string{foreignPage}, "[]", 415, "application/json"},
		{"foreign form", "POST /math/add", []string{typeIsForm, foreignPage}, "a=1", 403, "permission_denied"},
		{"opaque origin", "POST /math/add", []string{typeIsForm, "Origin: null"}, "a=1", 403, "another origin"},
		{"timeout", "POST /ping", []string{"Request-Timeout: soon"}, "", 400, "Request-Timeout"},
		{"too large", "POST /small", nil, "123456789", 413, "larger than 8 bytes"},
		{"too large: code", "POST /small", nil, "123456789", 413, "resource_exhausted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			x, f, w := exchanged(t, b, request(test.line, test.fields...), test.body)
			if f.Kind != wire.None {
				t.Fatalf("called %s", show(f))
			}
			if w.status != test.status || !strings.Contains(w.String(), test.want) {
				t.Errorf("got  %s\nwant %d with %q", w, test.status, test.want)
			}
			if !w.has("Content-Type: application/problem+json") {
				t.Errorf("no problem document: %s", w)
			}
			more := new(recorder)
			if n, _, err := x.Recv([]byte("rest"), true, more, f); n != 4 || err != nil || more.ended {
				t.Errorf("the rest of the body: %d, %v, answered again: %t", n, err, more.ended)
			}
		})
	}
}

func TestLeavesToOthers(t *testing.T) {
	b := New(testConfig())
	for _, line := range []string{
		"POST /", "GET /", "OPTIONS *", "POST ", "POST /math", "POST /math/add/", "POST //math/add", "POST /math//add",
		"POST /math.add", "POST /math%2Fadd", "POST /math%2Eadd", "POST /Math/Add", "POST /gone", "OPTIONS /nothing",
	} {
		if _, verdict := b.Accept(request(line), nil, false); verdict != wire.No {
			t.Errorf("%s: verdict %d, want No", line, verdict)
		}
	}
}

func TestWithoutRouter(t *testing.T) {
	c := testConfig()
	c.Router = nil
	_, f, _ := exchanged(t, New(c), request("POST /math/add"), "[]")
	if f.Kind != wire.Open {
		t.Error("the method was not called")
	}
}

func TestSizeAnnounced(t *testing.T) {
	b := New(testConfig())
	for _, test := range []struct {
		line   string
		size   int64
		status int
	}{
		{"POST /small", 8, 0},
		{"POST /small", 9, http.StatusRequestEntityTooLarge},
		{"POST /math/add", 4 << 20, 0},
		{"POST /math/add", 4<<20 + 1, http.StatusRequestEntityTooLarge},
		{"GET /math/get", 0, 0},
		{"GET /math/get", 1, http.StatusBadRequest},
	} {
		r := request(test.line)
		r.Size = test.size
		x, _ := b.Accept(r, nil, false)
		w := new(recorder)
		_, want, _ := x.Recv(nil, test.size == 0, w, new(wire.Frame))
		if w.status != test.status || test.status == 0 && want != int(test.size) {
			t.Errorf("%s with %d bytes: status %d, want %d bytes", test.line, test.size, w.status, want)
		}
	}
}

// TestBodyByByte gives the body in all pieces that there are: no call may begin before its end.
func TestBodyByByte(t *testing.T) {
	const body = `{"a":1}`
	b := New(testConfig())
	for cut := range len(body) + 1 {
		x, _ := b.Accept(request("POST /math/add"), nil, false)
		f, w := new(wire.Frame), new(recorder)
		n, want, err := x.Recv([]byte(body[:cut]), false, w, f)
		if n != 0 || want <= cut || err != nil || f.Kind != wire.None || w.ended {
			t.Fatalf("after %d bytes: n %d, want %d, error %v, frame %d", cut, n, want, err, f.Kind)
		}
		x.Recv([]byte(body), true, w, f)
		if f.Kind != wire.Open || string(f.Body) != body {
			t.Fatalf("after %d bytes and the rest: frame %d with %q", cut, f.Kind, f.Body)
		}
		f.Reset()
		if n, _, _ := x.Recv(nil, true, w, f); n != 0 || f.Kind != wire.None {
			t.Fatal("a second call came out of one request")
		}
	}
}

func TestMetadata(t *testing.T) {
	_, f, _ := exchanged(t, New(testConfig()), request("POST /ping", "Authorization: Bearer x", "X-Trace: 1"), "")
	if got := call.MetaOf(f.Head.Fields); got.Get("authorization") != "Bearer x" || got.Get("x-trace") != "1" {
		t.Errorf("metadata %v", got)
	}
}
