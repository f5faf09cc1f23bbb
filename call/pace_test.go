package call

import (
	"testing"
	"time"
)

// slowly notes n slow calls on the goroutine that reads, one each step, from start on.
func slowly(p *Pace, n int, start, step time.Duration) {
	for i := range n {
		p.Inline(slowCall, start+time.Duration(i)*step)
	}
}

func TestPaceDemotes(t *testing.T) {
	cases := []struct {
		name    string
		note    func(p *Pace)
		demoted bool
	}{
		{"no call", func(*Pace) {}, false},
		{"quick calls", func(p *Pace) {
			for i := range 1000 {
				p.Inline(slowCall-1, time.Duration(i)*time.Microsecond)
			}
		}, false},
		{"one slow call less than it takes", func(p *Pace) { slowly(p, sightings-1, 0, 0) }, false},
		{"as many as it takes", func(p *Pace) { slowly(p, sightings, 0, 0) }, true},
		{"within the window", func(p *Pace) { slowly(p, sightings, 5*time.Hour, window/sightings) }, true},
		{"too rarely", func(p *Pace) { slowly(p, 10*sightings, 5*time.Hour, window/(sightings-1)+1) }, false},
		{"with quick ones between", func(p *Pace) {
			for i := range sightings {
				p.Inline(slowCall, time.Duration(i))
				p.Inline(0, time.Duration(i))
			}
		}, true},
		{"at once", func(p *Pace) { p.Demote() }, true},
	}
	for _, c := range cases {
		var p Pace
		if c.note(&p); p.Demoted() != c.demoted {
			t.Errorf("%s: demoted %v", c.name, p.Demoted())
		}
	}
}

// proof is how many quick calls in a row promote p.
func proof(p *Pace) (calls int) {
	for p.Demoted() {
		p.Apart(quickCall)
		calls++
	}
	return calls
}

// Each demotion doubles what it takes to be promoted, up to a bound.
func TestPacePromotes(t *testing.T) {
	var p Pace
	for rank := range largestRank + 3 {
		p.Demote()
		if got, want := proof(&p), firstProof<<min(rank, largestRank); got != want {
			t.Errorf("demotion %d: promoted after %d quick calls, want %d", rank+1, got, want)
		}
	}
}

func TestPaceProofStartsAnew(t *testing.T) {
	var p Pace
	p.Demote()
	for range firstProof - 1 {
		p.Apart(0)
	}
	p.Apart(quickCall + 1)
	if got := proof(&p); got != firstProof {
		t.Errorf("promoted %d quick calls after a slow one, want %d", got, firstProof)
	}
}

// What was counted before the demotion is not held against the method after it.
func TestPaceForgives(t *testing.T) {
	var p Pace
	slowly(&p, sightings, 0, 0)
	proof(&p)
	slowly(&p, sightings-1, 0, 0)
	if p.Demoted() {
		t.Error("demoted again by fewer slow calls than the first time")
	}
	slowly(&p, 1, 0, 0)
	if !p.Demoted() {
		t.Error("not demoted again")
	}
}

func TestPaceDemotedTwiceAtOnceCountsOnce(t *testing.T) {
	var p Pace
	p.Demote()
	p.Demote()
	if got := proof(&p); got != firstProof {
		t.Errorf("promoted after %d, want %d", got, firstProof)
	}
	for range 10 { // of a method that is not demoted
		p.Apart(time.Hour)
	}
	if p.Demoted() {
		t.Error("Apart demoted")
	}
}
