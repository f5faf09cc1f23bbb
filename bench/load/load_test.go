//go:build linux

package load

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// What a server does wrong is found, each by its own words.
func TestWrongServers(t *testing.T) {
	for name, test := range map[string]struct {
		answer func(id, sum int) string
		want   string
	}{
		"sum":    {func(id, sum int) string { return answer(id, sum+1) }, "wrong sum"},
		"id":     {func(id, sum int) string { return answer(id+1, (id+1)*7%2048+addend) }, "not in flight"},
		"twice":  {func(id, sum int) string { return answer(id, sum) + answer(id, sum) }, "not in flight"},
		"error":  {func(id, _ int) string { return fmt.Sprintf("{\"id\":%d,\"error\":{}}\n", id) }, "not an answer"},
		"empty":  {func(int, int) string { return "\n" }, "not an answer"},
		"end":    {func(int, int) string { return "" }, "unexpected EOF"},
		"silent": {func(int, int) string { return " " }, "no answer within"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := runAgainst(t, test.answer, Config{Conns: 2, Depth: 2, Time: 50 * time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// One call that is never answered among many that are is found at the end.
func TestLostAnswer(t *testing.T) {
	lose := func(id, sum int) string {
		if id == 9 {
			return " "
		}
		return answer(id, sum)
	}
	_, err := runAgainst(t, lose, Config{Conns: 1, Depth: 4, Warm: 20 * time.Millisecond, Time: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "1 calls were never answered") {
		t.Error(err)
	}
}

func TestRightServer(t *testing.T) {
	for name, c := range map[string]Config{
		"depth": {Conns: 3, Depth: 5},
		"churn": {Conns: 3, Depth: 1, Churn: true},
		"idle":  {Conns: 9, Depth: 1, Idle: true},
	} {
		t.Run(name, func(t *testing.T) {
			c.Time = 50 * time.Millisecond
			r, err := runAgainst(t, answer, c)
			if err != nil || r.Calls == 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

func answer(id, sum int) string {
	return fmt.Sprintf("{\"jsonrpc\":\"2.0\",\"result\":%d,\"id\":%d}\n", sum, id)
}

func runAgainst(t *testing.T, answer func(id, sum int) string, c Config) (Result, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go answerLines(nc, answer)
		}
	}()
	c.Addr, c.PID = l.Addr().String(), os.Getpid()
	loop, err := newLoop(c)
	if err != nil {
		t.Fatal(err)
	}
	defer loop.close()
	loop.patience = 100 * time.Millisecond
	if c.Idle {
		return loop.idle()
	}
	return loop.busy()
}

func answerLines(nc net.Conn, answer func(id, sum int) string) {
	defer nc.Close()
	for in := bufio.NewScanner(nc); in.Scan(); {
		a, _ := number(in.Bytes(), `"a":`)
		id, _ := number(in.Bytes(), `"id":`)
		text := answer(int(id), int(a)+addend)
		if text == "" {
			return
		}
		io.WriteString(nc, text)
	}
}

func TestSplit(t *testing.T) {
	const body = `{"id":1,"result":2}`
	for stream, f := range map[string]framing{
		body + "\n": lines{},
		"HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 19\r\n\r\n" + body:      posts{},
		"HTTP/1.1 200 OK\r\nContent-Length: 20\r\nDate: x\r\n\r\n" + body + "\n": posts{},
	} {
		for i := range len(stream) {
			if _, n, err := f.split([]byte(stream[:i])); n != 0 || err != nil {
				t.Errorf("%q: %d, %v", stream[:i], n, err)
			}
		}
		got, n, err := f.split([]byte(stream + "more"))
		if string(got) != body || n != len(stream) || err != nil {
			t.Errorf("%q: %q, %d, %v", stream, got, n, err)
		}
	}
	for _, bad := range []string{"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"} {
		if _, _, err := (posts{}).split([]byte(bad)); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add([]byte(answer(1, 49)))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, framing := range []framing{lines{}, posts{}} {
			body, n, err := framing.split(in)
			if n > len(in) || err == nil && n > 0 && !bytes.Contains(in[:n], body) {
				t.Fatalf("%d of %d bytes, %q", n, len(in), body)
			}
			sum{}.check(body)
		}
	})
}

func TestRequests(t *testing.T) {
	for want, p := range map[string]payload{
		`{"jsonrpc":"2.0","method":"sum","params":{"a":700,"b":42},"id":100}`:            sum{},
		`{"jsonrpc":"2.0","method":"nap","params":{"a":700,"b":42},"id":100}`:            sum{napEvery: 50},
		`{"jsonrpc":"2.0","method":"sum00003","params":{"a":700,"b":42},"id":100}`:       sum{methods: 97},
		`{"jsonrpc":"2.0","id":100,"method":"measure","params":{"data":"QW55d2lyZSBt"}}`: newBulk(12),
	} {
		if got := string(p.append(nil, 100)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHistogram(t *testing.T) {
	var h histogram
	for ns := range time.Duration(100_000) {
		h.add(ns)
	}
	for q, want := range map[float64]float64{0: 0, 0.001: 100, 0.5: 50_000, 0.99: 99_000} {
		if got := float64(h.quantile(q)); got > want || got < want*63/64 {
			t.Errorf("quantile %v: %v, want %v", q, got, want)
		}
	}
	for _, ns := range []uint64{0, 63, 64, 127, 128, 129, 1 << 40, 1<<63 - 1} {
		if b := bucketOf(ns); uint64(lowest(b)) > ns || b < len(h.buckets)-1 && uint64(lowest(b+1)) <= ns {
			t.Errorf("%d is in the bucket from %d to %d", ns, lowest(b), lowest(b+1))
		}
	}
}
