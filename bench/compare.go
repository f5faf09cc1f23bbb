//go:build linux

package main

import (
	"fmt"
	"slices"

	"github.com/anywire/anywire/bench/load"
)

// comparison puts several subjects to a load in turn, A B C A B C and so on, so that what else the machine does falls on
// all of them.
type comparison struct {
	name     string
	rows     string // what the rows are
	subjects []subject
	metric   metric
	against  []string // labels of the subjects that ratios are given to
}

// subject is one row: a server and what is done to it.
type subject struct {
	label  string
	server contender
	load   scenario
	run    func(s settings, sc scenario, r *running) (load.Result, error) // nil: the load generator
}

// metric is the figure that ratios are made of.
type metric struct {
	name string
	of   func(load.Result) float64
}

var (
	cpuPerCall   = metric{"CPU", load.Result.CPUPerCall}
	bytesPerConn = metric{"bytes", func(r load.Result) float64 { return r.PerConn }}
	callRate     = metric{"calls/s", load.Result.Rate}
	medianTime   = metric{"p50", func(r load.Result) float64 { return float64(r.P50) }}
)

// row is what was measured of one subject, by round, or what went wrong.
type row struct {
	label   string
	results []load.Result
	err     error
}

// only returns c with the subjects that the settings ask for.
func (c comparison) only(s settings) comparison {
	c.subjects = slices.DeleteFunc(slices.Clone(c.subjects), func(sub subject) bool {
		return !s.only.MatchString(c.name + ": " + sub.label)
	})
	return c
}

// measure runs all rounds. A subject that has failed is not tried again.
func (c comparison) measure(s settings) []row {
	rows := make([]row, len(c.subjects))
	for range s.rounds {
		for i, sub := range c.subjects {
			if rows[i].err == nil {
				rows[i].add(sub, s)
			}
		}
	}
	return rows
}

func (r *row) add(sub subject, s settings) {
	r.label = sub.label
	result, err := sub.measure(s)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", sub.label, err)
		return
	}
	r.results = append(r.results, result)
}

// measure starts a fresh server for one measurement.
func (sub subject) measure(s settings) (load.Result, error) {
	sc := sub.load
	if s.quick && sc.load.Idle {
		sc.load.Conns = quickConns
	}
	core, _ := s.cores()
	r, err := sub.server.start(sc, core)
	if err != nil {
		return load.Result{}, err
	}
	defer r.stop()
	run := sub.run
	if run == nil {
		run = generate
	}
	cfg := &sc.load
	cfg.Addr, cfg.PID, cfg.Warm, cfg.Time = r.addr, r.pid(), s.warm, s.time
	if sub.server.limit {
		cfg.Fixed = sc.fixed()
	}
	return run(s, sc, r)
}

// generate is the load generator, in a process of its own.
func generate(s settings, sc scenario, _ *running) (load.Result, error) {
	_, core := s.cores()
	return load.Spawn(self("load"), core, sc.load)
}

// where says in a title what differs from the usual placement.
func where(s settings) string {
	if s.pin {
		return ""
	}
	return " (all cores shared)"
}

// compareAll measures and prints one comparison after the other. Subjects that fail have no row.
func compareAll(all []comparison, s settings, doc *document) (failures []error) {
	for _, c := range all {
		rows := c.only(s).measure(s)
		for _, r := range rows {
			if r.err != nil {
				failures = append(failures, fmt.Errorf("%s: %w", c.name, r.err))
			}
		}
		rows = slices.DeleteFunc(rows, func(r row) bool { return r.err != nil })
		if len(rows) > 0 {
			doc.section(c.name+where(s), c.table(rows))
		}
	}
	return failures
}
