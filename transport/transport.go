// Package transport moves bytes between sockets and connections: listeners, dialers, and the engines that drive a
// conn.Conn. An engine knows no protocol.
package transport

import (
	"context"
	"fmt"
	"net"
	"strings"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
)

// Engine drives connections. Its methods may be called concurrently.
type Engine interface {
	// Serve accepts connections from l until l or done is closed, and drives each with the Conn that open returns for it;
	// nil turns it away. It returns the error that ended accepting.
	Serve(l net.Listener, done <-chan struct{}, open func(call.Peer) *conn.Conn) error
	// Attach drives one connection that is already there. It returns at once.
	Attach(nc net.Conn, c *conn.Conn)
	// Close waits until no connection is left and ends the engine. It may be called more than once, not before Serve has
	// been told to end.
	Close()
}

// Address is where a server listens or a client dials, parsed from text such as "tcp://127.0.0.1:8545", "http://host",
// "unix:///run/a.sock" or plain "host:port".
type Address struct {
	Scheme  string // "tcp", "http", "unix"; of plain text: "tcp"
	Network string // for net.Dial
	Address string // for net.Dial
	Host    string // for HTTP's Host field
	Path    string // of an HTTP endpoint; "" or "/…"
}

// schemes are the ones that this package can reach, with the port that stands for none.
var schemes = map[string]string{"tcp": "8545", "http": "80", "unix": ""}

// ParseAddress reads text. Its errors say what is wrong and what would be right.
func ParseAddress(text string) (Address, error) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		scheme, rest = "tcp", text
	}
	port, known := schemes[scheme]
	switch {
	case !known:
		return Address{}, fmt.Errorf("anywire: address %q: unknown scheme %q; use tcp://, http:// or unix://", text, scheme)
	case rest == "" && scheme == "unix":
		return Address{}, fmt.Errorf("anywire: address %q names no socket; write one such as unix:///run/app.sock", text)
	case scheme == "unix":
		return Address{Scheme: scheme, Network: "unix", Address: rest, Host: "localhost"}, nil
	}
	host, path, _ := strings.Cut(rest, "/")
	switch {
	case host == "":
		return Address{}, fmt.Errorf("anywire: address %q names no host; write one such as %s://127.0.0.1:8545", text, scheme)
	case path != "" && scheme != "http":
		return Address{}, fmt.Errorf("anywire: address %q has a path, which only http:// can use", text)
	}
	a := Address{Scheme: scheme, Network: "tcp", Address: withPort(host, port), Host: host}
	if path != "" {
		a.Path = "/" + path
	}
	return a, nil
}

// withPort adds the port that the scheme implies, also to a bare IPv6 address.
func withPort(host, port string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), port)
}

// Listen opens a listener at a tcp or unix address.
func Listen(ctx context.Context, a Address) (net.Listener, error) {
	var c net.ListenConfig
	return c.Listen(ctx, a.Network, a.Address)
}

// Dial connects to a.
func Dial(ctx context.Context, a Address) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, a.Network, a.Address)
}
