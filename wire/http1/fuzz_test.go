package http1

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"net/url"
	"testing"

	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// FuzzServer gives any bytes in any split: the server comes to an end, and what it sends are responses that net/http
// reads, each with the body that it announced.
func FuzzServer(f *testing.F) {
	for _, x := range exchanges {
		f.Add([]byte(x.in), uint16(len(x.in)/2), false)
	}
	f.Add([]byte(echo5+echo5[:20]), uint16(3), true)
	f.Fuzz(func(t *testing.T, in []byte, cut uint16, late bool) {
		var verbs []string
		sent := serve(t, in, int(cut), late, &verbs)
		readAll(t, []byte(sent), verbs, in)
		if bytes.Contains(bytes.ToLower(in), []byte("expect")) {
			return // it depends on the split whether the client has to be told to continue
		}
		if whole := serve(t, in, 0, late, nil); whole != sent {
			t.Fatalf("split %q\nwhole %q", sent, whole)
		}
	})
}

// serve gives in to a server in two parts and returns what it sent. With late, answers come after the client is gone.
func serve(t *testing.T, in []byte, cut int, late bool, verbs *[]string) string {
	c := testConfig()
	c.Bindings = []wire.Binding{&fake{verbs: verbs}}
	d := newDriver(c)
	d.late = late
	cut = min(cut, len(in))
	d.feed(t, string(in[:cut]))
	d.feed(t, string(in[cut:]))
	d.eof = true
	d.run(t)
	for i := 0; late && i < len(d.frames); i++ {
		if d.frames[i].Kind == wire.Open {
			d.answer(t, i)
			d.run(t)
		}
	}
	return d.sent()
}

// readAll reads the responses to requests of verbs. Behind them may be one more, to a request that was refused.
func readAll(t *testing.T, sent []byte, verbs []string, in []byte) {
	r := bufio.NewReader(bytes.NewReader(sent))
	for n := 0; ; {
		if _, err := r.Peek(1); err != nil {
			return
		}
		verb, refused := "GET", n >= len(verbs)
		if !refused {
			verb = verbs[n]
		}
		res, err := http.ReadResponse(r, &http.Request{Method: verb})
		if err != nil || n > len(verbs) {
			t.Fatalf("response %d to %q is none: %v\n%.400q", n, verbs, err, sent)
		}
		_, err = io.ReadAll(res.Body)
		if err != nil && !(refused && bytes.Contains(in, []byte("HEAD "))) && !bytes.Contains(in, []byte("/wrong")) {
			t.Fatalf("the body of response %d to %q is cut: %v\n%.400q", n, verbs, err, sent)
		}
		if res.StatusCode >= 200 {
			n++
		}
	}
}

// FuzzParseRequest compares with net/http: what is accepted here is accepted there, with the same meaning. The reverse
// does not hold, since net/http takes bare LF, folded lines, repeated equal lengths and more. Three things differ on
// purpose: net/http also judges the Trailer field, takes framing fields out of the header, and decodes the path.
func FuzzParseRequest(f *testing.F) {
	for _, x := range exchanges {
		f.Add([]byte(x.in))
	}
	f.Add([]byte("GET http://[::1]:80?q HTTP/1.1\r\nHost: [::ffff:1.2.3.4]\r\nExpect: 100-continue\r\n\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var h Head
		n, err := ParseRequest(in, &h, 100)
		if err != nil || n == 0 {
			return
		}
		if h.Get("trailer") != nil {
			return
		}
		req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(in[:n])))
		if err != nil {
			t.Fatalf("net/http refuses it: %v", err)
		}
		sameRequest(t, &h, req)
	})
}

