package conn_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/internal/lines"
	"github.com/anywire/anywire/wire"
)

func TestInlineAnswersLeaveInOneWrite(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, methods(nil))
	step := r.feed(lines.Call(1, "echo", "a") + lines.Call(2, "echo", "b") + lines.Call(3, "nothing", "") + "4 ec")
	if step.Want != len("4 ec")+1 || step.Done {
		t.Errorf("the step is %+v", step)
	}
	r.expect("three calls", lines.Answer(1, "a")+lines.Answer(2, "b")+lines.Call(3, "error", "Method not found."))
	r.feed("ho 1\nc")
	r.expect("the rest of a call", lines.Answer(4, "c"))
}

// A machine that takes one call after the other is fed again, by Wake, when it can go on.
func TestHeldUntilWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(true), wire.Limits{}, methods(g))
		second := lines.Call(2, "echo", "b")
		step := r.feed(lines.Call(1, "wait", "a") + second)
		if step.Want != wire.Hold || string(r.unread) != second || r.woken() {
			t.Fatalf("the step is %+v, %q is left", step, r.unread)
		}
		g <- struct{}{}
		synctest.Wait()
		r.expect("the first call", lines.Answer(1, "a"))
		if !r.woken() {
			t.Fatal("not woken when the first call was answered")
		}
		r.feed("")
		r.expect("the second call", lines.Answer(2, "b"))
		if r.woken() {
			t.Error("woken though nothing is left to do")
		}
	})
}

// The end of the peer's sending is acted on when the last call has been answered.
func TestHeldEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(false), wire.Limits{}, methods(g))
		r.feed(lines.Call(1, "wait", "a"))
		if step := r.end(); step.Done {
			t.Fatal("done with a call in flight")
		}
		g <- struct{}{}
		synctest.Wait()
		r.expect("the call", lines.Answer(1, "a"))
		if !r.woken() || !r.end().Done {
			t.Error("not done when all is answered")
		}
	})
}

// A connection with as many calls as it may have waits for one to end, and refuses only when that takes too long.
func TestCrowdedWithCalls(t *testing.T) {
	for name, inTime := range map[string]bool{"a call ends in time": true, "no call ends": false} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := make(gate)
				r := newRig(t, machine(false), wire.Limits{Calls: 1}, methods(g))
				step := r.feed(lines.Call(1, "wait", "a") + lines.Call(2, "echo", "b"))
				if step.Want != wire.Hold || len(r.unread) == 0 {
					t.Fatalf("the step is %+v", step)
				}
				time.Sleep(90 * time.Millisecond)
				if synctest.Wait(); r.woken() {
					t.Fatal("woken before its time")
				}
				if inTime {
					g <- struct{}{}
				}
				time.Sleep(20 * time.Millisecond)
				if synctest.Wait(); !r.woken() {
					t.Fatal("not woken")
				}
				r.feed("")
				if inTime {
					r.expect("both calls", lines.Answer(1, "a")+lines.Answer(2, "b"))
					return
				}
				if got := r.said(); !strings.HasPrefix(got, "2 error") || !strings.Contains(got, "too many calls") {
					t.Errorf("sent %q", got)
				}
				g <- struct{}{}
				synctest.Wait()
				r.feed(lines.Call(3, "echo", "c"))
				r.expect("when there is room again", lines.Answer(1, "a")+lines.Answer(3, "c"))
			})
		})
	}
}

// A peer that does not read its answers is not read; one that reads slowly is waited for; one that reads nothing is refused.
func TestCrowdedWithAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, machine(false), wire.Limits{OutputBytes: 100}, methods(nil))
		r.block()
		big := strings.Repeat("x", 200)
		r.feed(lines.Call(1, "echo", big))
		r.feed(lines.Call(2, "echo", big))
		if step := r.feed(lines.Call(3, "echo", "c")); step.Want != wire.Hold || len(r.unread) == 0 {
			t.Fatalf("the step is %+v", step)
		}
		for range 5 {
			time.Sleep(60 * time.Millisecond)
			r.trickle(10)
			if synctest.Wait(); r.woken() {
				t.Fatal("woken while the peer reads")
			}
		}
		time.Sleep(250 * time.Millisecond)
		if synctest.Wait(); !r.woken() {
			t.Fatal("not woken when the peer stopped reading")
		}
		r.feed("")
		r.unblock()
		got := r.said()
		if want := lines.Answer(1, big) + lines.Answer(2, big); !strings.HasPrefix(got, want) || !strings.Contains(got, "3 error") {
			t.Errorf("sent %q", got)
		}
		r.feed(lines.Call(4, "echo", "d"))
		r.expect("when all is read", lines.Answer(4, "d"))
	})
}

// Calls that end in goroutines of their own keep their answers until the peer has read those before them.
func TestAnswersWaitForSpace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(false), wire.Limits{OutputBytes: 100, OutputHard: 400}, methods(g))
		r.block()
		big := strings.Repeat("x", 200)
		for i := range 10 {
			r.feed(lines.Call(i+1, "wait", big))
		}
		close(g)
		synctest.Wait()
		if r.aborted() {
			t.Fatal("cut, though its answers could wait")
		}
		r.unblock()
		synctest.Wait()
		if got := strings.Count(r.said(), "ok 200"); got != 10 {
			t.Errorf("%d of 10 answers came", got)
		}
	})
}

// Whoever takes the connection finds everything written.
func TestLeaveBehindTheLastAnswer(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, methods(nil))
	r.block()
	const tail = "not ours"
	step := r.feed(lines.Call(1, "echo", "a") + lines.Call(0, "leave", "") + tail)
	if step.Leave != nil || string(r.unread) != tail {
		t.Fatalf("it leaves before its answer is written, or took what is not its own: %+v, %q", step, r.unread)
	}
	r.unblock()
	if !r.woken() {
		t.Fatal("not woken when the answer was written")
	}
	if step := r.feed(""); step.Leave == nil || string(r.unread) != tail {
		t.Errorf("it does not leave: %+v, %q", step, r.unread)
	}
	r.expect("before it left", lines.Answer(1, "a"))
}

func TestLeaveAtOnce(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, methods(nil))
	if step := r.feed(lines.Call(1, "echo", "a") + lines.Call(0, "leave", "")); step.Leave == nil {
		t.Errorf("it does not leave though all is written: %+v", step)
	}
}

// The graceful end waits until the calls in flight are answered and the answers are written.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(false), wire.Limits{}, methods(g))
		r.block()
		r.feed(lines.Call(1, "wait", "a"))
		r.conn.Drain()
		if step := r.feed(lines.Call(2, "echo", "b")); step.Done {
			t.Fatal("done with a call in flight")
		}
		g <- struct{}{}
		synctest.Wait()
		if step := r.feed(""); step.Done {
			t.Fatal("done with an answer unwritten")
		}
		r.woken()
		r.unblock()
		if !r.woken() {
			t.Fatal("not woken when the last answer was written")
		}
		if step := r.feed(""); !step.Done {
			t.Errorf("not done: %+v", step)
		}
		r.expect("at the end", lines.Call(2, "error", "draining")+lines.Answer(1, "a"))
		if err := r.conn.Err(); !errors.Is(err, conn.ErrDraining) {
			t.Errorf("it ended with %v", err)
		}
	})
}

func TestDrainOfAnIdleConnection(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, methods(nil))
	r.conn.Drain()
	if !r.woken() || !r.feed("").Done {
		t.Error("it does not end at once")
	}
}
