package main

import (
	"net"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

func TestTarget(t *testing.T) {
	for _, tc := range []struct {
		uri  string
		port uint16
		want string
	}{
		{"127.0.0.1", 0, "tcp://127.0.0.1:8545"},
		{"127.0.0.1", 9000, "tcp://127.0.0.1:9000"},
		{"example.com:80", 0, "tcp://example.com:80"},
		{"example.com:80", 9000, "tcp://example.com:9000"},
		{"::1", 0, "tcp://[::1]:8545"},
		{"[::1]", 9000, "tcp://[::1]:9000"},
		{"[::1]:80", 0, "tcp://[::1]:80"},
		{"tcp://host", 0, "tcp://host:8545"},
		{"http://host", 0, "http://host:8545"},
		{"http://host:80/a/b", 0, "http://host:80/a/b"},
		{"http://host/", 9000, "http://host:9000/"},
		{"unix:///run/a:b.sock", 0, "unix:///run/a:b.sock"},
	} {
		if got, err := target(tc.uri, tc.port); err != nil || got != tc.want {
			t.Errorf("target(%q, %d) = %q, %v; want %q", tc.uri, tc.port, got, err, tc.want)
		}
	}
}

func TestTargetErrors(t *testing.T) {
	for _, uri := range []string{"", ":80", "host:0", "host:65536", "host:http", "a:b:c", "ftp://host", "tcp://", "http:///path", "[host", "[]"} {
		if got, err := target(uri, 0); err == nil {
			t.Errorf("target(%q) = %q, want an error", uri, got)
		}
	}
	if got, err := target("unix:///socket", 80); err == nil {
		t.Errorf("target of a unix socket with a port = %q, want an error", got)
	}
}

func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"host", "host:1", "[::1]:1", "::1", "http://h/p?q", "unix:///a", "tcp://%", "[::1", "::1%eth0"} {
		f.Add(seed, uint16(0))
	}
	f.Fuzz(func(t *testing.T, uri string, port uint16) {
		once, err := target(uri, port)
		if err != nil {
			return
		}
		if twice, err := target(once, 0); err != nil || twice != once {
			t.Errorf("target(%q, %d) = %q, which becomes %q, %v", uri, port, once, twice, err)
		}
	})
}

// TestConnectionLost checks that a server which hangs up counts as one that did not answer.
func TestConnectionLost(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1))
			conn.Close()
		}
	}()
	list := listCommand{server: server{URI: l.Addr().String(), Timeout: patience}}
	if got := exitCode(list.Run(&console{})); got != exitUnreachable {
		t.Errorf("exit code %d, want %d", got, exitUnreachable)
	}
}

func TestAnsweredUnavailableIsAFailure(t *testing.T) {
	if err := anywire.Errorf(anywire.Unavailable, "come back later"); connectionLost(err) {
		t.Error("an answer was taken for a lost connection")
	}
}

func TestNoTimeout(t *testing.T) {
	ctx, cancel := (&server{Timeout: 0}).context()
	defer cancel()
	if deadline, ok := ctx.Deadline(); ok {
		t.Errorf("a timeout of 0 gave the deadline %v", time.Until(deadline))
	}
}
