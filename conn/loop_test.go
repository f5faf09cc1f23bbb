package conn_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/internal/lines"
	"github.com/anywire/anywire/wire"
)

// diary notes what ran, in order.
type diary struct {
	mu      sync.Mutex
	entries string
}

func (d *diary) note(_ context.Context, arg string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.entries += arg
	return arg, nil
}

func (d *diary) read() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.entries
}

// stuckRig feeds in, whose first call passes g on the loop, in a goroutine of its own, and takes the loop from it. lost
// says what became of that Feed once it returned.
func stuckRig(t *testing.T, in string, m lines.Methods) (r *rig, lost chan conn.Step) {
	r = newRig(t, machine(false), wire.Limits{}, m)
	lost = make(chan conn.Step, 1)
	go func() { lost <- r.feed(in) }()
	synctest.Wait()
	word, stuck := r.loop.Stuck(0)
	if stuck {
		t.Fatal("stuck at the first look")
	}
	again, stuck := r.loop.Stuck(word)
	if !stuck || again != word {
		t.Fatal("not stuck at the second look")
	}
	rest, ok := r.loop.Take(word)
	if !ok {
		t.Fatal("the loop is not to be had")
	}
	r.unread = append([]byte(nil), rest...)
	if _, ok := r.loop.Take(word); ok {
		t.Fatal("the loop was taken twice")
	}
	return r, lost
}

// While a call is stuck, another goroutine feeds what came behind it; the answer of the stuck call still comes.
func TestLostLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		stuck := &lines.Method{F: g.pass}
		m := lines.Methods{"echo": &lines.Method{F: echo}, "stuck": stuck}
		in := lines.Call(1, "echo", "a") + lines.Call(2, "stuck", "b") + lines.Call(3, "echo", "c") + lines.Call(4, "stuck", "d")
		r, lost := stuckRig(t, in, m)
		r.expect("when the loop is taken", lines.Answer(1, "a"))
		if !stuck.Is.Pace.Demoted() {
			t.Error("the method is not demoted")
		}
		if step := r.feed(lines.Call(5, "echo", "e")); step.Lost || step.Done {
			t.Errorf("the step is %+v", step)
		}
		r.expect("while the call is stuck", lines.Answer(3, "c")+lines.Answer(5, "e"))
		g <- struct{}{}
		g <- struct{}{}
		synctest.Wait()
		if step := <-lost; !step.Lost {
			t.Errorf("the Feed that was stuck returned %+v", step)
		}
		if got := r.said(); got != lines.Answer(2, "b")+lines.Answer(4, "d") && got != lines.Answer(4, "d")+lines.Answer(2, "b") {
			t.Errorf("when it ended: sent %q", got)
		}
		if !r.end().Done {
			t.Error("not done when all is answered")
		}
	})
}

// Calls that run in order do so also when the first is stuck and the loop goes on without it.
func TestLostLoopKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		var d diary
		m := lines.Methods{
			"echo": &lines.Method{F: echo},
			"note": &lines.Method{Is: call.Traits{Ordered: true}, F: d.note},
			"stuck": &lines.Method{Is: call.Traits{Ordered: true, Mode: call.Inline}, F: func(ctx context.Context, arg string) (string, error) {
				<-g
				return d.note(ctx, arg)
			}},
		}
		in := lines.Call(1, "note", "1") + lines.Call(2, "stuck", "2") + lines.Call(3, "note", "3") + lines.Call(0, "note", "4") + lines.Call(5, "echo", "")
		r, lost := stuckRig(t, in, m)
		r.feed(lines.Call(6, "note", "6"))
		synctest.Wait()
		r.expect("while the call is stuck", lines.Answer(1, "1")+lines.Answer(5, ""))
		if got := d.read(); got != "1" {
			t.Errorf("behind the stuck call ran %q", got)
		}
		g <- struct{}{}
		synctest.Wait()
		<-lost
		if got := d.read(); got != "12346" {
			t.Errorf("the order was %q", got)
		}
		r.feed(lines.Call(7, "note", "7"))
		synctest.Wait()
		r.expect("at the end", lines.Answer(2, "2")+lines.Answer(3, "3")+lines.Answer(6, "6")+lines.Answer(7, "7"))
	})
}

