package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9/logging"

	"github.com/anywire/anywire"
	"github.com/anywire/anywire/cmd/anywire/internal/demo"
)

const (
	storedOrders = 1024             // in memory; with the bounds of an order this is at most 27 MB
	redisTimeout = 5 * time.Second  // to connect at the start
	drainTimeout = 10 * time.Second // for the calls that run when the demo is stopped
)

// demoCommand is "anywire demo".
type demoCommand struct {
	Addr  string `default:"127.0.0.1:8545" placeholder:"HOST:PORT" help:"Where to listen (${default})."`
	Redis string `placeholder:"HOST:PORT" help:"Keep orders in the Redis there, not in memory."`
}

// Run serves until a signal ends it. A second signal ends the process at once.
func (d *demoCommand) Run(con *console) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	store, err := d.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.Close()

	srv := anywire.NewServer(
		anywire.WithLogger(slog.New(slog.NewTextHandler(con.err, nil))),
		anywire.WithLimits(anywire.Limits{RawDepth: 1000}), // echo takes its value undecoded
	)
	demo.Register(srv, store)
	l, err := net.Listen("tcp", d.Addr)
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	if err := con.introduce(ctx, srv, l.Addr().String()); err != nil {
		return err
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		stop() // from here on a signal has its usual effect
		return con.drain(srv)
	}
}

func (d *demoCommand) openStore(ctx context.Context) (demo.Store, error) {
	if d.Redis == "" {
		store := demo.NewMemory(storedOrders)
		return store, demo.SaveSample(ctx, store)
	}
	logging.Disable() // of the Redis client: what it would print comes back as an error as well
	ctx, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	store, err := demo.OpenRedis(ctx, d.Redis)
	if err != nil {
		return nil, unreachableError{err}
	}
	if err := demo.SaveSample(ctx, store); err != nil {
		store.Close()
		return nil, err
	}
	return store, nil
}

// introduce prints the methods of srv, and commands that call them at addr.
func (c *console) introduce(ctx context.Context, srv *anywire.Server, addr string) error {
	client := srv.Client()
	defer client.Close()
	var document json.RawMessage
	if err := client.Call(ctx, "rpc.discover", nil, &document); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Serving on %s, JSON-RPC and REST alike. Ctrl-C ends it. The methods:\n\n", addr)
	if err := c.methods(document); err != nil {
		return err
	}
	fmt.Fprint(c.out, "\nCommands to try:\n")
	for _, e := range demo.Examples(addr) {
		fmt.Fprintf(c.out, "\n# %s\n%s\n", e.Title, e.Command)
	}
	return nil
}

func (c *console) drain(srv *anywire.Server) error {
	fmt.Fprintf(c.err, "anywire: finishing the running calls, at most %v; interrupt again to end at once\n", drainTimeout)
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	err := srv.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		fmt.Fprintln(c.err, "anywire: some calls were still running")
		return srv.Close()
	}
	return err
}
