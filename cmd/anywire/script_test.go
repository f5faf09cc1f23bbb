package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"anywire": main})
}

// TestScripts runs the scripts in testdata. Beside the usual commands of a script there are:
//
//	demo [flag…]          starts "anywire demo" on a free port, and sets ADDR and PORT
//	interrupt             interrupts it, and leaves what it wrote in demo.stdout and demo.stderr
//	redis                 starts a Redis server, and sets REDIS to its address
//	exits code command…   runs a command that must end with that exit code
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Values[demoKey{}] = new(demoProcess)
			env.Vars = append(env.Vars, quickExit)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"demo":      startDemo,
			"interrupt": interruptDemo,
			"redis":     startRedis,
			"exits":     exits,
		},
	})
}

// quickExit keeps the race detector from waiting a second at the end of each process.
const quickExit = "GORACE=atexit_sleep_ms=0"

type demoKey struct{}

func startDemo(ts *testscript.TestScript, _ bool, flags []string) {
	p := ts.Value(demoKey{}).(*demoProcess)
	ts.Check(p.start(flags...))
	ts.Defer(p.kill)
	ts.Setenv("ADDR", p.addr)
	ts.Setenv("PORT", p.port)
}

func interruptDemo(ts *testscript.TestScript, _ bool, _ []string) {
	p := ts.Value(demoKey{}).(*demoProcess)
	ts.Check(p.interrupt())
	ts.Check(p.wait())
	ts.Check(os.WriteFile(ts.MkAbs("demo.stdout"), p.stdout.Bytes(), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("demo.stderr"), p.stderr.Bytes(), 0o666))
}

func startRedis(ts *testscript.TestScript, _ bool, _ []string) {
	server := miniredis.NewMiniRedis()
	ts.Check(server.Start())
	ts.Defer(server.Close)
	ts.Setenv("REDIS", server.Addr())
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCodeOf(ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// exitCodeOf returns 0 for nil, and -1 for an error that is not a process's end by itself.
func exitCodeOf(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}
