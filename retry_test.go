package anywire

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestBackoffGrowsWithJitter(t *testing.T) {
	for failures, top := 0, firstBackoff; failures < 100; failures++ {
		shortest, longest := time.Hour, time.Duration(0)
		for range 200 {
			d := backoff(failures)
			shortest, longest = min(shortest, d), max(longest, d)
		}
		if shortest < top/2 || longest >= top {
			t.Fatalf("after %d failures: %v to %v, want %v to %v", failures, shortest, longest, top/2, top)
		}
		if longest-shortest < top/4 {
			t.Errorf("after %d failures: %v to %v is hardly random", failures, shortest, longest)
		}
		top = min(2*top, lastBackoff)
	}
}

func TestRetryBudget(t *testing.T) {
	b := newRetryBudget()
	retries := 0
	for range 1000 { // each fails once, then works
		if b.take(0) {
			retries++
		}
	}
	if retries < 100 || retries > 111 {
		t.Errorf("%d retries of 1000 calls, want a tenth and %d more", retries, budgetTokens)
	}
	if fresh := newRetryBudget(); fresh.take(maxAttempts - 1) {
		t.Error("one call may be tried without end")
	}
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		down := errors.New("down")
		if err := g.pass(t.Context(), false); err != nil {
			t.Errorf("before any failure: %v", err)
		}
		for failures := range 5 {
			g.record(down)
			if err := g.pass(t.Context(), false); err != down {
				t.Errorf("the impatient got %v", err)
			}
			start := time.Now()
			if err := g.pass(t.Context(), true); err != nil {
				t.Errorf("the patient got %v", err)
			}
			if waited, least := time.Since(start), firstBackoff<<failures/2; waited < least {
				t.Errorf("after %d failures the patient waited %v, want %v", failures+1, waited, least)
			}
		}
		g.record(nil)
		g.record(down)
		time.Sleep(firstBackoff)
		if err := g.pass(t.Context(), false); err != nil {
			t.Errorf("after success the back-off begins anew: %v", err)
		}
	})
}
