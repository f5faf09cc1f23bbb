//go:build linux

package load

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/anywire/anywire/bench/proc"
)

// Child is the generator's process: it reads a Config from in, runs it, and writes the Result to out.
func Child(in io.Reader, out io.Writer) error {
	debug.SetGCPercent(-1) // it lives for seconds and keeps its buffers
	runtime.LockOSThread()
	var c Config
	if err := json.NewDecoder(in).Decode(&c); err != nil {
		return err
	}
	r, err := Run(c)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

// Spawn runs c in a process of its own, made by cmd, on one core or proc.AnyCore.
func Spawn(cmd *exec.Cmd, core int, c Config) (Result, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return Result{}, err
	}
	var out, problems strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(string(text)), &out, &problems
	if err := proc.Start(cmd, core); err != nil {
		return Result{}, err
	}
	if err := cmd.Wait(); err != nil {
		return Result{}, fmt.Errorf("%w: %s", err, strings.TrimSpace(problems.String()))
	}
	var r Result
	return r, json.Unmarshal([]byte(out.String()), &r)
}
