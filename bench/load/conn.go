//go:build linux

package load

import (
	"fmt"
	"io"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// conn is one connection with Depth calls in flight. The ids of slot s are congruent to s modulo Depth, so an answer leads
// to its slot in whatever order answers come.
type conn struct {
	*loop
	fd    int
	index int
	slots []slot
	next  uint64 // the oldest call, where answers come in order
	in    []byte // an answer that has come in part
	out   []byte // requests, of which sent bytes are written
	sent  int
	full  bool // the socket takes no more; EPOLLOUT is on
}

type slot struct {
	id   uint64
	at   time.Time
	busy bool
}

// start opens the connection and makes the first calls on it.
func (c *conn) start() error {
	fd, err := connect(c.addr, c.opened)
	if err != nil {
		return err
	}
	c.opened++
	c.fd = fd
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(c.index)}
	if err := unix.EpollCtl(c.epoll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
		return fmt.Errorf("epoll_ctl: %w", err)
	}
	now := time.Now()
	for s := range c.slots {
		c.ask(s, now)
	}
	return c.flush()
}

// ask puts the next call of a slot in the output.
func (c *conn) ask(s int, now time.Time) {
	slot := &c.slots[s]
	slot.id += uint64(len(c.slots))
	slot.at, slot.busy = now, true
	c.body = c.payload.append(c.body[:0], slot.id)
	c.out = c.framing.append(c.out, c.body)
	c.flying++
}

// flush writes what the socket takes.
func (c *conn) flush() error {
	for c.sent < len(c.out) {
		n, err := write(c.fd, c.out[c.sent:])
		if err == syscall.EAGAIN {
			return c.watch(true)
		}
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
		c.sent += n
	}
	c.out, c.sent = c.out[:0], 0
	return c.watch(false)
}

// watch turns EPOLLOUT on or off.
func (c *conn) watch(full bool) error {
	if c.full == full {
		return nil
	}
	c.full = full
	event := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(c.index)}
	if full {
		event.Events |= unix.EPOLLOUT
	}
	return unix.EpollCtl(c.epoll, unix.EPOLL_CTL_MOD, c.fd, &event)
}

// readable reads once, checks the answers, and makes new calls in their place.
func (c *conn) readable() error {
	n, err := read(c.fd, c.buf)
	if err == syscall.EAGAIN {
		return nil
	}
	if n == 0 && err == nil {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	in := c.buf[:n]
	if len(c.in) > 0 {
		c.in = append(c.in, in...)
		in = c.in
	}
	rest, err := c.answers(in, time.Now())
	if err != nil {
		return err
	}
	c.in = append(c.in[:0], rest...)
	if c.cfg.Churn && c.idle() {
		return c.reopen()
	}
	return c.flush()
}

// answers takes whole answers off in.
func (c *conn) answers(in []byte, now time.Time) (rest []byte, err error) {
	for len(in) > 0 {
		body, n, err := c.framing.split(in)
		if err != nil || n == 0 {
			return in, err
		}
		id, err := c.payload.check(body)
		if err != nil {
			return in, err
		}
		if err := c.answered(id, now); err != nil {
			return in, err
		}
		in = in[n:]
	}
	return nil, nil
}

// answered books an answer and makes the next call of its slot.
func (c *conn) answered(id uint64, now time.Time) error {
	if id == 0 {
		id = c.next
	}
	c.next++
	s := int(id % uint64(len(c.slots)))
	slot := &c.slots[s]
	if slot.id != id || !slot.busy {
		return fmt.Errorf("an answer with id %d, which is not in flight", id)
	}
	slot.busy = false
	c.flying--
	c.book(id, now.Sub(slot.at))
	if !c.draining && !c.cfg.Churn {
		c.ask(s, now)
	}
	return nil
}

func (c *conn) idle() bool {
	for i := range c.slots {
		if c.slots[i].busy {
			return false
		}
	}
	return true
}

// reopen closes the connection and makes another.
func (c *conn) reopen() error {
	unix.Close(c.fd)
	c.fd = -1
	if c.draining {
		return nil
	}
	return c.start()
}
