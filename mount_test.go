package anywire_test

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/anywire/anywire"
)

// mountServer has methods and a handler of each kind.
func mountServer(opts ...anywire.ServerOption) *anywire.Server {
	srv := httpServer(opts...)
	files := fstest.MapFS{"index.html": {Data: []byte("<p>hello</p>")}, "big.bin": {Data: make([]byte, 3<<20)}}
	srv.Mount("GET /static/", http.StripPrefix("/static", http.FileServerFS(files)))
	srv.Mount("/hash", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := sha256.New()
		n, err := io.Copy(h, r.Body)
		fmt.Fprintf(w, "%d %x %v", n, h.Sum(nil)[:4], err)
	}))
	srv.Mount("/upgrade", http.HandlerFunc(mountUpgrade))
	srv.Mount("/sum", http.NotFoundHandler()) // the method comes first
	return srv
}

// mountUpgrade takes the connection, as a WebSocket handler does, and echoes lines.
func mountUpgrade(w http.ResponseWriter, r *http.Request) {
	nc, rw, err := w.(http.Hijacker).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer nc.Close()
	io.WriteString(nc, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	for {
		line, err := rw.ReadString('\n')
		if err != nil {
			return
		}
		io.WriteString(nc, "echo "+line)
	}
}

func mountHash(body string) string {
	sum := sha256.Sum256([]byte(body))
	return fmt.Sprintf("%d %x <nil>", len(body), sum[:4])
}

// mountRequests is the same for a server on its own port, and for one inside of another.
func mountRequests(t *testing.T, client *http.Client, url string) {
	large := strings.Repeat("0123456789abcdef", 1<<16*6) // 6 MiB, more than a message may have
	envelope := `{"jsonrpc":"2.0","id":7,"method":"sum","params":[2,3]}`
	answer := `{"jsonrpc":"2.0","id":7,"result":5}`
	tests := []struct {
		name, verb, path, body string
		fields                 []string
		status                 int
		want                   string
	}{
		{"file", "GET", "/static/", "", nil, 200, "<p>hello</p>"},
		{"method", "GET", "/sum?a=2&b=3", "", nil, 200, "5"},
		{"range", "GET", "/static/index.html/../big.bin", "", nil, 200, ""},
		{"part", "GET", "/static/big.bin", "", []string{"Range: bytes=0-1"}, 206, "\x00\x00"},
		{"no file", "GET", "/static/nosuch", "", nil, 404, "404 page not found\n"},
		{"other verb", "DELETE", "/static/", "", nil, 404, ""},
		{"head", "HEAD", "/static/big.bin", "", nil, 200, ""},
		{"post", "POST", "/hash", "x", []string{httpRaw}, 200, mountHash("x")},
		{"form", "POST", "/hash", "a=1", []string{httpForm}, 200, mountHash("a=1")},
		{"JSON", "POST", "/hash", `{"a":1}`, []string{httpJSON}, 200, mountHash(`{"a":1}`)},
		{"no body", "POST", "/hash", "", nil, 200, mountHash("")},
		{"large", "POST", "/hash", large, []string{httpRaw}, 200, mountHash(large)},
		{"large JSON", "POST", "/hash", large, []string{httpJSON}, 200, mountHash(large)},
		{"chunked", "POST", "/hash", "x", []string{httpRaw, "chunked: 1"}, 200, mountHash("x")},
		{"chunked JSON", "POST", "/hash", `[1]`, []string{httpJSON, "chunked: 1"}, 200, mountHash("[1]")},
		{"large and chunked", "POST", "/hash", large, []string{httpRaw, "chunked: 1"}, 200, mountHash(large)},
		{"large JSON and chunked", "POST", "/hash", large, []string{httpJSON, "chunked: 1"}, 200, mountHash(large)},
		{"envelope", "POST", "/hash", envelope, []string{httpJSON}, 200, answer},
		{"batch", "POST", "/hash", "[" + envelope + "]", []string{httpJSON}, 200, "[" + answer + "]"},
		{"JSON-RPC", "POST", "/", envelope, []string{httpJSON}, 200, answer},
		{"nobody", "GET", "/nosuch", "", nil, 404, ""},
		{"refused", "GET", "/add", "", nil, 405, ""},
		{"nothing", "POST", "/nothing", "", nil, 204, ""},
		{"raw", "POST", "/size", "12345", []string{httpRaw}, 200, "5"},
		{"escaped", "GET", "/orders/a%2Fb%20c", "", nil, 200, `{"id":"a/b c","size":1}`},
		{"health", "GET", "/healthz", "", nil, 200, `{"status":"ok"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httpRequest(t, tt.verb, url+tt.path, tt.body, tt.fields...)
			if r.Header.Get("chunked") != "" {
				r.Header.Del("chunked")
				r.Body, r.ContentLength, r.GetBody = io.NopCloser(strings.NewReader(tt.body)), -1, nil
			}
			res, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != tt.status || tt.want != "" && string(body) != tt.want {
				t.Errorf("%d %.200q, %v, want %d %.200q", res.StatusCode, body, err, tt.status, tt.want)
			}
		})
	}
}

// mountClient keeps connections, so that requests of all kinds follow each other on one.
func mountClient(t *testing.T) *http.Client {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: clientPatience}
}

func TestMount(t *testing.T) {
	mountRequests(t, mountClient(t), "http://"+serve(t, mountServer()))
}

// mountInside serves srv inside of a net/http server.
func mountInside(t *testing.T, srv *anywire.Server, start func(*httptest.Server)) *httptest.Server {
	outer := httptest.NewUnstartedServer(srv)
	start(outer)
	t.Cleanup(func() {
		outer.Close()
		srv.Close()
	})
	return outer
}

func TestServeHTTP(t *testing.T) {
	outer := mountInside(t, mountServer(), (*httptest.Server).Start)
	mountRequests(t, outer.Client(), outer.URL)
}

func TestServeHTTP2(t *testing.T) {
	outer := mountInside(t, mountServer(), func(s *httptest.Server) {
		s.EnableHTTP2 = true
		s.StartTLS()
	})
	res, err := outer.Client().Get(outer.URL + "/sum?a=2&b=3")
	if err != nil || res.ProtoMajor != 2 {
		t.Fatalf("%v, %v", res, err)
	}
	res.Body.Close()
	mountRequests(t, outer.Client(), outer.URL)
}

// TestServeHTTPConcurrent shares one connection of HTTP/2 between many calls.
func TestServeHTTPConcurrent(t *testing.T) {
	outer := mountInside(t, mountServer(), func(s *httptest.Server) {
		s.EnableHTTP2 = true
		s.StartTLS()
	})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for j := range 10 {
				res, err := outer.Client().Get(fmt.Sprintf("%s/sum?a=%d&b=%d", outer.URL, i, j))
				if err != nil {
					t.Error(err)
					return
				}
				body, _ := io.ReadAll(res.Body)
				res.Body.Close()
				if string(body) != fmt.Sprint(i+j) {
					t.Errorf("%d+%d=%s", i, j, body)
				}
			}
		})
	}
	wg.Wait()
}

// TestMountUpgrade changes the protocol of a connection on which methods were called before.
func TestMountUpgrade(t *testing.T) {
	nc, err := net.Dial("tcp", serve(t, mountServer()))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(clientPatience))
	in := bufio.NewReader(nc)
	io.WriteString(nc, "GET /sum?a=2&b=3 HTTP/1.1\r\nHost: x\r\n\r\n")
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if body, _ := io.ReadAll(res.Body); string(body) != "5" {
		t.Errorf("before: %s", body)
	}
	io.WriteString(nc, "GET /upgrade HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nearly\n")
	if res, err = http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v", res, err)
	}
	io.WriteString(nc, "late\n")
	for _, want := range []string{"echo early\n", "echo late\n"} {
		if line, err := in.ReadString('\n'); line != want || err != nil {
			t.Errorf("%q, %v, want %q", line, err, want)
		}
	}
}

// TestMountPipelined has earlier answers go first when a connection leaves for a handler.
func TestMountPipelined(t *testing.T) {
	srv := mountServer()
	srv.Handle("slow", func() string { time.Sleep(50 * time.Millisecond); return "slow" }, anywire.ReadOnly())
	const static, slow = "GET /static/ HTTP/1.1\r\nHost: x\r\n\r\n", "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
	nc, err := net.Dial("tcp", serve(t, srv))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(clientPatience))
	io.WriteString(nc, slow+static+slow+static+"POST /hash HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx")
	all, err := io.ReadAll(nc)
	if err != nil {
		t.Errorf("reading the answers: %v", err)
	}
	out := string(all)
	for _, want := range []string{`"slow"`, "<p>hello</p>", `"slow"`, "<p>hello</p>", mountHash("x")} {
		_, rest, found := strings.Cut(out, want)
		if !found {
			t.Fatalf("%q is not in %q", want, out)
		}
		out = rest
	}
}

// TestMountStream sees what a handler writes before it ends.
func TestMountStream(t *testing.T) {
	gate := make(chan bool)
	stream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
	})
	srv := mountServer()
	srv.Mount("/stream", stream)
	addr := serve(t, srv)
	res, err := mountClient(t).Do(httpRequest(t, "GET", "http://"+addr+"/stream", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	for i := range 3 {
		if line, err := in.ReadString('\n'); line != fmt.Sprintf("data: %d\n", i) || err != nil {
			t.Errorf("%q, %v", line, err)
		}
		in.ReadString('\n')
		gate <- true
	}
}

// TestMountMistake: a pattern that net/http refuses panics, and says why.
func TestMountMistake(t *testing.T) {
	srv := anywire.NewServer()
	defer srv.Close()
	srv.Mount("/a", http.NotFoundHandler())
	defer func() {
		if message := fmt.Sprint(recover()); !strings.Contains(message, "/a") {
			t.Errorf("panic %q", message)
		}
	}()
	srv.Mount("/a", http.NotFoundHandler())
}
