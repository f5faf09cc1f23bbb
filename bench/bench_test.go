//go:build linux

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/anywire/anywire/bench/serve"
)

// The test program is also the servers and the load generator that it starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "load") {
		main()
		return
	}
	os.Exit(m.Run())
}

// Every server answers every scenario right, also with what the other commands do, and all get their rows.
func TestEverything(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"--quick"}, &out); err != nil {
		t.Fatal(err)
	}
	for _, name := range serve.Names() {
		if !strings.Contains(out.String(), "| "+name+" ") {
			t.Errorf("no row of %s", name)
		}
	}
	for _, sc := range scenarios {
		if !strings.Contains(out.String(), "## "+sc.name+"\n") {
			t.Errorf("no table of %q", sc.name)
		}
	}
	t.Log(out.String())
}

func TestCommandLine(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"nonsense", "no command"},
		{"serve", "name one of"},
		{"serve nobody", "no server"},
		{"servers --only (", "--only"},
		{"servers surplus", "unexpected"},
	} {
		err := run(strings.Fields(test.args), &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.args, err, test.want)
		}
	}
}

func TestOnly(t *testing.T) {
	var out strings.Builder
	if err := run(strings.Fields("servers --quick --only ^lines,.32.connections:.(gnet|jrpc2)"), &out); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "## ") != 1 || strings.Contains(out.String(), "| anywire") {
		t.Error(out.String())
	}
}
