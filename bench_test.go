package anywire_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/rpc"
	"strings"
	"testing"

	"github.com/anywire/anywire"
)

// The benchmarks call sum over loopback TCP from GOMAXPROCS goroutines times sixteen, our wires beside the peers of the
// standard library, all in one run:
//
//	go test -run '^$' -bench Sum -benchmem .

const parallel = 16

// SumService is sum for net/rpc.
type SumService struct{}

// SumArgs are its arguments.
type SumArgs struct{ A, B int64 }

// Sum adds.
func (SumService) Sum(a SumArgs, out *int64) error {
	*out = a.A + a.B
	return nil
}

func BenchmarkSum(b *testing.B) {
	b.Run("anywire/tcp", func(b *testing.B) { benchmarkClient(b, "tcp://") })
	b.Run("anywire/http", func(b *testing.B) { benchmarkClient(b, "http://") })
	b.Run("net-rpc/gob", benchmarkNetRPC)
	b.Run("net-http/json", benchmarkNetHTTP)
}

func benchmarkClient(b *testing.B, scheme string) {
	srv := sumServer()
	defer srv.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go srv.Serve(l)
	c, err := anywire.Dial(context.Background(), scheme+l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	type args struct {
		A int64 `json:"a"`
		B int64 `json:"b"`
	}
	inParallel(b, func() error {
		_, err := anywire.Call[int64](context.Background(), c, "sum", args{2, 3})
		return err
	})
}

func benchmarkNetRPC(b *testing.B) {
	srv := rpc.NewServer()
	srv.RegisterName("Math", SumService{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	go srv.Accept(l)
	c, err := rpc.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	inParallel(b, func() error {
		var out int64
		return c.Call("Math.Sum", SumArgs{2, 3}, &out)
	})
}

func benchmarkNetHTTP(b *testing.B) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call struct {
			ID     json.RawMessage
			Params struct{ A, B int64 }
		}
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": call.Params.A + call.Params.B})
	}))
	defer srv.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024}}
	defer client.CloseIdleConnections()
	inParallel(b, func() error {
		body := strings.NewReader(`{"jsonrpc":"2.0","method":"sum","params":{"a":2,"b":3},"id":1}`)
		res, err := client.Post(srv.URL, "application/json", body)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		_, err = io.Copy(io.Discard, res.Body)
		return err
	})
}

func inParallel(b *testing.B, call func() error) {
	b.ReportAllocs()
	b.SetParallelism(parallel)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := call(); err != nil {
				b.Error(err)
				return
			}
		}
	})
}
