//go:build linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/anywire/anywire"
	"github.com/anywire/anywire/bench/load"
	"github.com/anywire/anywire/bench/proc"
)

// loneClient calls sum by Anywire's own client.
func loneClient(s settings, _ scenario, r *running) (load.Result, error) {
	ctx := context.Background()
	client, err := anywire.Dial(ctx, "tcp://"+r.addr)
	if err != nil {
		return load.Result{}, err
	}
	defer client.Close()
	n := int64(0)
	return alone(s, r, func() error {
		n++
		got, err := anywire.Call[int64](ctx, client, "sum", []int64{n, 42})
		if err == nil && got != n+42 {
			err = fmt.Errorf("wrong sum %d", got)
		}
		return err
	})
}

// pingPong writes a line as long as a call and reads it back.
func pingPong(s settings, _ scenario, r *running) (load.Result, error) {
	nc, err := net.Dial("tcp", r.addr)
	if err != nil {
		return load.Result{}, err
	}
	defer nc.Close()
	in := bufio.NewReader(nc)
	line := fmt.Sprintf("%63s\n", "ping")
	return alone(s, r, func() error {
		if _, err := nc.Write([]byte(line)); err != nil {
			return err
		}
		got, err := in.ReadString('\n')
		if err == nil && got != line {
			err = fmt.Errorf("wrong echo %q", got)
		}
		return err
	})
}

// alone makes one call after the other in this process.
func alone(s settings, r *running, call func() error) (load.Result, error) {
	if _, err := repeat(s.warm, call); err != nil {
		return load.Result{}, err
	}
	before, err := proc.CPU(r.pid())
	if err != nil {
		return load.Result{}, err
	}
	began := time.Now()
	took, err := repeat(s.time, call)
	if err != nil {
		return load.Result{}, err
	}
	elapsed := time.Since(began)
	after, err := proc.CPU(r.pid())
	slices.Sort(took)
	n := len(took)
	return load.Result{Calls: uint64(n), Elapsed: elapsed, CPU: after - before, P50: took[n/2], P99: took[n*99/100]}, err
}

// repeat returns how long each call took.
func repeat(d time.Duration, call func() error) (took []time.Duration, err error) {
	for began := time.Now(); time.Since(began) < d; {
		start := time.Now()
		if err := call(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}
