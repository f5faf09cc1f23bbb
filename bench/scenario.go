//go:build linux

package main

import (
	"github.com/anywire/anywire/bench/load"
)

// scenario is one kind of load.
type scenario struct {
	name string
	load load.Config // without address, process and times
}

const (
	bulkBytes  = 1_600_000
	idleConns  = 10_000
	fixedSum   = `{"jsonrpc":"2.0","id":1,"result":65}`
	fixedBulk  = `{"result":1600}`
	quickConns = 200 // instead of idleConns
)

// scenarios are the loads that all servers are put to.
var scenarios = []scenario{
	{"lines, 1 connection", load.Config{Conns: 1, Depth: 1}},
	{"lines, 32 connections", load.Config{Conns: 32, Depth: 1}},
	{"lines, 256 connections", load.Config{Conns: 256, Depth: 1}},
	{"lines, 32 connections, 16 calls in flight on each", load.Config{Conns: 32, Depth: 16}},
	{"HTTP, 1 connection", load.Config{HTTP: true, Conns: 1, Depth: 1}},
	{"HTTP, 32 connections", load.Config{HTTP: true, Conns: 32, Depth: 1}},
	{"HTTP, 256 connections", load.Config{HTTP: true, Conns: 256, Depth: 1}},
	{"HTTP, 32 connections, 16 requests in flight on each", load.Config{HTTP: true, Conns: 32, Depth: 16}},
	{"lines, connect, call, close, 32 at a time", load.Config{Conns: 32, Depth: 1, Churn: true}},
	{"HTTP, connect, call, close, 32 at a time", load.Config{HTTP: true, Conns: 32, Depth: 1, Churn: true}},
	{"lines, 1.6 MB argument, 4 connections", load.Config{Conns: 4, Depth: 1, Bulk: bulkBytes}},
	{"HTTP, 1.6 MB argument, 4 connections", load.Config{HTTP: true, Conns: 4, Depth: 1, Bulk: bulkBytes}},
	{"lines, 10 000 idle connections", load.Config{Conns: idleConns, Depth: 1, Idle: true}},
	{"HTTP, 10 000 idle connections", load.Config{HTTP: true, Conns: idleConns, Depth: 1, Idle: true}},
}

// fits reports whether a server has what the scenario asks for.
func (sc scenario) fits(c contender) bool {
	if sc.load.HTTP && !c.HTTP || !sc.load.HTTP && !c.Lines {
		return false
	}
	return sc.load.Bulk == 0 || c.Bulk
}

// limitMode is what limit.c calls it.
func (sc scenario) limitMode() string {
	switch {
	case sc.load.HTTP:
		return "http"
	case sc.load.Bulk > 0:
		return "bulk"
	}
	return "line"
}

// fixed is the answer of limit.c, without framing.
func (sc scenario) fixed() string {
	if sc.limitMode() == "bulk" {
		return fixedBulk
	}
	return fixedSum
}
