//go:build linux

// Command bench measures Anywire beside the least that the kernel allows and beside other libraries; README.md says how to
// read what it prints.
//
//	go run ./bench            all scenarios, into bench/RESULTS.md
//	go run ./bench servers    the scenarios that compare servers
//	go run ./bench json       decoding of JSON
//	go run ./bench methods    few and many registered methods
//	go run ./bench procs      GOMAXPROCS 1 and 2
//	go run ./bench lone       one client that waits for every answer
//	go run ./bench sleepers   calls beside others that sleep
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/anywire/anywire/bench/load"
	"github.com/anywire/anywire/bench/serve"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run executes one command line; tables go to out.
func run(args []string, out io.Writer) error {
	if len(args) == 0 || args[0] == "" || args[0][0] == '-' {
		args = append([]string{"all"}, args...)
	}
	switch name, rest := args[0], args[1:]; name {
	case "serve":
		return serveCommand(rest)
	case "load":
		return load.Child(os.Stdin, out)
	case "json":
		return jsonCommand(rest, out)
	default:
		return studyCommand(name, rest, out)
	}
}

// serveCommand serves until the process is killed.
func serveCommand(args []string) error {
	flags := flag.NewFlagSet("serve NAME", flag.ExitOnError)
	addr := flags.String("addr", "127.0.0.1:8545", "where to listen")
	methods := flags.Int("methods", 0, "register sum under so many more names")
	if len(args) == 0 {
		return fmt.Errorf("serve: name one of %q", serve.Names())
	}
	flags.Parse(args[1:])
	s, err := serve.Find(args[0])
	if err != nil {
		return err
	}
	return s.Serve(*addr, serve.Options{Methods: *methods})
}
