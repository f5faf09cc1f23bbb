//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/anywire/anywire/bench/load"
)

// table makes a table with a line for every subject: medians over the rounds, and of ratios the median of those of each
// round.
func (c comparison) table(rows []row) table {
	t := table{head: []string{c.rows}}
	columns := c.columns()
	for _, col := range columns {
		t.head = append(t.head, col.name)
	}
	for _, label := range c.against {
		t.head = append(t.head, c.metric.name+" × "+label)
	}
	for _, r := range rows {
		line := []string{r.label}
		for _, col := range columns {
			line = append(line, col.text(r.results))
		}
		for _, label := range c.against {
			line = append(line, c.ratio(r, rows, label))
		}
		t.lines = append(t.lines, line)
	}
	return t
}

type column struct {
	name string
	text func([]load.Result) string
}

func (c comparison) columns() []column {
	if c.metric.name == bytesPerConn.name {
		return []column{{"bytes per connection", figure(bytesPerConn.of, "%.0f")}}
	}
	return []column{
		{"calls/s", figure(callRate.of, "%.0f")},
		{"CPU µs/call", figure(cpuPerCall.of, "%.2f")},
		{"(least–most)", spread(cpuPerCall.of)},
		{"p50 µs", figure(micros(func(r load.Result) time.Duration { return r.P50 }), "%.1f")},
		{"p99 µs", figure(micros(func(r load.Result) time.Duration { return r.P99 }), "%.0f")},
	}
}

func micros(of func(load.Result) time.Duration) func(load.Result) float64 {
	return func(r load.Result) float64 { return float64(of(r).Nanoseconds()) / 1e3 }
}

func figure(of func(load.Result) float64, format string) func([]load.Result) string {
	return func(rs []load.Result) string { return fmt.Sprintf(format, median(each(rs, of))) }
}

func spread(of func(load.Result) float64) func([]load.Result) string {
	return func(rs []load.Result) string {
		values := each(rs, of)
		return fmt.Sprintf("(%.2f–%.2f)", slices.Min(values), slices.Max(values))
	}
}

// ratio compares r with the row of a label, round by round.
func (c comparison) ratio(r row, rows []row, label string) string {
	i := slices.IndexFunc(rows, func(r row) bool { return r.label == label })
	if i < 0 {
		return "–"
	}
	return ratioOf(each(r.results, c.metric.of), each(rows[i].results, c.metric.of))
}

// ratioOf is the median of the ratios of each round.
func ratioOf(values, bases []float64) string {
	ratios := slices.Clone(values)
	for round, base := range bases {
		ratios[round] /= base
	}
	return fmt.Sprintf("%.2f", median(ratios))
}

func each(rs []load.Result, of func(load.Result) float64) []float64 {
	values := make([]float64, len(rs))
	for i, r := range rs {
		values[i] = of(r)
	}
	return values
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
