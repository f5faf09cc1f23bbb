//go:build linux

package main

import (
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/anywire/anywire/bench/proc"
	"github.com/anywire/anywire/bench/serve"
)

//go:embed limit/limit.c
var limitSource []byte

// contender is a server that a scenario can start.
type contender struct {
	serve.Server
	limit bool // it sends the same bytes whatever it is asked
	// command makes the process that listens on a port.
	command func(sc scenario, port int) *exec.Cmd
}

// contenders returns the limit, when there is a C compiler for it, and all servers in Go. dir is for the program.
func contenders(dir string) ([]contender, error) {
	all := []contender{}
	limit, err := buildLimit(dir)
	if err != nil && !errors.Is(err, exec.ErrNotFound) {
		return nil, err
	}
	if err == nil {
		all = append(all, contender{
			Server: serve.Server{Name: "limit", Lines: true, HTTP: true, Bulk: true}, limit: true,
			command: func(sc scenario, port int) *exec.Cmd { return exec.Command(limit, sc.limitMode(), strconv.Itoa(port)) },
		})
	}
	for _, s := range serve.All() {
		all = append(all, inGo(s, 0))
	}
	return all, nil
}

// inGo makes a contender of a server in this program. procs is GOMAXPROCS; 0: what the cores give.
func inGo(s serve.Server, procs int) contender {
	return contender{Server: s, command: func(sc scenario, port int) *exec.Cmd {
		cmd := self("serve", s.Name, "--addr", local(port), "--methods", strconv.Itoa(sc.load.Methods))
		if procs > 0 {
			cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
		}
		return cmd
	}}
}

// self runs this program again.
func self(args ...string) *exec.Cmd { return exec.Command("/proc/self/exe", args...) }

func local(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

func buildLimit(dir string) (program string, err error) {
	program = filepath.Join(dir, "limit")
	source := program + ".c"
	if err := os.WriteFile(source, limitSource, 0o600); err != nil {
		return "", err
	}
	if text, err := exec.Command("gcc", "-O2", "-o", program, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("limit.c: %w %s", err, text)
	}
	return program, nil
}

// running is a server process that accepts connections.
type running struct {
	addr string
	cmd  *exec.Cmd
}

// start starts the server and waits until it accepts.
func (c contender) start(sc scenario, core int) (*running, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	r := &running{addr: local(port), cmd: c.command(sc, port)}
	r.cmd.Stderr = os.Stderr
	if err := proc.Start(r.cmd, core); err != nil {
		return nil, err
	}
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		nc, err := net.Dial("tcp", r.addr)
		if err == nil {
			return r, nc.Close()
		}
		if time.Now().After(end) {
			r.stop()
			return nil, fmt.Errorf("%s does not listen: %w", c.Name, err)
		}
	}
}

func (r *running) pid() int { return r.cmd.Process.Pid }

// stop kills the server; how it ends says nothing.
func (r *running) stop() {
	r.cmd.Process.Kill()
	r.cmd.Wait()
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
