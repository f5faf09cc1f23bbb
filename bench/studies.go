//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/anywire/anywire/bench/load"
	"github.com/anywire/anywire/bench/serve"
)

// study is a command that compares.
type study struct {
	name        string
	comparisons func([]contender) []comparison
	unpinned    bool // its question is about more than one core
}

func studies() []study {
	return []study{
		{"servers", compareServers, false},
		{"methods", compareMethods, false},
		{"procs", compareProcs, true},
		{"lone", compareLone, true},
		{"sleepers", compareSleepers, true},
	}
}

func studyCommand(name string, args []string, out io.Writer) error {
	s, err := parseSettings(name, args)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(studies(), func(st study) bool { return name != "all" && st.name != name })
	if len(chosen) == 0 {
		return fmt.Errorf("no command %q; there are all, servers, json, methods, procs, lone, sleepers, serve and load", name)
	}
	if name == "all" && s.out == "" && s.only.String() == "" && !s.quick {
		s.out = resultsFile()
	}
	doc := &document{echo: out}
	describe(doc, s)
	failures := runStudies(chosen, s, doc)
	if name == "all" {
		failures = append(failures, decoding(s, doc))
	}
	return errors.Join(append(failures, doc.save(s.out))...)
}

func runStudies(chosen []study, s settings, doc *document) (failures []error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return []error{err}
	}
	defer os.RemoveAll(dir)
	all, err := contenders(dir)
	if err != nil {
		return []error{err}
	}
	for _, st := range chosen {
		placed := s
		placed.pin = s.pin && !st.unpinned
		failures = append(failures, compareAll(st.comparisons(all), placed, doc)...)
	}
	return failures
}

// compareServers puts all servers to all scenarios.
func compareServers(all []contender) (list []comparison) {
	for _, sc := range scenarios {
		c := comparison{name: sc.name, rows: "server", metric: cpuPerCall, against: []string{"limit", reference(all).Name}}
		if sc.load.Idle {
			c.metric, c.against = bytesPerConn, []string{reference(all).Name}
		}
		for _, server := range all {
			if sc.fits(server) {
				c.subjects = append(c.subjects, subject{label: server.Name, server: server, load: sc})
			}
		}
		list = append(list, c)
	}
	return list
}

// reference is the server that the others are compared with: Anywire with its first engine.
func reference(all []contender) contender { return anywires(all)[0] }

func anywires(all []contender) []contender {
	return slices.DeleteFunc(slices.Clone(all), func(c contender) bool { return !strings.HasPrefix(c.Name, "anywire") })
}

// compareMethods asks whether a call costs more where many methods are registered. All of them are called in turn.
func compareMethods(all []contender) (list []comparison) {
	for _, server := range anywires(all) {
		c := comparison{name: "methods registered with " + server.Name, rows: "methods", metric: cpuPerCall}
		c.against = []string{"10"}
		for _, n := range []int{10, 10_000} {
			sc := scenario{load: load.Config{Conns: 32, Depth: 16, Methods: n}}
			c.subjects = append(c.subjects, subject{label: fmt.Sprint(n), server: server, load: sc})
		}
		list = append(list, c)
	}
	return list
}

// compareProcs asks what a second core costs and gives.
func compareProcs(all []contender) (list []comparison) {
	for _, server := range anywires(all) {
		c := comparison{name: "GOMAXPROCS of " + server.Name, rows: "GOMAXPROCS", metric: cpuPerCall}
		c.against = []string{"1"}
		for _, n := range []int{1, 2} {
			sc := scenario{load: load.Config{Conns: 32, Depth: 1}}
			c.subjects = append(c.subjects, subject{label: fmt.Sprint(n), server: inGo(server.Server, n), load: sc})
		}
		list = append(list, c)
	}
	return list
}

// compareLone asks how long one client waits that makes a call when the one before is answered.
func compareLone(all []contender) []comparison {
	c := comparison{name: "one client of Anywire beside a bare ping-pong of net.Conn", rows: "server", metric: medianTime}
	c.against = []string{serve.PingPong.Name}
	c.subjects = append(c.subjects, subject{label: serve.PingPong.Name, server: inGo(serve.PingPong, 0), run: pingPong})
	for _, server := range anywires(all) {
		c.subjects = append(c.subjects, subject{label: server.Name, server: server, run: loneClient})
	}
	return []comparison{c}
}

// compareSleepers asks what is left for the others when one call of a hundred sleeps for 5 ms.
func compareSleepers(all []contender) (list []comparison) {
	for _, server := range anywires(all) {
		const awake = "no call sleeps"
		c := comparison{name: "sleeping calls with " + server.Name, rows: "calls", metric: callRate, against: []string{awake}}
		quiet := scenario{load: load.Config{Conns: 256, Depth: 1}}
		naps := quiet
		naps.load.NapEvery = 100
		c.subjects = []subject{
			{label: awake, server: server, load: quiet},
			{label: "1 % sleep 5 ms; the others", server: server, load: naps},
		}
		list = append(list, c)
	}
	return list
}
