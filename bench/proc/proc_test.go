//go:build linux

package proc

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestAccounting(t *testing.T) {
	before, err := CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		os.ReadFile("/proc/self/status")
	}
	if after, err := CPU(os.Getpid()); err != nil || after <= before {
		t.Errorf("CPU time from %v to %v, %v", before, after, err)
	}
	if rss, err := RSS(os.Getpid()); err != nil || rss < 1<<20 {
		t.Errorf("%d bytes, %v", rss, err)
	}
	const nobody = 1 << 30 // above any pid
	if _, err := CPU(nobody); err == nil {
		t.Error("CPU time of no process")
	}
	if _, err := RSS(nobody); err == nil {
		t.Error("memory of no process")
	}
}

func TestStartOnOneCore(t *testing.T) {
	var out strings.Builder
	cmd := exec.Command("grep", "Cpus_allowed_list", "/proc/self/status")
	cmd.Stdout = &out
	if err := Start(cmd, 0); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || strings.Fields(out.String())[1] != "0" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := Start(exec.Command("true"), 1000); err == nil {
		t.Error("core 1000 is there")
	}
}
