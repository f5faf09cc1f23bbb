package demo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"time"

	"github.com/anywire/anywire"
)

func sum(a, b int64) (int64, error) { return addExactly(a, b) }

func add(numbers ...int64) (total int64, err error) {
	for _, n := range numbers {
		if total, err = addExactly(total, n); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// addExactly refuses to wrap around: a wrong sum is worse than none.
func addExactly(a, b int64) (int64, error) {
	if total := a + b; (total > a) == (b > 0) {
		return total, nil
	}
	return 0, anywire.Errorf(anywire.OutOfRange, "%d + %d does not fit into 64 bits", a, b)
}

func divide(a, b float64) (float64, error) {
	if b == 0 {
		return 0, anywire.Errorf(anywire.InvalidArgument, "division by zero")
	}
	if q := a / b; !math.IsInf(q, 0) {
		return q, nil
	}
	return 0, anywire.Errorf(anywire.OutOfRange, "%g / %g does not fit into a float64", a, b)
}

func echo(value json.RawMessage) json.RawMessage { return value }

func hello(name string) string { return "hello, " + name }

func helloWorld() string { return "hello world" }

// Login is what auth answers.
type Login struct {
	Token string `json:"token"`
	User  string `json:"user"`
}

// auth gives everybody a token that anybody can compute: it shows the shape of such a function, not how to write one.
func auth(id string) (Login, error) {
	if id == "" {
		return Login{}, anywire.Errorf(anywire.Unauthenticated, "who is calling?")
	}
	digest := sha256.Sum256([]byte("anywire demo: " + id))
	return Login{Token: hex.EncodeToString(digest[:16]), User: id}, nil
}

const maxSleep = time.Minute

func sleep(ctx context.Context, ms int64) (int64, error) {
	if ms < 0 || ms > maxSleep.Milliseconds() {
		return 0, anywire.Errorf(anywire.InvalidArgument, "ms is %d and must be 0 to %d", ms, maxSleep.Milliseconds())
	}
	timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ms, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func panics() { panic("the demo's panic method was called") }
