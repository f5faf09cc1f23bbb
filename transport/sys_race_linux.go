//go:build !anywire_net && race

package transport

import "syscall"

// The race detector learns from package syscall that what one end of a connection wrote happened before what the other end
// read. Raw system calls would hide that, and tests of users would see races that are none.

func sysRead(fd int, p []byte) (int, error) {
	for {
		n, err := syscall.Read(fd, p)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

func sysWrite(fd int, p []byte) (int, error) {
	for {
		n, err := syscall.Write(fd, p)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

// sysWritev writes the first piece alone; the caller comes again for the others.
func sysWritev(fd int, pieces [][]byte) (int, error) {
	for _, p := range pieces {
		if len(p) > 0 {
			return sysWrite(fd, p)
		}
	}
	return 0, nil
}
