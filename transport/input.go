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

func (i *input) consume(n int) {
	i.r += n
	if i.r == i.w {
		i.r, i.w = 0, 0
	}
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

// size chooses a capacity: what is wanted, but large memory only for a message of which inputSize has come, and then at
// most double of what has come unless its length is known.
func (i *input) size(have, want int) int {
	current := 0
	if i.buf != nil {
		current = cap(i.buf.B)
	}
	switch {
	case want > have+1 && want > inputSize && have >= inputSize/2:
		return want
	case have >= current && have > 0:
		return max(inputSize, 2*have)
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
	if i.budget != nil && owed > 0 && !i.budget.Take(owed) {
		return ErrMemory
	}
	next := mem.Get(size)
	next.B = next.B[:cap(next.B)]
	copy(next.B, i.bytes())
	i.release()
	i.buf, i.r, i.w, i.taken = next, 0, have, owed
	return nil
}

// release gives the memory back; the unconsumed bytes go with it.
func (i *input) release() {
	if i.taken > 0 && i.budget != nil {
		i.budget.Give(i.taken)
	}
	i.taken = 0
	i.buf.Release()
	i.buf = nil
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
