//go:build linux

// Package proc starts processes on a chosen core and reads what the kernel accounts to them (proc_pid_schedstat and
// proc_pid_status of proc(5)).
package proc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// CPU returns the time that all threads of a process have run, in user and kernel mode. Threads that ended are missing; the
// runtimes measured here keep theirs.
func CPU(pid int) (time.Duration, error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		return 0, fmt.Errorf("process %d has no threads: %w", pid, os.ErrNotExist)
	}
	var sum time.Duration
	for _, file := range threads {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		first, _, _ := bytes.Cut(text, []byte(" "))
		ns, err := strconv.ParseInt(string(first), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		sum += time.Duration(ns)
	}
	return sum, nil
}

// RSS returns the resident memory of a process in bytes.
func RSS(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := bytes.Cut(text, []byte("VmRSS:"))
	if !found {
		return 0, fmt.Errorf("process %d has no VmRSS", pid)
	}
	kib, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	return kib << 10, err
}
