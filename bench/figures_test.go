//go:build linux

package main

import (
	"testing"
	"time"

	"github.com/anywire/anywire/bench/load"
)

func TestTableOfFigures(t *testing.T) {
	result := func(cpu time.Duration) load.Result {
		return load.Result{Calls: 10, Elapsed: time.Second, CPU: cpu * 10, P50: 2 * time.Microsecond, P99: 90 * time.Microsecond}
	}
	c := comparison{rows: "server", metric: cpuPerCall, against: []string{"limit", "absent"}}
	got := c.table([]row{
		{label: "limit", results: []load.Result{result(1000), result(4000), result(2000)}},
		{label: "ours", results: []load.Result{result(1500), result(8000), result(3000)}},
	}).String()
	want := `| server | calls/s | CPU µs/call | (least–most) | p50 µs | p99 µs | CPU × limit | CPU × absent |
|--------|--------:|------------:|-------------:|-------:|-------:|------------:|-------------:|
| limit  |      10 |        2.00 |  (1.00–4.00) |    2.0 |     90 |        1.00 |            – |
| ours   |      10 |        3.00 |  (1.50–8.00) |    2.0 |     90 |        1.50 |            – |
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 2, 9}, 3},
	} {
		if got := median(test.values); got != test.want {
			t.Errorf("median of %v: %v, want %v", test.values, got, test.want)
		}
	}
}
