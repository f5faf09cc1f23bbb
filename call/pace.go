package call

import (
	"sync/atomic"
	"time"
)

const (
	slowCall    = 250 * time.Microsecond // inline, a call that takes so long delays others noticeably
	quickCall   = 50 * time.Microsecond  // in a goroutine of its own, a call this short would have done no harm inline
	window      = time.Second            // in which slow calls are counted together
	sightings   = 3                      // slow calls in a window that demote; one alone may be the scheduler's doing
	firstProof  = 256                    // quick calls in a row that promote a method demoted for the first time
	largestRank = 12                     // doublings of that for a method that was demoted again and again
)

// Pace is how fast the calls of a method proved to be, and what follows from it: a method whose calls are slow is demoted
// from the goroutine that reads to goroutines of their own; one that proves quick again is promoted. It may be used
// concurrently; what it counts may be a little off then.
type Pace struct {
	demoted atomic.Bool
	slow    atomic.Int32 // slow calls in the window
	since   atomic.Int64 // when the window began
	quick   atomic.Int32 // quick calls in a row since the demotion
	rank    atomic.Int32 // how often it was demoted
}

// Demoted reports whether calls must not run on the goroutine that reads.
func (p *Pace) Demoted() bool { return p.demoted.Load() }

// Inline notes how long a call took on the goroutine that reads; now is any steady clock.
func (p *Pace) Inline(took, now time.Duration) {
	if took < slowCall {
		return
	}
	if now-time.Duration(p.since.Load()) > window {
		p.since.Store(int64(now))
		p.slow.Store(0)
	}
	if p.slow.Add(1) >= sightings {
		p.Demote()
	}
}

// Apart notes how long a call took in a goroutine of its own.
func (p *Pace) Apart(took time.Duration) {
	if !p.demoted.Load() {
		return
	}
	if took > quickCall {
		p.quick.Store(0)
		return
	}
	if p.quick.Add(1) >= firstProof<<min(p.rank.Load()-1, largestRank) {
		p.slow.Store(0)
		p.demoted.Store(false)
	}
}

// Demote demotes the method at once.
func (p *Pace) Demote() {
	if p.demoted.CompareAndSwap(false, true) {
		p.quick.Store(0)
		p.rank.Add(1)
	}
}
