package transport

import (
	"net"

	"github.com/anywire/anywire/mem"
)

// input is the received and unconsumed bytes of a connection, in one piece. It starts small, grows to inputSize for a busy
// peer, and beyond that only for a message that needs it, within the budget.
type input struct {
	buf    *mem.Buf
	r, w   int // buf.B[r:w] is unconsumed
	want   int // how many the machine waits for; 0: any
	taken  int // from the budget
	budget *mem.Budget
}

func (i *input) bytes() []byte {
	if i.buf == nil {
		return nil
	}
	return i.buf.B[i.r:i.w]
}

// rest returns a copy of the unconsumed bytes for when the memory is gone.
func (i *input) rest() []byte { return append([]byte(nil), i.bytes()...) }

// consume drops n bytes. Memory that someone has retained is his from then on.
func (i *input) consume(n int) {
	i.r += n
	if i.buf != nil && i.buf.Shared() {
		i.replace()
	}
	if i.r == i.w {
		i.r, i.w = 0, 0
	}
}

// replace moves the bytes to memory of our own.
func (i *input) replace() {
	rest := i.bytes()
	next := mem.Get(max(firstSize, len(rest)+1))
	next.B = next.B[:cap(next.B)]
	n := copy(next.B, rest)
	i.release()
	i.buf, i.w = next, n
}

// keep notes that n of the bytes in, which are those of i or lie in memory of someone else, were consumed, and keeps the
// rest. Without any, no memory is held.
func (i *input) keep(in []byte, n, want int) error {
	i.want = max(want, 0)
	switch {
	case n == len(in):
		i.release()
		return nil
	case i.buf != nil:
		i.consume(n)
		return nil
	}
	rest := in[n:]
	size := max(firstSize, len(rest)+1)
	if want > inputSize && len(rest) >= inputSize/2 {
		size = want
	}
	if err := i.move(size, 0); err != nil {
		return err
	}
	i.add(copy(i.buf.B, rest))
	return nil
}

func (i *input) add(n int) { i.w += n }

// full reports whether as many bytes wait as are read ahead of a machine that takes no more.
func (i *input) full() bool { return i.w-i.r >= inputSize }

// room returns where the next bytes go. want is how many unconsumed bytes the machine waits for; 0: any.
func (i *input) room(want int) ([]byte, error) {
	have := i.w - i.r
	size := i.size(have, want)
	if i.buf == nil || cap(i.buf.B) < size || i.taken > 0 && size <= inputSize && have == 0 {
		if err := i.move(size, have); err != nil {
			return nil, err
		}
	} else if i.w == cap(i.buf.B) || cap(i.buf.B)-i.r < want {
		i.w = copy(i.buf.B, i.buf.B[i.r:i.w])
		i.r = 0
	}
	return i.buf.B[i.w:cap(i.buf.B)], nil
}

// growth is how much larger the next memory is for a message whose length is not known; each step copies what has come.
const growth = 4

// size chooses a capacity: what is wanted, but large memory only for a message of which half of inputSize has come, and
// then a bounded multiple of what has come unless its length is known.
func (i *input) size(have, want int) int {
	current := 0
	if i.buf != nil {
		current = cap(i.buf.B)
	}
	switch {
	case want > have+1 && want > inputSize && have >= inputSize/2:
		return want
	case have >= current && have > 0:
		return max(inputSize, growth*have)
	case current == 0 || current > inputSize && have == 0:
		return firstSize
	}
	return min(current, max(have+1, firstSize))
}

// move changes to memory of another size.
func (i *input) move(size, have int) error {
	owed := 0
	if size > inputSize {
		owed = size
	}
	if i.budget != nil && owed > i.taken && !i.budget.Take(owed-i.taken) { // the old memory is about to go
		return ErrMemory
	}
	next := mem.Get(size)
	next.B = next.B[:cap(next.B)]
	copy(next.B, i.bytes())
	if owed > i.taken {
		i.taken = 0 // what was owed for the old memory is owed for the new one
	} else {
		i.taken -= owed
	}
	i.release()
	i.buf, i.r, i.w, i.taken = next, 0, have, owed
	return nil
}

// release gives the memory back; the unconsumed bytes go with it.
func (i *input) release() {
	if i.taken > 0 && i.budget != nil {
		i.budget.Give(i.taken)
	}
	i.buf.Release()
	i.buf, i.r, i.w, i.taken = nil, 0, 0, 0
}

// pieces writes for a pipe in pieces, so that the progress of a large write can be seen.
type pieces pipe

func (p *pieces) Write(b []byte) (written int, err error) {
	for len(b) > 0 && err == nil {
		var n int
		n, err = p.nc.Write(b[:min(len(b), pieceSize)])
		p.written.Add(int64(n))
		written += n
		b = b[n:]
	}
	return written, err
}

var _ net.Conn = (*leftConn)(nil)
