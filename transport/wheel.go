package transport

import (
	"math/bits"
	"sync"
	"time"
)

// wheel is a timer for many connections: coarse, and free when nothing is due soon. Moments up to fineSpan ahead lie in
// slots of one tick, later ones in slots of fineSpan, from which they move to the fine ones when their time comes. One timer
// of the runtime is set to the next slot that is not empty.
type wheel struct {
	base time.Time

	mu     sync.Mutex
	fine   ring // guarded by mu, like all below
	coarse ring
	now    int64 // tick up to which everything has fired
	timer  *time.Timer
	next   int64 // tick that timer is set to; 0: none
	closed bool
}

const (
	tick     = 8 * time.Millisecond
	slots    = 256
	fineSpan = slots // ticks
	farthest = slots*fineSpan - 2*fineSpan
)

// alarm is one moment on a wheel, embedded in what is to be woken. Its fields are guarded by the wheel's mutex.
type alarm struct {
	fire       func()
	at         int64 // tick
	ring       *ring // nil: it is not set
	slot       int   // of ring
	prev, next *alarm
}

// ring is a circle of slots, each a list of alarms.
type ring struct {
	slot [slots]*alarm
	used [slots / 64]uint64 // a bit for each slot that is not empty
}

func newWheel() *wheel { return &wheel{base: time.Now()} }

// set sets a to fire after d, give or take a tick; an earlier setting is gone.
func (w *wheel) set(a *alarm, d time.Duration) { w.setTo(a, d, nil) }

// setTo is set with another function to be called; nil: the same.
func (w *wheel) setTo(a *alarm, d time.Duration, fire func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if fire != nil {
		a.fire = fire
	}
	a.remove()
	now := int64(time.Since(w.base) / tick)
	if w.fine.empty() && w.coarse.empty() {
		w.now = now
	}
	a.at = max(w.now+1, now+min(int64(d/tick)+1, farthest))
	w.insert(a)
	w.arm()
}

// clear makes sure that a does not fire, unless it is doing so already.
func (w *wheel) clear(a *alarm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a.remove()
}

// close ends the wheel; what is set never fires.
func (w *wheel) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
}

// insert files a by its tick. The mutex is held.
func (w *wheel) insert(a *alarm) {
	if a.at-w.now < fineSpan {
		w.fine.add(a, int(a.at%slots))
		return
	}
	w.coarse.add(a, int(a.at/fineSpan%slots))
}

// arm sets the timer to the next slot with anything in it. The mutex is held.
func (w *wheel) arm() {
	next := w.upcoming()
	if next == 0 || w.next != 0 && w.next <= next {
		return
	}
	w.next = next
	d := time.Until(w.base.Add(time.Duration(next) * tick))
	if w.timer == nil {
		w.timer = time.AfterFunc(d, w.turn)
		return
	}
	w.timer.Reset(d)
}

// upcoming returns the tick of the next slot that is not empty, or 0. The mutex is held.
func (w *wheel) upcoming() int64 {
	next := int64(0)
	if k := w.fine.after(int((w.now + 1) % slots)); k >= 0 {
		next = w.now + 1 + int64(k)
	}
	block := w.now/fineSpan + 1
	if k := w.coarse.after(int(block % slots)); k >= 0 {
		if at := (block + int64(k)) * fineSpan; next == 0 || at < next {
			next = at
		}
	}
	return next
}

// turn fires what is due.
func (w *wheel) turn() {
	w.mu.Lock()
	w.next = 0
	var due []func()
	for now := int64(time.Since(w.base) / tick); !w.closed; {
		next := w.upcoming()
		if next == 0 || next > now {
			break
		}
		w.now = next
		due = w.advance(due)
	}
	w.arm()
	w.mu.Unlock()
	for _, fire := range due {
		fire()
	}
}

// advance takes out what fires at the tick now, after moving what became near to the fine slots. The mutex is held.
func (w *wheel) advance(due []func()) []func() {
	if w.now%fineSpan == 0 {
		for a := w.coarse.slot[w.now/fineSpan%slots]; a != nil; {
			next := a.next
			a.remove()
			w.insert(a)
			a = next
		}
	}
	for a := w.fine.slot[w.now%slots]; a != nil; {
		next := a.next
		a.remove()
		due = append(due, a.fire)
		a = next
	}
	return due
}

func (r *ring) add(a *alarm, slot int) {
	a.ring, a.slot, a.prev, a.next = r, slot, nil, r.slot[slot]
	if a.next != nil {
		a.next.prev = a
	}
	r.slot[slot] = a
	r.used[slot/64] |= 1 << (slot % 64)
}

// remove takes a out of the slot that it is in.
func (a *alarm) remove() {
	r := a.ring
	if r == nil {
		return
	}
	if a.next != nil {
		a.next.prev = a.prev
	}
	if a.prev != nil {
		a.prev.next = a.next
	} else {
		r.slot[a.slot] = a.next
	}
	if r.slot[a.slot] == nil {
		r.used[a.slot/64] &^= 1 << (a.slot % 64)
	}
	a.ring, a.prev, a.next = nil, nil, nil
}

func (r *ring) empty() bool { return r.used == [slots / 64]uint64{} }

// after returns how many slots behind from, around the circle, the first one lies that is not empty; -1: all are.
func (r *ring) after(from int) int {
	for k := 0; k < slots; {
		i := (from + k) % slots
		if rest := r.used[i/64] >> (i % 64); rest != 0 {
			return k + bits.TrailingZeros64(rest)
		}
		k += 64 - i%64
	}
	return -1
}
