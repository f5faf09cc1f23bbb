package serve

import (
	"fmt"
	"time"

	"github.com/anywire/anywire"
)

// engines are those of Anywire that are measured, the one that the tables compare with first.
func engines() []string { return []string{"epoll", "net"} }

func anywires() []Server {
	var all []Server
	for _, engine := range engines() {
		all = append(all, Server{
			Name: "anywire-" + engine, Module: "github.com/anywire/anywire", Lines: true, HTTP: true, Bulk: true,
			Serve: func(addr string, o Options) error { return anywireServer(engine, o).ListenAndServe(addr) },
		})
	}
	return all
}

func anywireServer(engine string, o Options) *anywire.Server {
	srv := anywire.NewServer(anywire.WithEngine(engine))
	ab := anywire.Params("a", "b")
	srv.Handle("sum", sum, ab)
	srv.Handle("nap", nap, ab)
	srv.Handle("measure", measure, anywire.Params("data"))
	for i := range o.Methods {
		srv.Handle(fmt.Sprintf("sum%05d", i), sum, ab)
	}
	return srv
}

func sum(a, b int64) int64 { return a + b }

func nap(a, b int64) int64 {
	time.Sleep(napTime)
	return a + b
}

func measure(data []byte) int { return len(data) }
