package rest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// fakeMethod is a method by its traits alone: the binding never runs one.
type fakeMethod struct{ traits call.Traits }

func (m *fakeMethod) Admit(*call.Head) error                      { return nil }
func (m *fakeMethod) Decode(*call.Call, *call.Head, []byte) error { return nil }
func (m *fakeMethod) Serve(_ context.Context, _ *call.Call) error { return nil }
func (m *fakeMethod) Traits() *call.Traits                        { return &m.traits }
func (f fakeMethods) Find(name []byte) call.Method                { return f.find(string(name)) }
func writes(name string) (string, call.Method)                    { return name, &fakeMethod{call.Traits{Name: name}} }
func reads(name string) (string, call.Method) {
	return name, &fakeMethod{call.Traits{Name: name, ReadOnly: true}}
}

type fakeMethods map[string]call.Method

func (f fakeMethods) add(name string, m call.Method) { f[name] = m }

func (f fakeMethods) find(name string) call.Method {
	if m, ok := f[name]; ok {
		return m
	}
	return nil
}

// testConfig has a method of each kind and a few routes.
func testConfig() *Config {
	methods := fakeMethods{}
	methods.add(writes("math.add"))
	methods.add(reads("math.get"))
	methods.add(reads("orders.get"))
	methods.add(writes("orders.put"))
	methods.add(writes("ping"))
	methods.add(writes("café.öffnen"))
	methods["small"] = &fakeMethod{call.Traits{Name: "small", MaxMessage: 8}}
	router := new(Router)
	router.Add("GET /orders/{id}", "orders.get")
	router.Add("PUT /orders/{id}", "orders.put")
	router.Add("GET /unsafe/{id}", "orders.put")
	router.Add("GET /files/{path...}", "orders.get")
	router.Add("POST /{any}/add", "ping")
	router.Add("POST /gone", "no.such")
	return &Config{Methods: methods, Router: router}
}

// recorder is a Writer that keeps the response.
type recorder struct {
	status int
	size   int
	fields []string
	body   []byte
	ended  bool
}

func (w *recorder) Begin(s *wire.Start) {
	w.status, w.size = s.Status, s.Size
	for _, f := range s.Fields {
		w.fields = append(w.fields, fmt.Sprintf("%s: %s", f.Name, f.Value))
	}
}

func (w *recorder) Write(p []byte) (int, error) {
	w.body = append(w.body, p...)
	return len(p), nil
}

func (w *recorder) WriteBuf(p []byte, _ *mem.Buf) { w.body = append(w.body, p...) }

func (w *recorder) End(...call.Field) { w.ended = true }

// String is the response on one line, except for the texts that people read.
func (w *recorder) String() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s %s", w.status, strings.Join(w.fields, "; "), w.body))
}

func (w *recorder) has(field string) bool {
	for _, f := range w.fields {
		if f == field {
			return true
		}
	}
	return false
}

// request makes a request from "VERB target" and "Name: value" lines, as HTTP/1.1 would.
func request(line string, fields ...string) *wire.Request {
	verb, target, _ := strings.Cut(line, " ")
	path, query, _ := strings.Cut(target, "?")
	r := &wire.Request{Verb: []byte(verb), Path: []byte(path), Query: []byte(query), Size: -1}
	for _, f := range append([]string{"Host: example.com"}, fields...) {
		name, value, _ := strings.Cut(f, ": ")
		r.Fields = append(r.Fields, call.Field{Name: []byte(name), Value: []byte(value)})
	}
	return r
}

// exchanged sends a request with its whole body and returns the frame that came of it, or the response.
func exchanged(t *testing.T, b wire.Binding, r *wire.Request, body string) (wire.Exchange, *wire.Frame, *recorder) {
	t.Helper()
	x, verdict := b.Accept(r, nil, false)
	if verdict != wire.Yes {
		t.Fatalf("verdict %d, want Yes", verdict)
	}
	smudge(r)
	f, w := new(wire.Frame), new(recorder)
	n, want, err := x.Recv([]byte(body), true, w, f)
	if n != len(body) || want != 0 || err != nil {
		t.Fatalf("Recv = %d, %d, %v; want %d, 0, nil", n, want, err, len(body))
	}
	if opened := f.Kind == wire.Open; opened == w.ended {
		t.Fatalf("opened a call: %t, answered: %t; want one of them", opened, w.ended)
	}
	if w.ended && w.size != len(w.body) {
		t.Fatalf("announced %d bytes, wrote %d", w.size, len(w.body))
	}
	return x, f, w
}

// smudge overwrites what an exchange may no longer look at.
func smudge(r *wire.Request) {
	spoil := func(b []byte) {
		for i := range b {
			b[i] = '!'
		}
	}
	spoil(r.Verb)
	spoil(r.Path)
	spoil(r.Query)
	for _, f := range r.Fields {
		spoil(f.Name)
		spoil(f.Value)
	}
}

// show renders the part of a frame that tests compare.
func show(f *wire.Frame) string {
	s := string(f.Head.Method)
	if f.Head.Codec == call.Raw {
		s += " raw"
	}
	if f.Head.Safe {
		s += " safe"
	}
	if f.Head.Timeout != 0 {
		s += " " + f.Head.Timeout.String()
	}
	for _, p := range f.Head.Text {
		s += fmt.Sprintf(" %s=%s", p.Name, p.Value)
	}
	if len(f.Body) > 0 {
		s += " " + string(f.Body)
	}
	return s
}
