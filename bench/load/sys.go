//go:build linux

package load

import (
	"fmt"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls below do not tell the Go scheduler about themselves: this process has one goroutine that matters, and
// telling costs as much as parsing an answer does.

// read reads what is there. n is 0 at the end of the stream; EAGAIN is an error.
func read(fd int, p []byte) (int, error) { return transfer(syscall.SYS_READ, fd, p) }

func write(fd int, p []byte) (int, error) { return transfer(syscall.SYS_WRITE, fd, p) }

func transfer(call uintptr, fd int, p []byte) (int, error) {
	n, _, errno := syscall.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// wait fills ready with events, waiting so many milliseconds for the first.
func wait(epoll int, ready []unix.EpollEvent, ms int) (int, error) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(&ready[0])),
		uintptr(len(ready)), uintptr(ms), 0, 0)
	if errno == syscall.EINTR {
		return 0, nil
	}
	if errno != 0 {
		return 0, fmt.Errorf("epoll_pwait: %w", errno)
	}
	return int(n), nil
}

// loopbacks are the addresses 127.0.0.1 and up that connections come from in turn: a closed connection keeps its port for a
// minute (TIME_WAIT, RFC 9293 section 3.4.2), and one address runs out of ports within seconds.
const loopbacks = 64

// connect returns the nth connection to addr, which is on 127.0.0.0/8.
func connect(addr netip.AddrPort, n int) (int, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, fmt.Errorf("socket: %w", err)
	}
	from := &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, byte(1 + n%loopbacks)}}
	for _, step := range []func() error{
		func() error { return unix.SetsockoptInt(fd, unix.IPPROTO_IP, unix.IP_BIND_ADDRESS_NO_PORT, 1) },
		func() error { return unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1) },
		func() error { return unix.Bind(fd, from) },
		func() error {
			return unix.Connect(fd, &unix.SockaddrInet4{Addr: addr.Addr().As4(), Port: int(addr.Port())})
		},
		func() error { return unix.SetNonblock(fd, true) },
	} {
		if err := step(); err != nil {
			unix.Close(fd)
			return -1, fmt.Errorf("connecting to %s: %w", addr, err)
		}
	}
	return fd, nil
}