func sameRequest(t *testing.T, h *Head, req *http.Request) {
	if string(h.Verb) != req.Method || h.Minor != req.ProtoMinor || h.Size != req.ContentLength || h.Chunked != (len(req.TransferEncoding) > 0) {
		t.Fatalf("got %+v, net/http %+v", h, req)
	}
	path, err := url.PathUnescape(string(h.Path))
	if string(h.Verb) != "CONNECT" && (err != nil || path != req.URL.Path && (path != "/" || req.URL.Path != "") ||
		string(h.Query) != req.URL.RawQuery) {
		t.Fatalf("path %q, query %q, net/http %q, %q", h.Path, h.Query, req.URL.Path, req.URL.RawQuery)
	}
	if h.host && string(h.Verb) != "CONNECT" && string(h.Get("host")) != req.Host {
		t.Fatalf("host %q, net/http %q", h.Get("host"), req.Host)
	}
	seen := map[string]int{}
	for _, f := range h.Fields {
		key := textproto.CanonicalMIMEHeaderKey(string(f.Name))
		if key == "Host" || key == "Transfer-Encoding" {
			continue
		}
		if values := req.Header[key]; seen[key] >= len(values) || values[seen[key]] != string(f.Value) {
			t.Fatalf("field %q: %q, net/http %q", f.Name, f.Value, values)
		}
		seen[key]++
	}
	if h.KeepAlive == req.Close {
		t.Fatalf("keep-alive %v, net/http closes %v", h.KeepAlive, req.Close)
	}
}

// FuzzChunked compares with net/http's reader, whole and split: what is accepted here has the same data there. Only white
// space before a chunk extension, which RFC 9112 section 7.1.1 lets pass, is refused there.
func FuzzChunked(f *testing.F) {
	f.Add([]byte("3\r\nabc\r\n0\r\n\r\n"), uint16(4))
	f.Add([]byte("1;a\r\na\r\n0a ;b\r\n0123456789\r\n0\r\nA: b\r\n\r\n"), uint16(9))
	f.Add(AppendChunk([]byte("1\r\na\r\n"), 0), uint16(1))
	f.Fuzz(func(t *testing.T, in []byte, cut uint16) {
		l := wire.Limits{MessageBytes: 1 << 16}.WithDefaults()
		whole, end := joinAll(in, &l, len(in))
		split, splitEnd := joinAll(in, &l, int(cut))
		if !bytes.Equal(whole, split) || end != splitEnd {
			t.Fatalf("whole %q to %d, split %q to %d", whole, end, split, splitEnd)
		}
		if end < 0 || bytes.Contains(in, []byte(" ;")) || bytes.Contains(in, []byte("\t;")) {
			return
		}
		data, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(in)))
		if err != nil || !bytes.Equal(data, whole) {
			t.Fatalf("got %q, net/http %q, %v", whole, data, err)
		}
	})
}

// joinAll joins the chunks of in, looking first at the part up to cut. end is -1 unless the body is whole.
func joinAll(in []byte, l *wire.Limits, cut int) (data []byte, end int) {
	var j joiner
	j.begin(0, l)
	defer func(b *mem.Buf) { b.Release() }(j.buf)
	if cut < len(in) {
		if _, err := j.join(in[:cut]); err != nil {
			return nil, -1
		}
	}
	if want, err := j.join(in); err != nil || want > 0 {
		return nil, -1
	}
	return bytes.Clone(j.buf.B), j.at
}

// FuzzClient gives any bytes as the response: the client comes to an end, and each call is answered once at most.
func FuzzClient(f *testing.F) {
	for _, x := range responses {
		f.Add([]byte(x.in), uint16(len(x.in)/2))
	}
	f.Fuzz(func(t *testing.T, in []byte, cut uint16) {
		d := &driver{m: NewClient(clientConfig())}
		callThree(t, d)
		at := min(int(cut), len(in))
		d.feed(t, string(in[:at]))
		d.feed(t, string(in[at:]))
		d.eof = true
		d.run(t)
		answered := map[uint64]int{}
		for _, r := range d.frames {
			if answered[r.ID]++; r.Kind != wire.Reply || !r.Ours || answered[r.ID] > 1 || r.ID != 7 && r.ID != 9 {
				t.Fatalf("frame %+v", r)
			}
		}
		if d.err == nil && len(answered) != 2 {
			t.Fatalf("%d answers, and nothing wrong", len(answered))
		}
	})
}
