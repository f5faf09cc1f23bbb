package conn_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/internal/lines"
	"github.com/anywire/anywire/wire"
)

// A call is answered at its deadline, whether or not its function notices, and then never again.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(false), wire.Limits{}, methods(g))
		r.feed(lines.CallWithin(50*time.Millisecond, 1, "wait", "a") + lines.CallWithin(time.Second, 2, "wait", "b"))
		time.Sleep(49 * time.Millisecond)
		synctest.Wait()
		r.expect("before the deadline", "")
		time.Sleep(2 * time.Millisecond)
		synctest.Wait()
		r.expect("at the deadline", lines.Call(1, "error", "the deadline passed"))
		close(g)
		synctest.Wait()
		r.expect("behind it", lines.Answer(2, "b"))
		if step := r.end(); !step.Done {
			t.Errorf("not done: %+v", step)
		}
	})
}

// A function that looks at its context sees the deadline, and cancellation by the caller.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		r := newRig(t, machine(false), wire.Limits{}, lines.Methods{"watch": &lines.Method{
			Is: call.Traits{Context: true, Mode: call.Blocking},
			F: func(ctx context.Context, _ string) (string, error) {
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return "", nil
			},
		}})
		r.feed(lines.CallWithin(50*time.Millisecond, 1, "watch", ""))
		if err := <-ended; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at the deadline: %v", err)
		}
		r.feed(lines.Call(2, "watch", ""))
		r.feed(lines.Call(2, "cancel", ""))
		if err := <-ended; !errors.Is(err, call.Canceled) {
			t.Errorf("after cancel: %v", err)
		}
		r.feed(lines.Call(3, "watch", ""))
		r.conn.Closed(nil)
		if err := <-ended; !errors.Is(err, call.Canceled) {
			t.Errorf("when the connection ended: %v", err)
		}
		synctest.Wait()
	})
}

// What ends a connection by time, and when.
func TestTimes(t *testing.T) {
	cases := []struct {
		name   string
		limits wire.Limits
		begin  func(r *rig)
		after  time.Duration
		err    error
	}{
		{"the peer stopped sending and its call does not end", wire.Limits{HalfOpen: 3 * time.Second},
			func(r *rig) { r.feed(lines.Call(1, "wait", "")); r.end() }, 3 * time.Second, conn.ErrHalfOpen},
		{"the peer reads nothing", wire.Limits{WriteTime: 2 * time.Second},
			func(r *rig) { r.block(); r.feed(lines.Call(1, "echo", "a")) }, 2 * time.Second, conn.ErrStalled},
		{"nothing happens", wire.Limits{IdleTime: 5 * time.Second},
			func(r *rig) { r.feed(lines.Call(1, "echo", "a")) }, 5 * time.Second, conn.ErrIdle},
		{"a message does not become whole", wire.Limits{MessageTime: 4 * time.Second},
			func(r *rig) { r.feed("1 echo 100\nabc") }, 4 * time.Second, conn.ErrSlowMessage},
		{"a call runs", wire.Limits{IdleTime: time.Second},
			func(r *rig) { r.feed(lines.Call(1, "wait", "")) }, 0, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := make(gate)
				r := newRig(t, machine(false), c.limits, methods(g))
				c.begin(r)
				time.Sleep(c.after - time.Millisecond)
				if synctest.Wait(); r.aborted() {
					t.Fatal("cut before its time")
				}
				time.Sleep(10 * time.Second)
				synctest.Wait()
				if err := r.conn.Err(); r.aborted() != (c.err != nil) || !errors.Is(err, c.err) {
					t.Errorf("it ended with %v, want %v", err, c.err)
				}
				r.conn.Closed(nil)
				close(g)
				synctest.Wait()
			})
		})
	}
}

// A peer that reads, however slowly, is not cut.
func TestSlowReaderIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, machine(false), wire.Limits{WriteTime: time.Second}, methods(nil))
		r.block()
		r.feed(lines.Call(1, "echo", "0123456789"))
		for range 10 {
			time.Sleep(900 * time.Millisecond)
			r.trickle(1)
		}
		if synctest.Wait(); r.aborted() {
			t.Fatalf("cut while it made progress: %v", r.conn.Err())
		}
		time.Sleep(2100 * time.Millisecond)
		synctest.Wait()
		if err := r.conn.Err(); !errors.Is(err, conn.ErrStalled) {
			t.Errorf("it ended with %v", err)
		}
	})
}

// A connection with a call in flight is not idle; the time counts from its end.
func TestIdleCountsFromTheLastAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(false), wire.Limits{IdleTime: 5 * time.Second}, methods(g))
		r.feed(lines.Call(1, "wait", ""))
		time.Sleep(7 * time.Second)
		g <- struct{}{}
		time.Sleep(4 * time.Second)
		if synctest.Wait(); r.aborted() {
			t.Fatal("cut 4 s after the answer")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if err := r.conn.Err(); !errors.Is(err, conn.ErrIdle) {
			t.Errorf("6 s after the answer: %v", err)
		}
	})
}

// A write that fails, at once or later, ends the connection.
func TestWriteFails(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, methods(nil))
	r.fails = io.ErrClosedPipe
	if step := r.feed(lines.Call(1, "echo", "a")); !step.Done && !r.aborted() {
		t.Error("at once: it goes on")
	}
	if err := r.conn.Err(); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("at once: it ended with %v", err)
	}

	r = newRig(t, machine(false), wire.Limits{}, methods(nil))
	r.block()
	r.feed(lines.Call(1, "echo", "a"))
	r.conn.Sent(io.ErrClosedPipe)
	if err := r.conn.Err(); !r.aborted() || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("later: it ended with %v", err)
	}
	r.conn.Closed(nil)
	<-r.ended
}
