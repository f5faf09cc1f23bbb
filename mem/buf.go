// Package mem holds the memory that bytes travel in: counted buffers from pools of a few size classes, and the budget
// that bounds how much of it peers can make a server take.
package mem

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

const (
	minClass = 12 // 4 KiB, the smallest buffer worth pooling
	maxClass = 23 // 8 MiB; larger buffers go back to the garbage collector
)

// Buf is a counted piece of memory. The holder of a reference may read B[:len(B)]; only its first owner writes to it,
// before sharing it. The last Release gives the memory back, after which nobody may touch B.
type Buf struct {
	B    []byte
	refs atomic.Int32
}

// pools holds free buffers by size class: pools[i] keeps capacities of 1<<(minClass+i) bytes.
var pools [maxClass - minClass + 1]sync.Pool

// Get returns an empty buffer with room for at least n bytes and one reference.
func Get(n int) *Buf {
	i := classOf(n)
	if i >= len(pools) {
		b := &Buf{B: make([]byte, 0, n)}
		b.refs.Store(1)
		return b
	}
	b, _ := pools[i].Get().(*Buf)
	if b == nil {
		b = &Buf{B: make([]byte, 0, 1<<(minClass+i))}
	}
	b.B = b.B[:0]
	b.refs.Store(1)
	return b
}

// Retain adds a reference.
func (b *Buf) Retain() { b.refs.Add(1) }

// Shared reports whether there is more than one reference, so that the first owner must not write to it any more.
func (b *Buf) Shared() bool { return b.refs.Load() > 1 }

// Release drops a reference. Releasing nil does nothing, so that a frame without memory of its own needs no test.
func (b *Buf) Release() {
	if b == nil {
		return
	}
	switch left := b.refs.Add(-1); {
	case left < 0:
		panic("mem: a buffer was released more often than retained")
	case left == 0:
		b.recycle()
	}
}

// recycle files the buffer under the class its capacity fills; append may have moved it since Get.
func (b *Buf) recycle() {
	c := cap(b.B)
	if c < 1<<minClass || c >= 1<<(maxClass+1) {
		return
	}
	pools[bits.Len(uint(c))-1-minClass].Put(b)
}

func classOf(n int) int {
	if n <= 1<<minClass {
		return 0
	}
	return bits.Len(uint(n-1)) - minClass
}
