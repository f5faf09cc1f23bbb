package http1

import "slices"

// openCalls holds the IDs of the calls of one exchange that are not answered, oldest first.
type openCalls struct {
	ids      []uint64
	canceled int // so many of the oldest were told that nobody waits any more
}

// add notes a call; one with ID 0 awaits no answer.
func (o *openCalls) add(id uint64) {
	if id != 0 {
		o.ids = append(o.ids, id)
	}
}

// remove forgets an answered call and reports whether it was open.
func (o *openCalls) remove(id uint64) bool {
	i := slices.Index(o.ids, id)
	if i < 0 {
		return false
	}
	o.ids = slices.Delete(o.ids, i, i+1)
	if i < o.canceled {
		o.canceled--
	}
	return true
}

// cancel returns the next call that was not told yet, or 0.
func (o *openCalls) cancel() uint64 {
	if o.canceled == len(o.ids) {
		return 0
	}
	o.canceled++
	return o.ids[o.canceled-1]
}

func (o *openCalls) clear() { o.ids, o.canceled = o.ids[:0], 0 }
