//go:build !anywire_net

package transport

import (
	"net"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/conn"
)

// acceptor is a listener that the loops share. The kernel wakes one of them for a connection (EPOLLEXCLUSIVE); a listener
// for each loop would lose the connections queued in one when it closes.
type acceptor struct {
	engine *Epoll
	fd     int
	open   func(call.Peer) *conn.Conn
	local  net.Addr // of every connection; nil: it depends on the connection
	unix   bool

	mu     sync.RWMutex // held while the listener is used, so that its descriptor is not another's meanwhile
	closed bool         // guarded by mu
}

// acceptAtOnce bounds what one readiness accepts, so that the other loops get their share of a burst.
const acceptAtOnce = 16

func newAcceptor(e *Epoll, l net.Listener, raw syscall.RawConn, open func(call.Peer) *conn.Conn) (*acceptor, error) {
	a := &acceptor{engine: e, open: open, local: l.Addr()}
	_, a.unix = l.(*net.UnixListener)
	if tcp, ok := l.Addr().(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		a.local = nil
	}
	var err error
	if failed := raw.Control(func(fd uintptr) { err = a.prepare(int(fd)) }); failed != nil {
		return nil, failed
	}
	return a, err
}

// prepare sets what accepted connections inherit, as package net sets it on each.
func (a *acceptor) prepare(fd int) error {
	a.fd = fd
	if a.unix {
		return unix.SetNonblock(fd, true)
	}
	const idle, interval, count = 15, 15, 9 // seconds, seconds, probes
	for _, option := range [][3]int{
		{unix.IPPROTO_TCP, unix.TCP_NODELAY, 1},
		{unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1},
		{unix.IPPROTO_TCP, unix.TCP_KEEPIDLE, idle},
		{unix.IPPROTO_TCP, unix.TCP_KEEPINTVL, interval},
		{unix.IPPROTO_TCP, unix.TCP_KEEPCNT, count},
	} {
		if err := unix.SetsockoptInt(fd, option[0], option[1], option[2]); err != nil {
			return err
		}
	}
	return unix.SetNonblock(fd, true)
}

// accept takes the connections that wait, a few at a time.
func (a *acceptor) accept() {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for range acceptAtOnce {
		if a.closed {
			return
		}
		var from unix.RawSockaddrAny
		fd, err := sysAccept(a.fd, &from)
		switch err {
		case nil:
			a.take(fd, &from)
		case unix.ECONNABORTED:
		default: // nothing is left, or no descriptor is free: the readiness stays
			return
		}
	}
}

// close closes the listener l when no loop uses it.
func (a *acceptor) close(l net.Listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	l.Close()
}

func (a *acceptor) take(fd int, from *unix.RawSockaddrAny) {
	if !a.engine.table.fits(fd) {
		unix.Close(fd)
		return
	}
	c := a.open(call.Peer{Addr: peerAddr(from), Local: a.localOf(fd)})
	if c == nil {
		unix.Close(fd)
		return
	}
	a.engine.next().adopt(fd, c)
}

func (a *acceptor) localOf(fd int) net.Addr {
	if a.local != nil {
		return a.local
	}
	sa, err := unix.Getsockname(fd)
	if err != nil {
		return nil
	}
	switch sa := sa.(type) {
	case *unix.SockaddrInet4:
		return &net.TCPAddr{IP: sa.Addr[:], Port: sa.Port}
	case *unix.SockaddrInet6:
		return &net.TCPAddr{IP: sa.Addr[:], Port: sa.Port, Zone: zone(sa.ZoneId)}
	}
	return nil
}

// peerAddr returns the address that accept4 told. An IPv4 address and its bytes lie in one piece of memory, since a server
// with many connections has many of them. A client of a Unix socket rarely has a name.
func peerAddr(from *unix.RawSockaddrAny) net.Addr {
	switch from.Addr.Family {
	case unix.AF_INET:
		raw := (*unix.RawSockaddrInet4)(unsafe.Pointer(from))
		a := &struct {
			net.TCPAddr
			ip [4]byte
		}{ip: raw.Addr}
		a.IP, a.Port = a.ip[:], port(raw.Port)
		return &a.TCPAddr
	case unix.AF_INET6:
		raw := (*unix.RawSockaddrInet6)(unsafe.Pointer(from))
		return &net.TCPAddr{IP: append(net.IP(nil), raw.Addr[:]...), Port: port(raw.Port), Zone: zone(raw.Scope_id)}
	}
	return &net.UnixAddr{Net: "unix"}
}

// port reads a port in network order.
func port(p uint16) int {
	b := (*[2]byte)(unsafe.Pointer(&p))
	return int(b[0])<<8 | int(b[1])
}

func zone(id uint32) string {
	if id == 0 {
		return ""
	}
	if i, err := net.InterfaceByIndex(int(id)); err == nil {
		return i.Name
	}
	return ""
}
