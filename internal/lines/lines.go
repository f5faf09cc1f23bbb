// Package lines is a protocol for the tests of connections and engines. A call is "id name size\n" and size bytes, where
// id 0 is a notification; a fourth word is how long the caller waits. Its answer is "id ok size\n" or "id error size\n" and
// size bytes. "0 leave 0\n" takes the connection out of the engine, and "id cancel 0\n" gives up on a call.
package lines

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// ErrSyntax ends a connection whose peer does not speak the protocol.
var ErrSyntax = errors.New("lines: this is no call and no answer")

// Machine is one end of a connection. Both ends are alike.
type Machine struct {
	Serial bool           // takes one call after the other
	Leave  func(net.Conn) // gets the connection after "leave"

	open     int // calls of the peer without an answer
	draining bool
}

// Recv implements wire.Machine.
func (m *Machine) Recv(in []byte, eof bool, out *wire.Out, f *wire.Frame) (n, want int, err error) {
	if m.Serial && m.open > 0 {
		return 0, wire.Hold, nil
	}
	if len(in) == 0 {
		return 0, 0, nil
	}
	line, _, whole := bytes.Cut(in, []byte("\n"))
	if !whole {
		return m.wait(len(in)+1, eof)
	}
	h, err := parse(line)
	if err != nil {
		return 0, 0, err
	}
	total := len(line) + 1 + h.size
	if total > len(in) {
		return m.wait(total, eof)
	}
	m.fill(f, h, in[len(line)+1:total], out)
	return total, 0, nil
}

func (m *Machine) wait(want int, eof bool) (int, int, error) {
	if eof {
		return 0, 0, wire.ErrTruncated
	}
	return 0, want, nil
}

type head struct {
	id      uint64
	name    []byte
	size    int
	timeout time.Duration
}

func parse(line []byte) (h head, err error) {
	words := bytes.Fields(line)
	if len(words) < 3 {
		return h, ErrSyntax
	}
	h.name = words[1]
	var bad [3]error
	h.id, bad[0] = strconv.ParseUint(string(words[0]), 10, 64)
	h.size, bad[1] = strconv.Atoi(string(words[2]))
	if len(words) > 3 {
		h.timeout, bad[2] = time.ParseDuration(string(words[3]))
	}
	if errors.Join(bad[:]...) != nil || h.size < 0 {
		return h, ErrSyntax
	}
	return h, nil
}

func (m *Machine) fill(f *wire.Frame, h head, body []byte, out *wire.Out) {
	f.ID, f.Body, f.End = h.id, body, true
	switch name := string(h.name); {
	case name == "ok":
		f.Kind, f.Ours = wire.Reply, true
	case name == "error":
		f.Kind, f.Ours, f.Err = wire.Reply, true, call.Errorf(call.Unknown, "%s", body)
	case name == "leave":
		f.Kind, f.Leave = wire.Upgrade, m.Leave
	case name == "cancel":
		f.Kind = wire.Cancel
	case m.draining:
		f.Kind = wire.None
		message(out, h.id, "error", "draining")
	default:
		f.Kind = wire.Open
		f.Head = &f.Scratch().Head
		*f.Head = call.Head{Method: h.name, Wire: "lines", Codec: call.Raw, Timeout: h.timeout}
		if h.id != 0 {
			m.open++
		}
	}
}

// Send implements wire.Machine.
func (m *Machine) Send(f *wire.Frame, out *wire.Out) (full bool, err error) {
	switch {
	case f.Kind == wire.Open:
		message(out, f.ID, string(f.Head.Method), string(f.Body))
	case f.Kind == wire.Cancel:
		message(out, f.ID, "cancel", "")
	case f.Kind == wire.Reply && f.Err != nil:
		m.open--
		message(out, f.ID, "error", f.Err.Message)
	case f.Kind == wire.Reply:
		m.open--
		fmt.Fprintf(out, "%d ok %d\n", f.ID, len(f.Body))
		out.WriteBuf(f.Body, f.Buf)
	}
	return false, nil
}

func message(out *wire.Out, id uint64, word, body string) {
	fmt.Fprintf(out, "%d %s %d\n%s", id, word, len(body), body)
}

// Tick implements wire.Machine: nothing is ever due.
func (m *Machine) Tick(wire.Time, *wire.Out) (wire.Time, error) { return 0, nil }

// Held implements wire.Machine: every answer leaves at once.
func (m *Machine) Held() int { return 0 }

// Drain implements wire.Machine.
func (m *Machine) Drain(*wire.Out) (done bool) {
	m.draining = true
	return m.open == 0
}

// Call renders a call.
func Call(id int, name, arg string) string {
	return fmt.Sprintf("%d %s %d\n%s", id, name, len(arg), arg)
}

// CallWithin renders a call whose caller waits for d.
func CallWithin(d time.Duration, id int, name, arg string) string {
	return fmt.Sprintf("%d %s %d %v\n%s", id, name, len(arg), d, arg)
}

// Answer renders the answer to a call that succeeded.
func Answer(id int, result string) string { return Call(id, "ok", result) }
