//go:build linux

package proc

import (
	"fmt"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// AnyCore lets a process run on every core.
const AnyCore = -1

// Start starts cmd on one core, or on all of them for AnyCore. A new process inherits the core of the thread that makes it,
// so that not one instruction of it, nor any thread, runs elsewhere.
func Start(cmd *exec.Cmd, core int) error {
	if core == AnyCore {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("sched_getaffinity: %w", err)
	}
	one.Set(core)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return fmt.Errorf("sched_setaffinity to core %d: %w", core, err)
	}
	defer unix.SchedSetaffinity(0, &before)
	return cmd.Start()
}
