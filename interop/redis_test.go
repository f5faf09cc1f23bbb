//go:build interop

package interop_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Orders in a Redis server outlive the demo that saved them.
func TestRedis(t *testing.T) {
	redis, _ := startRedis(t)
	const order = `{"jsonrpc":"2.0","method":"save_order","params":{"user_id":"1","items":["apple","python"]},"id":1}`
	var saved struct {
		Result struct {
			ID string `json:"order_id"`
		}
	}
	t.Run("save", func(t *testing.T) {
		text := post(t, startDemo(t, "--redis", redis), order)
		if err := json.Unmarshal([]byte(text), &saved); err != nil || saved.Result.ID == "" {
			t.Fatalf("%s: %v", text, err)
		}
	})
	t.Run("load", func(t *testing.T) {
		res, err := http.Get("http://" + startDemo(t, "--redis", redis) + "/orders/" + saved.Result.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got := answer(t, res); !strings.Contains(got, `"items":["apple","python"]`) {
			t.Error(got)
		}
	})
}

// A Redis server that goes away makes calls that need it fail, each with an error that says so; others go on.
func TestRedisGone(t *testing.T) {
	redis, stop := startRedis(t)
	demo := startDemo(t, "--redis", redis)
	stop()
	got := post(t, demo, `{"jsonrpc":"2.0","method":"order","params":["sample"],"id":1}`)
	if want := failed(1, -32014, "the order could not be loaded"); got != want {
		t.Errorf(" got %s\nwant %s", got, want)
	}
	if got := post(t, demo, sumCall); got != sumAnswer {
		t.Errorf("sum: %s", got)
	}
}

// startRedis starts a Redis server that keeps nothing on disk, for the time of the test or until stop.
func startRedis(t *testing.T) (addr string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	host, port, _ := net.SplitHostPort(l.Addr().String())
	output, stop := startProcess(t, new(bytes.Buffer), "redis-server",
		"--bind", host, "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	for {
		line, err := output.ReadString('\n')
		if err != nil {
			t.Fatalf("the Redis server ended: %v", err)
		}
		if strings.Contains(line, "Ready to accept connections") {
			go io.Copy(io.Discard, output)
			return l.Addr().String(), stop
		}
	}
}
