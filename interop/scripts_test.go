//go:build interop

package interop_test

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// scriptTime bounds one script. Nightly runs make many calls.
const scriptTime = 10 * time.Minute

func TestPython(t *testing.T) {
	runScripts(t, "python/*.py", regexp.MustCompile(`(?m)^Ran [1-9]\d* tests? in `), "python")
}

func TestNode(t *testing.T) {
	runScripts(t, "node/*.js", regexp.MustCompile(`(?m)^# pass [1-9]`), "node", "--test", "--test-reporter=tap")
}

// runScripts runs each file of a pattern as the last argument of command, with a demo of its own. A script must exit with
// 0 and say that it ran tests: test runners are content with none.
func runScripts(t *testing.T, pattern string, ranTests *regexp.Regexp, command ...string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file is %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			_, port, err := net.SplitHostPort(startDemo(t))
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), scriptTime)
			defer cancel()
			script := exec.CommandContext(ctx, command[0], append(command[1:len(command):len(command)], file)...)
			script.WaitDelay = patience
			script.Env = append(script.Environ(), "ANYWIRE_PORT="+port)
			out, err := script.CombinedOutput()
			if err != nil || !ranTests.Match(out) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
