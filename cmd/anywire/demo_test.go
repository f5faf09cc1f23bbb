package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"
)

// patience is how long a test waits for what normally takes a millisecond.
const patience = 10 * time.Second

// demoProcess is a running "anywire demo".
type demoProcess struct {
	cmd        *exec.Cmd
	addr, port string
	stdout     bytes.Buffer // complete after wait, and so is stderr
	stderr     bytes.Buffer
	remarks    *bufio.Reader // of its standard error; what is read here also goes to stderr
	output     *bufio.Reader
}

var servesOn = regexp.MustCompile(`^Serving on (\S+:(\d+)), `)

// start returns when the demo said where it serves.
func (p *demoProcess) start(flags ...string) error {
	p.cmd = exec.Command("anywire", append([]string{"demo", "--addr", "127.0.0.1:0"}, flags...)...)
	p.cmd.Env = append(os.Environ(), quickExit)
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	p.remarks = bufio.NewReader(io.TeeReader(stderr, &p.stderr))
	p.output = bufio.NewReader(io.TeeReader(stdout, &p.stdout))
	if err := p.cmd.Start(); err != nil {
		return err
	}
	first, err := p.output.ReadString('\n')
	address := servesOn.FindStringSubmatch(first)
	if address == nil {
		return fmt.Errorf("the demo began with %q, %v", first, err)
	}
	p.addr, p.port = address[1], address[2]
	return nil
}

func (p *demoProcess) interrupt() error { return p.cmd.Process.Signal(os.Interrupt) }

// wait returns when the process has ended, and how.
func (p *demoProcess) wait() error {
	io.Copy(io.Discard, p.output)
	io.Copy(io.Discard, p.remarks)
	return p.cmd.Wait()
}

func (p *demoProcess) kill() { p.cmd.Process.Kill() }

// TestSecondInterrupt checks that a demo which waits for a long call can be ended at once.
func TestSecondInterrupt(t *testing.T) {
	p := new(demoProcess)
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	defer p.kill()
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprint(conn, `{"jsonrpc":"2.0","method":"sleep","params":[60000],"id":1}`, `{"jsonrpc":"2.0","method":"hello","id":2}`)
	var answer struct{ ID int }
	if err := json.NewDecoder(conn).Decode(&answer); err != nil || answer.ID != 2 {
		t.Fatalf("answer %+v, %v; want that of the short call, while the long one runs", answer, err)
	}

	p.interrupt()
	if line, err := p.remarks.ReadString('\n'); err != nil {
		t.Fatalf("after the first interrupt: %q, %v", line, err)
	}
	p.interrupt()
	if err := p.wait(); exitCodeOf(err) != -1 {
		t.Errorf("the process ended with %v, want the signal", err)
	}
}