// The deadline of a call that is stuck on the loop is kept once the loop is taken.
func TestLostLoopDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		m := lines.Methods{"stuck": &lines.Method{F: g.pass}}
		r, lost := stuckRig(t, lines.CallWithin(50*time.Millisecond, 1, "stuck", ""), m)
		r.feed("")
		time.Sleep(60 * time.Millisecond)
		synctest.Wait()
		r.expect("at the deadline", lines.Call(1, "error", "the deadline passed"))
		g <- struct{}{}
		synctest.Wait()
		<-lost
		r.expect("behind it", "")
	})
}

// A connection that ends while its loop is lost ends whole.
func TestLostLoopEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r, lost := stuckRig(t, lines.Call(1, "stuck", "a"), lines.Methods{"stuck": &lines.Method{F: g.pass}})
		if step := r.end(); step.Done {
			t.Fatal("done while the call runs")
		}
		g <- struct{}{}
		synctest.Wait()
		<-lost
		r.expect("the call", lines.Answer(1, "a"))
		if !r.woken() || !r.end().Done {
			t.Error("not done when the call has ended")
		}
	})
}

// A call that ends before the loop is taken from it keeps the loop.
func TestTakeTooLate(t *testing.T) {
	r := newRig(t, machine(false), wire.Limits{}, methods(nil))
	r.feed(lines.Call(1, "echo", "a"))
	word, _ := r.loop.Stuck(0)
	if _, stuck := r.loop.Stuck(word); stuck {
		t.Error("stuck though nothing runs")
	}
	if _, ok := r.loop.Take(word - 1); ok {
		t.Error("taken from a call that has ended")
	}
	r.feed(lines.Call(2, "echo", "b"))
	r.expect("both", lines.Answer(1, "a")+lines.Answer(2, "b"))
}

// A function whose calls take long is found by timing, demoted, and promoted when it has proved quick.
func TestSlowMethodIsDemoted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &lines.Method{F: func(_ context.Context, arg string) (string, error) {
			if arg == "slow" {
				time.Sleep(time.Millisecond)
			}
			return "", nil
		}}
		r := newRig(t, machine(false), wire.Limits{}, lines.Methods{"m": m})
		for n := 0; !m.Is.Pace.Demoted(); n += 4 {
			in := lines.Call(1, "m", "") + lines.Call(2, "m", "") + lines.Call(3, "m", "")
			if n%100 == 0 {
				in += lines.Call(4, "m", "slow")
			}
			if r.feed(in); n == 10_000 {
				t.Fatal("1 % of slow calls do not demote")
			}
		}
		for range 256 {
			r.feed(lines.Call(1, "m", "quick"))
			synctest.Wait()
		}
		if m.Is.Pace.Demoted() {
			t.Error("not promoted after 256 quick calls")
		}
	})
}

// Without a monitor only those calls run on the goroutine that reads which are declared to never wait.
func TestUnwatchedLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		m := lines.Methods{"auto": &lines.Method{F: g.pass}, "inline": &lines.Method{Is: call.Traits{Mode: call.Inline}, F: echo}}
		r := newRig(t, machine(false), wire.Limits{}, m)
		r.loop = conn.NewLoop(false)
		r.feed(lines.Call(1, "auto", "a") + lines.Call(2, "inline", "b"))
		r.expect("at once", lines.Answer(2, "b"))
		g <- struct{}{}
		synctest.Wait()
		r.expect("later", lines.Answer(1, "a"))
	})
}

// End tells the engine to yield when goroutines were started.
func TestLoopForks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := make(gate)
		r := newRig(t, machine(false), wire.Limits{}, methods(g))
		for name, forks := range map[string]bool{"echo": false, "wait": true} {
			in := []byte(lines.Call(1, name, ""))
			r.loop.Begin()
			r.conn.Feed(in, nil, false, r.loop)
			if forked := r.loop.End(); forked != forks {
				t.Errorf("%s: forked %v", name, forked)
			}
		}
		close(g)
		synctest.Wait()
	})
}
