//go:build linux

// Package load is a closed-loop load generator: a fixed number of connections, each with a fixed number of calls in flight,
// and a new call for every answer. It checks every answer, and that none is missing at the end. One thread drives all
// connections by epoll, so that the generator costs about what the fastest server costs.
package load

import "time"

// Config says what is sent and how long. It travels as JSON to the process that runs it.
type Config struct {
	Addr  string // "127.0.0.1:port"
	PID   int    // of the server, for its CPU time and memory
	HTTP  bool   // HTTP/1.1 instead of lines
	Conns int    // connections
	Depth int    // calls in flight on each

	Fixed    string // the body that answers every request, in order; "": answers are computed and checked by id
	Bulk     int    // bytes of the one argument; 0: sum
	Methods  int    // sum is called under so many names in turn; 0: one name
	NapEvery int    // every so many-th call sleeps on the server; 0: none
	Churn    bool   // each connection carries one call
	Idle     bool   // one call on each connection, then memory is measured; Warm and Time are not used

	Warm time.Duration // before the measurement
	Time time.Duration // of the measurement
}

// Result is what was measured.
type Result struct {
	Calls   uint64        // answered and checked within Time, naps not counted
	Elapsed time.Duration // what Time came to
	CPU     time.Duration // of the server meanwhile
	P50     time.Duration // from the write of a request to the read of its answer, naps not counted
	P99     time.Duration
	PerConn float64 // bytes of server memory for each idle connection
}

// CPUPerCall returns the server's CPU time for one call in microseconds.
func (r Result) CPUPerCall() float64 {
	return float64(r.CPU.Nanoseconds()) / 1e3 / float64(max(r.Calls, 1))
}

// Rate returns calls per second.
func (r Result) Rate() float64 { return float64(r.Calls) / r.Elapsed.Seconds() }
