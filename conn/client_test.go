package conn_test

import (
	"errors"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/internal/lines"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// keeper is an Awaiter that keeps what it gets, with its memory.
type keeper struct {
	body []byte
	buf  *mem.Buf
	err  *call.Error
	got  int
}

func (k *keeper) Deliver(f *wire.Frame) {
	k.body, k.buf, k.err = f.Body, f.Buf, f.Err
	if k.buf != nil {
		k.buf.Retain()
	}
	k.got++
}

func outgoing(k *keeper) conn.Outgoing {
	return conn.Outgoing{Head: call.Head{Method: []byte("m")}, Body: []byte("x"), Waiter: k}
}

func TestAnswersFindTheirCallers(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, nil)
	var first, second keeper
	if err := r.conn.Send([]conn.Outgoing{outgoing(&first), outgoing(&second)}, nil); err != nil {
		t.Fatal(err)
	}
	r.expect("two calls", lines.Call(1, "m", "x")+lines.Call(2, "m", "x"))
	r.feed(lines.Call(2, "error", "no") + lines.Answer(1, "yes") + lines.Answer(1, "again") + lines.Answer(7, "nobody"))
	if first.got != 1 || first.err != nil || second.got != 1 || second.err.Message != "no" {
		t.Errorf("%+v, %+v", first, second)
	}
}

// Memory that an Awaiter retained is his; the engine sees that it is shared.
func TestRetainedMemory(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, nil)
	var k keeper
	r.conn.Send([]conn.Outgoing{outgoing(&k)}, nil)
	memory := mem.Get(100)
	memory.B = append(memory.B, lines.Answer(1, "precious")...)
	r.conn.Feed(memory.B, memory, false, r.loop)
	if k.buf != memory || !memory.Shared() || string(k.body) != "precious" {
		t.Fatalf("%q lies in %p, not in %p", k.body, k.buf, memory)
	}
	memory.Release()
	if string(k.body) != "precious" {
		t.Error("released while retained")
	}
	k.buf.Release()
}

func TestForgetTellsThePeer(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, nil)
	var k keeper
	calls := []conn.Outgoing{outgoing(&k)}
	r.conn.Send(calls, nil)
	r.said()
	r.conn.Forget(calls[0].ID)
	r.expect("cancel", lines.Call(1, "cancel", ""))
	r.conn.Forget(calls[0].ID)
	r.expect("cancel twice", "")
	r.feed(lines.Answer(1, "late"))
	if k.got != 0 {
		t.Error("the answer was delivered all the same")
	}
}

// Calls without an answer learn when the connection ends, each once, and none is sent after that.
func TestCallsAreLost(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, nil)
	var k keeper
	r.conn.Send([]conn.Outgoing{outgoing(&k)}, nil)
	cause := errors.New("gone")
	r.conn.Closed(cause)
	if k.got != 1 || !errors.Is(k.err, call.Unavailable) || !errors.Is(k.err, cause) {
		t.Errorf("%d times, %v", k.got, k.err)
	}
	if err := r.conn.Send([]conn.Outgoing{outgoing(&k)}, nil); !errors.Is(err, conn.ErrEnded) || k.got != 1 {
		t.Errorf("after the end: %v", err)
	}
}
