package anywire_test

import (
	"bufio"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// duplex is one end of a connection in memory whose directions end separately, as those of TCP do. Nothing is buffered: a
// write waits for the read.
type duplex struct {
	net.Conn          // what is read
	out      net.Conn // what is written
}

func pair() (near, far *duplex) {
	a, b := net.Pipe()
	c, d := net.Pipe()
	return &duplex{a, c}, &duplex{d, b}
}

func (d *duplex) Write(p []byte) (int, error) { return d.out.Write(p) }
func (d *duplex) CloseWrite() error           { return d.out.Close() }

func (d *duplex) Close() error { return errors.Join(d.Conn.Close(), d.out.Close()) }

func (d *duplex) SetDeadline(t time.Time) error {
	return errors.Join(d.Conn.SetReadDeadline(t), d.out.SetWriteDeadline(t))
}

func (d *duplex) SetReadDeadline(t time.Time) error  { return d.Conn.SetReadDeadline(t) }
func (d *duplex) SetWriteDeadline(t time.Time) error { return d.out.SetWriteDeadline(t) }

// pipes is a listener whose connections lie in memory.
type pipes struct {
	queue  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// servePipes starts srv on such a listener.
func servePipes(t testing.TB, srv *anywire.Server) *pipes {
	l := &pipes{queue: make(chan net.Conn), closed: make(chan struct{})}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	t.Cleanup(func() {
		srv.Close()
		if err := <-done; !errors.Is(err, anywire.ErrServerClosed) {
			t.Errorf("Serve ended with %v", err)
		}
	})
	return l
}

// dial returns a connection to the server of l.
func (l *pipes) dial() *duplex {
	near, far := pair()
	l.queue <- far
	return near
}

// peer is dial for tests that speak lines.
func (l *pipes) peer(t *testing.T) *peer {
	nc := l.dial()
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return &peer{nc, t, bufio.NewReader(nc)}
}

func (l *pipes) Accept() (net.Conn, error) {
	select {
	case nc := <-l.queue:
		return nc, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }
