package interop_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	_ "github.com/anywire/anywire" // a cached test result is void once the server has changed
)

// patience is how long a test waits for what normally takes a millisecond.
const patience = 20 * time.Second

// TestMain puts the command, built from the sources beside this module, in front of PATH.
func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "anywire-interop")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-C", "../cmd/anywire", fmt.Sprintf("-race=%t", raceEnabled()), "-o", dir, ".")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the command: %v\n%s", err, out)
		return 1
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// raceEnabled reports whether the tests run with the race detector, as the server then should too.
func raceEnabled() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

var servesOn = regexp.MustCompile(`^Serving on (\S+), `)

// startDemo starts "anywire demo" for the time of the test and returns its address. At the end the demo is interrupted
// and must end well: without a data race, without a call that still runs.
func startDemo(t *testing.T, flags ...string) (addr string) {
	t.Helper()
	var remarks bytes.Buffer
	output, _ := startProcess(t, &remarks, "anywire", append([]string{"demo", "--addr", "127.0.0.1:0"}, flags...)...)
	first, err := output.ReadString('\n')
	address := servesOn.FindStringSubmatch(first)
	if address == nil {
		t.Fatalf("the demo began with %q, %v", first, err)
	}
	go io.Copy(io.Discard, output)
	return address[1]
}

// startProcess starts a command for the time of the test, or until stop, and returns its output. Its errors go to remarks,
// which are shown when the test has failed. It is ended by an interrupt, and must exit with 0.
func startProcess(t *testing.T, remarks *bytes.Buffer, name string, args ...string) (output *bufio.Reader, stop func()) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stderr = remarks
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		cmd.Process.Signal(os.Interrupt)
		hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		defer hung.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", cmd, err)
		}
		if t.Failed() {
			t.Logf("%s wrote:\n%s", cmd, remarks)
		}
	})
	t.Cleanup(stop)
	return bufio.NewReader(stdout), stop
}
