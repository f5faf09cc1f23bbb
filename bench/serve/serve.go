// Package serve has the servers that are compared: the same methods, by JSON-RPC 2.0, each written as its library's own
// documentation would have it.
//
//	sum(a, b)      a + b
//	nap(a, b)      the same, after 5 ms of sleep
//	measure(data)  how many bytes data has, base64 in JSON
package serve

import (
	"fmt"
	"net"
	"time"
)

// Options vary a server.
type Options struct {
	Methods int // sum also under the names sum00000, sum00001 and so on, so many; only anywire
}

// Server is one contender.
type Server struct {
	Name   string // as the tables have it
	Module string // path, for the version; "": the standard library
	Lines  bool   // it speaks JSON-RPC a line each over TCP
	HTTP   bool   // it speaks JSON-RPC over HTTP/1.1
	Bulk   bool   // it has measure

	// Serve serves at a TCP address until the process ends.
	Serve func(addr string, o Options) error
}

// All returns the contenders, Anywire with each of its engines first.
func All() []Server {
	return append(anywires(),
		Server{Name: "net/http", HTTP: true, Bulk: true, Serve: netHTTP},
		Server{Name: "fasthttp", Module: "github.com/valyala/fasthttp", HTTP: true, Serve: fastHTTP},
		Server{Name: "gnet", Module: "github.com/panjf2000/gnet/v2", Lines: true, Serve: gnetLines},
		Server{Name: "jrpc2", Module: "github.com/creachadair/jrpc2", Lines: true, Bulk: true, Serve: jrpc2Lines},
		Server{Name: "lsp.dev", Module: "go.lsp.dev/jsonrpc2", Lines: true, Bulk: true, Serve: lspDevLines},
	)
}

// Names returns the names that Find knows.
func Names() (names []string) {
	for _, s := range append(All(), PingPong) {
		names = append(names, s.Name)
	}
	return names
}

// Find returns the server of a name.
func Find(name string) (Server, error) {
	for _, s := range append(All(), PingPong) {
		if s.Name == name {
			return s, nil
		}
	}
	return Server{}, fmt.Errorf("no server %q; there are %q", name, Names())
}

const napTime = 5 * time.Millisecond

// terms are the arguments of sum; blob is the argument of measure.
type (
	terms struct {
		A int64 `json:"a"`
		B int64 `json:"b"`
	}
	blob struct {
		Data []byte `json:"data"`
	}
)

// eachConn gives every connection to a goroutine of its own.
func eachConn(addr string, serve func(net.Conn)) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	for {
		nc, err := l.Accept()
		if err != nil {
			return err
		}
		go serve(nc)
	}
}
