package wire

import (
	"io"
	"net"

	"github.com/anywire/anywire/mem"
)

// refSize is from how many bytes on a counted body is queued by reference: below it, copying is cheaper than one more
// element of the vector that is written.
const refSize = 8 << 10

// readySize is the memory that Ready takes; more is taken as it is needed.
const readySize = 4 << 10

// Out collects the bytes that a connection sends. Machines append to B directly or by Write; WriteBuf queues large
// counted bodies without copying. The zero Out is empty and ready.
type Out struct {
	B []byte // what was appended since the last reference

	home   *mem.Buf    // the memory that B began in; nil: B has its own
	sealed net.Buffers // what comes before B
	bufs   []*mem.Buf  // references held for sealed
	size   int         // bytes in sealed
}

// Write appends a copy of p.
func (o *Out) Write(p []byte) (int, error) {
	o.B = append(o.B, p...)
	return len(p), nil
}

// WriteString appends s.
func (o *Out) WriteString(s string) (int, error) {
	o.B = append(o.B, s...)
	return len(s), nil
}

// WriteBuf appends p, the content of buf or a part of it. Large ones are kept by reference until they are written; with a
// nil buf the bytes are borrowed and always copied.
func (o *Out) WriteBuf(p []byte, buf *mem.Buf) {
	if buf == nil || len(p) < refSize {
		o.B = append(o.B, p...)
		return
	}
	buf.Retain()
	o.bufs = append(o.bufs, buf)
	o.seal()
	o.push(p)
}

// Len returns how many bytes wait; in a nil Out none do.
func (o *Out) Len() int {
	if o == nil {
		return 0
	}
	return o.size + len(o.B)
}

// Append moves everything from src to the end of o and leaves src empty.
func (o *Out) Append(src *Out) {
	if src.size == 0 {
		o.B = append(o.B, src.B...)
		src.Reset()
		return
	}
	o.seal()
	src.seal()
	for _, p := range src.sealed {
		o.push(p)
	}
	o.bufs = append(o.bufs, src.bufs...)
	*src = Out{}
}

// WriteTo writes everything with as few system calls as w allows (writev for a TCP connection) and empties o.
func (o *Out) WriteTo(w io.Writer) (int64, error) {
	defer o.Reset()
	if o.size == 0 {
		n, err := w.Write(o.B)
		return int64(n), err
	}
	o.seal()
	vec := o.sealed // WriteTo consumes its receiver, so it works on a copy of the slice header
	return vec.WriteTo(w)
}

// Next returns the bytes to be written next, in one piece; it is empty when o is.
func (o *Out) Next() []byte {
	if o.size == 0 {
		return o.B
	}
	o.seal()
	return o.sealed[0]
}

// Pieces returns all that waits, in order, for a writev; it is valid until o changes.
func (o *Out) Pieces() [][]byte {
	o.seal()
	return o.sealed
}

// Advance drops the first n bytes, because they were written.
func (o *Out) Advance(n int) {
	if o.size == 0 && n == len(o.B) {
		o.B = o.B[:0]
		return
	}
	o.seal()
	o.size -= n
	for n > 0 {
		k := min(n, len(o.sealed[0]))
		o.sealed[0] = o.sealed[0][k:]
		n -= k
		if len(o.sealed[0]) == 0 {
			o.sealed = o.sealed[1:]
		}
	}
}

// Ready gives an Out without memory some from a pool, so that appending a little allocates nothing.
func (o *Out) Ready() {
	if o.B == nil {
		o.home = mem.Get(readySize)
		o.B = o.home.B
	}
}

// Reset drops what waits and gives references back. B keeps its memory.
func (o *Out) Reset() {
	for _, b := range o.bufs {
		b.Release()
	}
	clear(o.bufs)
	clear(o.sealed)
	o.bufs, o.sealed, o.size = o.bufs[:0], o.sealed[:0], 0
	o.B = o.B[:0]
}

// Release drops what waits, and all memory: an idle Out holds none.
func (o *Out) Release() {
	o.Reset()
	o.home.Release()
	o.home, o.B = nil, nil
}

// seal closes B: what is appended later stands behind it.
func (o *Out) seal() {
	if len(o.B) == 0 {
		return
	}
	o.push(o.B)
	o.B = o.B[len(o.B):]
}

func (o *Out) push(p []byte) {
	o.sealed = append(o.sealed, p)
	o.size += len(p)
}
