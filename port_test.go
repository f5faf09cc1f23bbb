package anywire

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestClock asks within a second, at its end, and after a long silence.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		for _, pause := range []time.Duration{0, time.Second / 2, time.Second/2 - 1, 1, time.Second, time.Hour + time.Second/3} {
			time.Sleep(pause)
			synctest.Wait()
			want := time.Now().UTC().Format(http.TimeFormat)
			if got := string(c.append(nil)); got != want {
				t.Errorf("%v later it is %s, want %s", pause, got, want)
			}
		}
	})
}
