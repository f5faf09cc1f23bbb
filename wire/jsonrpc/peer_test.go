package jsonrpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

func limits(l wire.Limits) *wire.Limits {
	l = l.WithDefaults()
	return &l
}

// answer runs the specification's functions on a frame.
func answer(f *wire.Frame) *wire.Frame {
	r := &wire.Frame{Kind: wire.Reply, End: true, ID: f.ID}
	switch name := string(f.Head.Method); name {
	case "subtract", "sum":
		r.Body = fmt.Append(nil, compute(name, f.Body))
	case "get_data":
		r.Body = []byte(`["hello",5]`)
	default:
		r.Err = call.Errorf(call.Unimplemented, "Method not found.")
	}
	return r
}

func compute(name string, params []byte) int64 {
	numbers := numbers(params)
	total := numbers[0]
	for _, n := range numbers[1:] {
		if name == "sum" {
			total += n
		} else {
			total -= n
		}
	}
	return total
}

func numbers(params []byte) (all []int64) {
	if json.Kind(params) == '[' {
		for value := range json.Items(params) {
			n, _ := json.Int64(value)
			all = append(all, n)
		}
		return all
	}
	all = make([]int64, 2)
	for key, value := range json.Members(params) {
		n, _ := json.Int64(value)
		if json.KeyIs(key, "minuend") {
			all[0] = n
		} else {
			all[1] = n
		}
	}
	return all
}

// peer drives a machine the way a connection does, answering each call at once or, when late is set, the last one first
// after all were read.
type peer struct {
	m    wire.Machine
	out  wire.Out
	late bool
	open []*wire.Frame
	err  error
}

// feed gives the machine in, in pieces of the given size, then the end, and returns what it wrote.
func (p *peer) feed(in string, size int) string {
	var held []byte
	for len(in) > 0 && p.err == nil {
		n := min(size, len(in))
		held = append(held, in[:n]...)
		in = in[n:]
		held = p.recv(held, false)
	}
	if p.err == nil {
		p.recv(held, true)
	}
	for _, f := range p.open {
		p.m.Send(answer(f), &p.out)
	}
	p.open = nil
	return p.written()
}

func (p *peer) written() string {
	var b strings.Builder
	p.out.WriteTo(&b)
	return b.String()
}

func (p *peer) recv(in []byte, eof bool) []byte {
	for {
		var f wire.Frame
		n, _, err := p.m.Recv(in, eof, &p.out, &f)
		in = in[n:]
		if err != nil {
			p.err = err
			return nil
		}
		if f.Kind == wire.None && n == 0 {
			return in
		}
		if f.Kind == wire.Open && f.ID != 0 {
			p.call(&f)
		}
	}
}

func (p *peer) call(f *wire.Frame) {
	if !p.late {
		p.m.Send(answer(f), &p.out)
		return
	}
	p.open = append([]*wire.Frame{own(f)}, p.open...)
}

// own copies a frame with what it borrows.
func own(f *wire.Frame) *wire.Frame {
	kept, head := *f, *f.Head
	head.Method = append([]byte(nil), head.Method...)
	kept.Head, kept.Body = &head, append([]byte(nil), f.Body...)
	return &kept
}

// plain removes from answers what the table leaves out: the message of errors and what follows it.
func plain(t *testing.T, out string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(out) {
		if err := json.Valid([]byte(line), 0); err != nil {
			t.Fatalf("wrote invalid JSON: %q: %v", line, err)
		}
		for {
			head, rest, found := strings.Cut(line, `,"message":"`)
			b.WriteString(head)
			if !found {
				break
			}
			_, line, _ = strings.Cut(rest, `"}`)
			line = "}" + line
		}
	}
	return b.String()
}
