package conn

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// Loop is one goroutine of an engine that feeds connections, with the memory that it needs for that. One that is watched
// runs quick calls itself, without starting goroutines for them. A call that does not end is taken from under it: the
// engine's monitor asks Stuck at times, and when a call has run too long, Take gives the connections to another goroutine;
// the stuck one only finishes its call.
//
// All methods but Stuck and Take are for the goroutine that feeds.
type Loop struct {
	watched bool       // someone calls Stuck and Take
	frame   wire.Frame // of Recv
	reply   wire.Frame // of Send
	memory  [2]wire.Scratch
	out     *wire.Out // lent to the connection that is fed

	word  atomic.Uint64 // counts up; odd while a function runs
	x     *exchange     // that it runs; published by word
	rest  []byte        // what its connection had received behind the call; likewise
	spare *exchange     // for the next call

	taking sync.Mutex // held by Take, so that a call which ends meanwhile waits for it

	epoch  time.Time
	now    time.Duration // since epoch, of this batch
	calls  int           // run in this batch
	timing int           // batches in which each call is timed, because one took long
	forked bool          // a goroutine was started in this batch
}

const (
	slowBatch   = 500 * time.Microsecond
	callsWorth  = 10 * time.Microsecond // what a call may add to that
	timeBatches = 64
)

// NewLoop returns a Loop. On one that is watched calls run until they prove slow; on any other only those do that are
// declared to never wait.
func NewLoop(watched bool) *Loop {
	l := &Loop{watched: watched, epoch: time.Now()}
	l.lend()
	return l
}

// lend gives the frames memory, anew when a stuck call may still use the old one.
func (l *Loop) lend() {
	l.memory = [2]wire.Scratch{}
	l.out = newOut()
	l.frame.Lend(&l.memory[0])
	l.reply.Lend(&l.memory[1])
}

// Begin begins a batch: what one look at the poller brought.
func (l *Loop) Begin() {
	l.now = time.Since(l.epoch)
	l.calls, l.forked = 0, false
}

// End ends a batch and reports whether it started goroutines, to which the engine should yield.
func (l *Loop) End() (forked bool) {
	if l.calls > 0 && time.Since(l.epoch)-l.now > slowBatch+time.Duration(l.calls)*callsWorth {
		l.timing = timeBatches
	} else if l.timing > 0 {
		l.timing--
	}
	return l.forked
}

// run runs x and reports whether the loop is still ours; if not, the caller must touch nothing but x.
func (l *Loop) run(x *exchange, rest []byte) (err error, ours bool) {
	if !l.watched {
		return x.method.Serve(x.ctx, &x.Call), true
	}
	l.calls++
	word := l.word.Load() + 1
	l.x, l.rest = x, rest
	timed, start := l.timing > 0, time.Duration(0)
	if timed {
		start = time.Since(l.epoch)
	}
	l.word.Store(word)
	err = x.method.Serve(x.ctx, &x.Call)
	if !l.word.CompareAndSwap(word, word+1) {
		l.taking.Lock() // Take is making it a call of its own
		defer l.taking.Unlock()
		return err, false
	}
	if timed {
		end := time.Since(l.epoch)
		x.traits.Pace.Inline(end-start, end)
	}
	return err, true
}

// Stuck reports whether the same call runs as when Stuck returned before; word is what it returned then.
func (l *Loop) Stuck(before uint64) (word uint64, stuck bool) {
	word = l.word.Load()
	return word, word&1 == 1 && word == before
}

// Take takes the loop from the call that word stands for and demotes its method. ok is false when the call has ended
// meanwhile. Otherwise rest is what its connection had received and not consumed; another goroutine must feed it that and
// go on with the loop.
func (l *Loop) Take(word uint64) (rest []byte, ok bool) {
	l.taking.Lock()
	defer l.taking.Unlock()
	if !l.word.CompareAndSwap(word, word+1) {
		return nil, false
	}
	x := l.x
	l.x, l.spare = nil, nil
	l.lend()
	if t := x.traits; t.Mode == call.Auto {
		t.Pace.Demote()
	}
	x.conn.taken(x)
	return l.rest, true
}
