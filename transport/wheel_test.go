package transport

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// Alarms set for random moments, some moved and some cleared, fire within two ticks of their time, once, and not before.
func TestWheel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWheel()
		defer w.close()
		start := time.Now()
		const n = 2000
		var alarms [n]alarm
		var due [n]time.Duration // 0: must not fire
		fired := make(chan int, 2*n)
		set := func(i int) {
			d := time.Duration(rand.Int64N(int64(10 * time.Second)))
			if i%4 == 0 {
				d = time.Duration(rand.Int64N(int64(7 * time.Minute)))
			}
			due[i] = time.Since(start) + d
			w.set(&alarms[i], d)
		}
		for i := range alarms {
			alarms[i].fire = func() { fired <- i }
			set(i)
		}
		go func() {
			for range 200 {
				time.Sleep(time.Millisecond)
				i := rand.IntN(n)
				w.mu.Lock()
				pending := alarms[i].ring != nil
				w.mu.Unlock()
				switch {
				case !pending:
				case i%2 == 0:
					w.clear(&alarms[i])
					due[i] = 0
				default:
					set(i)
				}
			}
		}()
		time.Sleep(8 * time.Minute)
		synctest.Wait()
		close(fired)
		var seen [n]int
		for i := range fired {
			seen[i]++
		}
		for i := range alarms {
			if want := min(1, int(due[i])); seen[i] != want {
				t.Errorf("alarm %d fired %d times, want %d", i, seen[i], want)
			}
		}
	})
}

// An alarm fires at its time, give or take two ticks, also behind a long silence.
func TestWheelAccuracy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWheel()
		defer w.close()
		var far alarm
		far.fire = func() {}
		w.set(&far, 10*time.Minute)
		for _, d := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond, time.Second, 2 * time.Second, 3 * time.Second, time.Minute, 5 * time.Minute} {
			fired := make(chan time.Duration, 1)
			start := time.Now()
			a := alarm{fire: func() { fired <- time.Since(start) }}
			w.set(&a, d)
			if took := <-fired; took < d || took > d+2*tick {
				t.Errorf("set for %v, fired after %v", d, took)
			}
		}
	})
}
