package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// errLine ends a connection whose peer sends a line longer than the limit.
var errLine = errors.New("lines: the peer sent a line over the limit")

// lines is a protocol of one call a line: "sum [1,2]\n" is answered by "ok 1\n3", that is a word, the size, and the bytes of
// the result or of the error's message. Calls are answered one after another.
type lines struct {
	max      int       // bytes of a line
	head     call.Head // of the frame that was filled last
	last     uint64    // ID of the last call
	busy     bool      // it has no answer yet
	draining bool
}

func (l *lines) Recv(in []byte, eof bool, _ *wire.Out, f *wire.Frame) (n, want int, err error) {
	if l.busy || l.draining {
		return 0, wire.Hold, nil
	}
	end := bytes.IndexByte(in, '\n')
	switch {
	case len(in) == 0:
		return 0, 0, nil
	case end > l.max, end < 0 && len(in) > l.max:
		return 0, 0, errLine
	case end < 0 && eof:
		return 0, 0, wire.ErrTruncated
	case end < 0:
		return 0, len(in) + 1, nil
	}
	name, args, _ := bytes.Cut(in[:end], []byte(" "))
	l.last++
	l.busy = true
	l.head = call.Head{Method: name, Wire: "lines", Codec: call.JSON}
	f.Kind, f.End, f.ID, f.Head, f.Body = wire.Open, true, l.last, &l.head, args
	return end + 1, 0, nil
}

func (l *lines) Send(f *wire.Frame, out *wire.Out) (full bool, err error) {
	if f.Kind != wire.Reply || f.ID != l.last || !l.busy {
		return false, nil
	}
	l.busy = false
	if f.Err != nil {
		fmt.Fprintf(out, "error %d\n%s", len(f.Err.Message), f.Err.Message)
		return false, nil
	}
	fmt.Fprintf(out, "ok %d\n", len(f.Body))
	out.WriteBuf(f.Body, f.Buf)
	return false, nil
}

func (l *lines) Tick(wire.Time, *wire.Out) (wire.Time, error) { return 0, nil }

// Held is nothing: every answer leaves at once.
func (l *lines) Held() int { return 0 }

func (l *lines) Drain(*wire.Out) (done bool) {
	l.draining = true
	return !l.busy
}

// end of lines

// matchLines knows the protocol by its one method.
func matchLines(in []byte) wire.Match { return wire.Prefix(in, "sum ") }

// script drives a machine as a Conn does, except that it answers at once. in comes in pieces of size bytes.
func script(m wire.Machine, in string, size int, answer func(*wire.Frame)) (sent string, err error) {
	var out wire.Out
	if _, err := m.Tick(0, &out); err != nil {
		return "", err
	}
	var waiting []byte
	for done := false; !done && err == nil; done = in == "" {
		k := min(size, len(in))
		waiting = append(waiting, in[:k]...)
		in = in[k:]
		for err == nil {
			var f wire.Frame
			var n int
			n, _, err = m.Recv(waiting, in == "", &out, &f)
			waiting = waiting[n:]
			switch {
			case f.Kind == wire.Upgrade:
				m = f.Next
				continue
			case f.Kind == wire.Open:
				reply := wire.Frame{Kind: wire.Reply, End: true, ID: f.ID, Body: f.Body}
				answer(&reply)
				m.Send(&reply, &out)
				continue
			}
			if n == 0 {
				break
			}
		}
	}
	var b strings.Builder
	out.WriteTo(&b)
	return b.String(), err
}

// shout answers each call with its own arguments, and empty ones with an error.
func shout(reply *wire.Frame) {
	if reply.Body = bytes.ToUpper(reply.Body); len(reply.Body) == 0 {
		reply.Err = call.Errorf(call.InvalidArgument, "no arguments")
	}
}

func ExampleMachine() {
	m := &wire.Detector{
		Protocols: []wire.Protocol{{Name: "lines", Match: matchLines, New: func() wire.Machine { return &lines{max: 64} }}},
		MaxBytes:  16,
	}
	sent, err := script(m, "sum [\"a\"]\nsum\n", 5, shout)
	fmt.Printf("%q %v\n", sent, err)
	// Output: "ok 5\n[\"A\"]error 12\nno arguments" <nil>
}

func TestLinesSplitAnywhere(t *testing.T) {
	cases := []struct {
		in, out string
		err     error
	}{
		{"sum [1]\nsum [2]\n", "ok 3\n[1]ok 3\n[2]", nil},
		{"sum\n", "error 12\nno arguments", nil},
		{"sum [1]\nsum [2", "ok 3\n[1]", wire.ErrTruncated},
		{"sum " + strings.Repeat("1", 70) + "\n", "", errLine},
	}
	for _, c := range cases {
		for size := 1; size <= len(c.in); size++ {
			sent, err := script(&lines{max: 64}, c.in, size, shout)
			if sent != c.out || !errors.Is(err, c.err) {
				t.Errorf("%q in pieces of %d: %q, %v; want %q, %v", c.in, size, sent, err, c.out, c.err)
			}
		}
	}
}

// The page for newcomers shows the machine above; it must be this very code.
func TestPageShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/wires.md")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := bytes.Cut(source, []byte("// lines is"))
	code, _, found := bytes.Cut(code, []byte("\n// end of lines"))
	if !found || !bytes.Contains(page, bytes.TrimSpace(code)) {
		t.Error("docs/wires.md shows another machine than example_test.go; copy it there")
	}
}
