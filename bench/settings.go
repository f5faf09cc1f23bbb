//go:build linux

package main

import (
	"flag"
	"fmt"
	"regexp"
	"time"

	"github.com/anywire/anywire/bench/proc"
)

// settings are what the flags say.
type settings struct {
	rounds int
	time   time.Duration // of one measurement
	warm   time.Duration // before it
	pin    bool          // the server on core 0, the generator on core 1
	quick  bool          // to see that all works, not how fast
	only   *regexp.Regexp
	out    string // file for the tables; "": none
}

func parseSettings(name string, args []string) (settings, error) {
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	s := settings{}
	seconds := flags.Float64("seconds", 1, "length of one measurement")
	only := flags.String("only", "", "run what matches this expression, written as SCENARIO: SERVER")
	noPin := flags.Bool("no-pin", false, "let server and generator share all cores")
	flags.BoolVar(&s.pin, "pin", true, "server on core 0, generator on core 1")
	flags.IntVar(&s.rounds, "rounds", 5, "measurements of each server, taken in turn")
	flags.BoolVar(&s.quick, "quick", false, "one round of 60 ms, to see that everything works")
	flags.StringVar(&s.out, "out", "", "file for the tables")
	flags.Parse(args)
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%s: unexpected %q", name, flags.Arg(0))
	}
	s.time = time.Duration(*seconds * float64(time.Second))
	s.warm = 200 * time.Millisecond
	s.pin = s.pin && !*noPin
	if s.quick {
		s.hurry()
	}
	var err error
	if s.only, err = regexp.Compile(*only); err != nil {
		return s, fmt.Errorf("--only: %w", err)
	}
	return s, nil
}

func (s *settings) hurry() {
	s.rounds, s.time, s.warm = 1, 60*time.Millisecond, 20*time.Millisecond
}

// cores returns where server and generator run.
func (s settings) cores() (server, generator int) {
	if s.pin {
		return 0, 1
	}
	return proc.AnyCore, proc.AnyCore
}

func (s settings) placement() string {
	if s.pin {
		return "server pinned to core 0, generator to core 1"
	}
	return "server and generator share all cores"
}
