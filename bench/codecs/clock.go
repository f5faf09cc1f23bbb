//go:build linux

package codecs

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is what this process has run so far, on all threads.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err) // Linux has had this clock since 2.6.12
	}
	return time.Duration(t.Nano())
}
