//go:build !anywire_net

package transport

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system calls of the loops. None of them waits, so they skip the scheduler's bookkeeping of calls that may.

func sysAccept(fd int, from *unix.RawSockaddrAny) (int, error) {
	size := uint32(unix.SizeofSockaddrAny)
	for {
		n, _, errno := syscall.RawSyscall6(unix.SYS_ACCEPT4, uintptr(fd), uintptr(unsafe.Pointer(from)),
			uintptr(unsafe.Pointer(&size)), unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0, 0)
		if errno == 0 {
			return int(n), nil
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}

func epollWait(epfd int, events []unix.EpollEvent) int {
	n, _, errno := syscall.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epfd),
		uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}
