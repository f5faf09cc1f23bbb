//go:build linux

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/anywire/anywire/bench/serve"
	"golang.org/x/sys/unix"
)

// describe writes what must be known to compare the figures with others.
func describe(doc *document, s settings) {
	doc.add("# Results\n\nREADME.md says what is measured and how to read it.\n\n")
	doc.add("- Date: %s\n", time.Now().Format(time.DateOnly))
	doc.add("- Machine: %d × %s, Linux %s; load average before %s\n", runtime.NumCPU(), processor(), kernel(), loadAverage())
	doc.add("- Versions: %s\n", versions())
	doc.add("- Rounds: %d of %v each, %s unless a table says otherwise\n\n", s.rounds, s.time, s.placement())
}

func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func kernel() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return "?"
	}
	return unix.ByteSliceToString(u.Release[:])
}

func loadAverage() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// versions are those of Go, the C compiler and the libraries that are compared.
func versions() string {
	list := []string{runtime.Version()}
	if text, err := exec.Command("gcc", "-dumpfullversion").Output(); err == nil {
		list = append(list, "gcc "+strings.TrimSpace(string(text)))
	}
	modules := libraries()
	info, _ := debug.ReadBuildInfo()
	for _, m := range info.Deps {
		if modules[m.Path] {
			list = append(list, m.Path+" "+strings.Replace(m.Version, "(devel)", revision(), 1))
		}
	}
	return strings.Join(list, ", ")
}

// revision names the commit of the working directory, and says when it has changed since.
func revision() string {
	text, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return "(devel)"
	}
	return strings.TrimSpace(string(text))
}

func libraries() map[string]bool {
	modules := map[string]bool{"github.com/bytedance/sonic": true, "google.golang.org/protobuf": true}
	for _, s := range serve.All() {
		if s.Module != "" {
			modules[s.Module] = true
		}
	}
	return modules
}

// resultsFile is where RESULTS.md lies, seen from the root of the repository or from this folder; "" elsewhere.
func resultsFile() string {
	for _, dir := range []string{"bench", "."} {
		if _, err := os.Stat(filepath.Join(dir, "limit", "limit.c")); err == nil {
			return filepath.Join(dir, "RESULTS.md")
		}
	}
	return ""
}
