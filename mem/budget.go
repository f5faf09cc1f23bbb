package mem

import "sync/atomic"

// Budget bounds the memory that unfinished input may take at one time, over all connections. The zero Budget has no
// bound. It may be used concurrently.
type Budget struct {
	max  int64
	used atomic.Int64
}

// NewBudget returns a budget of max bytes; zero or less means no bound.
func NewBudget(max int64) *Budget { return &Budget{max: max} }

// Take claims n bytes and reports whether they were to be had; only then are they owed to Give.
func (b *Budget) Take(n int) bool {
	if b.used.Add(int64(n)) <= b.max || b.max <= 0 {
		return true
	}
	b.used.Add(-int64(n))
	return false
}

// Give returns n bytes that Take granted.
func (b *Budget) Give(n int) { b.used.Add(-int64(n)) }

// Used returns how many bytes are claimed now.
func (b *Budget) Used() int64 { return b.used.Load() }
