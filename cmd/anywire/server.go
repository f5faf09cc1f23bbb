package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/anywire/anywire"
)

const defaultPort = 8545

// server is the flags that say which server to call and how long to wait for it.
type server struct {
	URI     string        `name:"uri" env:"ANYWIRE_URI" default:"127.0.0.1" help:"HOST, HOST:PORT, tcp://…, http://… or unix:///PATH."`
	Port    uint16        `short:"p" placeholder:"PORT" help:"Port, in place of the one in the URI (8545 when neither has one)."`
	Timeout time.Duration `default:"10s" help:"How long to wait for the answer; 0 waits for ever."`
}

// do dials the server, runs f with the connection, and tells errors that the server answered from a server that did not.
func (s *server) do(f func(context.Context, *anywire.Client) error) error {
	uri, err := target(s.URI, s.Port)
	if err != nil {
		return usageError{err}
	}
	ctx, cancel := s.context()
	defer cancel()
	client, err := anywire.Dial(ctx, uri)
	if err != nil {
		return unreachableError{err}
	}
	defer client.Close()
	switch err = f(ctx, client); {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return unreachableError{fmt.Errorf("no answer from %s in %v", uri, s.Timeout)}
	case errors.Is(err, anywire.DeadlineExceeded), connectionLost(err):
		return unreachableError{err}
	}
	return err
}

// connectionLost tells a failure of the connection from a server that answers "unavailable": only what happened here has
// a cause, since causes never travel.
func connectionLost(err error) bool {
	e, ok := errors.AsType[*anywire.Error](err)
	return ok && e.Code == anywire.Unavailable && e.Unwrap() != nil
}

func (s *server) context() (context.Context, context.CancelFunc) {
	if s.Timeout <= 0 {
		return context.Background(), func() {}
	}
	return context.WithTimeout(context.Background(), s.Timeout)
}

// target completes what a person wrote as the address of a server to a URI. port wins over the one in uri unless it is 0.
func target(uri string, port uint16) (string, error) {
	scheme, rest, found := strings.Cut(uri, "://")
	if !found {
		scheme, rest = "tcp", uri
	}
	switch scheme {
	case "unix":
		if port != 0 {
			return "", errors.New("a unix socket has no port")
		}
		return uri, nil
	case "tcp", "http":
		authority, path := rest, ""
		if slash := strings.IndexByte(rest, '/'); slash >= 0 {
			authority, path = rest[:slash], rest[slash:]
		}
		hostport, err := withPort(authority, port)
		if err != nil {
			return "", fmt.Errorf("%q is no address: %w", uri, err)
		}
		return scheme + "://" + hostport + path, nil
	}
	return "", fmt.Errorf("%q: the scheme must be tcp, http or unix", uri)
}

// withPort returns "host:port". IPv6 addresses may come without brackets when no port follows.
func withPort(authority string, port uint16) (string, error) {
	host, own, err := splitPort(authority)
	if err != nil {
		return "", err
	}
	if host == "" || strings.ContainsAny(host, "[]") {
		return "", errors.New("it has no host")
	}
	if port == 0 {
		if port, err = parsePort(own); err != nil {
			return "", err
		}
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port))), nil
}

func splitPort(authority string) (host, port string, err error) {
	switch {
	case isIP(authority) || !strings.Contains(authority, ":"):
		return authority, "", nil
	case strings.HasPrefix(authority, "[") && strings.HasSuffix(authority, "]"):
		return authority[1 : len(authority)-1], "", nil
	}
	return net.SplitHostPort(authority)
}

func isIP(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

func parsePort(text string) (uint16, error) {
	if text == "" {
		return defaultPort, nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is no port", text)
	}
	return uint16(n), nil
}
