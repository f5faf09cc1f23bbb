//go:build unix

package transport

import (
	"net"
	"syscall"

	"github.com/anywire/anywire/wire"
)

// rawConn returns the way past nc's waiting for the peer, or nil where nc has no descriptor of its own.
func rawConn(nc net.Conn) syscall.RawConn {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// try writes out without waiting, as far as the socket takes it.
func (p *pipe) try(out *wire.Out) (done bool, err error) {
	var failed error
	err = p.raw.Write(func(fd uintptr) bool {
		failed = p.attempt(int(fd), out)
		return true
	})
	switch {
	case err != nil:
		return false, err
	case failed == syscall.EAGAIN:
		return false, nil
	case failed != nil:
		return false, failed
	}
	out.Reset()
	return true, nil
}

func (p *pipe) attempt(fd int, out *wire.Out) error {
	for next := out.Next(); len(next) > 0; next = out.Next() {
		n, err := syscall.Write(fd, next)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return err
		}
		p.written.Add(int64(n))
		out.Advance(n)
	}
	return nil
}
