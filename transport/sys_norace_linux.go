//go:build !anywire_net && !race

package transport

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func sysRead(fd int, p []byte) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		if errno == 0 {
			return int(n), nil
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}

func sysWrite(fd int, p []byte) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		if errno == 0 {
			return int(n), nil
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}

// maxPieces is how many pieces one writev takes; more are sent by the next.
const maxPieces = 64

func sysWritev(fd int, pieces [][]byte) (int, error) {
	var vec [maxPieces]unix.Iovec
	n := 0
	for _, p := range pieces {
		if n == maxPieces {
			break
		}
		if len(p) > 0 {
			vec[n].Base = unsafe.SliceData(p)
			vec[n].SetLen(len(p))
			n++
		}
	}
	for {
		wrote, _, errno := syscall.RawSyscall(syscall.SYS_WRITEV, uintptr(fd), uintptr(unsafe.Pointer(&vec)), uintptr(n))
		if errno == 0 {
			return int(wrote), nil
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}
