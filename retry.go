package anywire

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	firstBackoff = 50 * time.Millisecond
	lastBackoff  = 5 * time.Second

	maxAttempts  = 6  // of one call
	budgetTokens = 10 // retries that may be spent at once
	tokenPerCall = 0.1
)

// backoff returns how long to wait after so many failures before the current one: doubling, and a random half of it, so
// that clients that lost the same server do not return together.
func backoff(failures int) time.Duration {
	d := min(firstBackoff<<min(failures, 16), lastBackoff)
	return d/2 + rand.N(d/2)
}

// sleep waits for d and reports whether ctx let it.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryBudget bounds retries to a tenth of the calls, so that they cannot multiply the load of a server that is failing.
type retryBudget struct {
	mu     sync.Mutex
	tokens float64 // guarded by mu
}

func newRetryBudget() *retryBudget { return &retryBudget{tokens: budgetTokens} }

// take spends a token for a retry after so many failed attempts before the current one, or says that there is none.
func (b *retryBudget) take(attempt int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if attempt == 0 {
		b.tokens = min(budgetTokens, b.tokens+tokenPerCall)
	}
	if attempt+1 >= maxAttempts || b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// gate spaces out the attempts to reach a server that cannot be reached.
type gate struct {
	mu       sync.Mutex
	failures int       // guarded by mu: in a row
	until    time.Time // guarded by mu: no attempt before
	err      error     // guarded by mu: of the last attempt
}

// pass returns when an attempt may be made: at once, or after the back-off for the patient. Others get the last error.
func (g *gate) pass(ctx context.Context, patient bool) error {
	g.mu.Lock()
	wait, err := time.Until(g.until), g.err
	g.mu.Unlock()
	switch {
	case wait <= 0 || err == nil:
		return nil
	case !patient:
		return err
	case !sleep(ctx, wait):
		return ctxError(ctx)
	}
	return nil
}

// record notes how an attempt ended. Attempts that fail beside each other count as one failure.
func (g *gate) record(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.err = err
	now := time.Now()
	switch {
	case err == nil:
		g.failures, g.until = 0, time.Time{}
	case !now.Before(g.until):
		g.until = now.Add(backoff(g.failures))
		g.failures++
	}
}
