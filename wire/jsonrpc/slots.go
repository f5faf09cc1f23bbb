package jsonrpc

import (
	"bytes"
	"hash/maphash"
)

// A slot remembers what a call of the peer needs for its answer. Its number, with a generation that makes a late answer to
// an earlier user of the slot recognisable, is the frame's ID.
type slot struct {
	id    []byte // as received; its memory is reused
	hash  uint64
	gen   uint32
	used  bool
	keyed bool // byID knows it

	meta  bool   // the request had meta, so the answer may
	batch *batch // which it belongs to; nil: a single call
	index int    // place in the batch
}

// slots are the calls of the peer that have no answer yet.
type slots struct {
	all  []slot
	free []int32
	byID map[uint64]int32 // hash of the id → slot, once there were many; calls whose id is null are not in it
	seed maphash.Seed
	used int
	base uint32 // generation of new slots
	once bool   // each slot serves one call, so that IDs stay below 1<<32 (wire.Exchange)
}

func newSlots(once bool) slots {
	return slots{once: once}
}

// open takes a slot for a call with that id and returns its frame ID.
func (s *slots) open(id []byte) (uint64, *slot) {
	i := s.take()
	v := &s.all[i]
	v.used = true
	v.id = append(v.id[:0], id...)
	s.used++
	if s.byID != nil {
		s.key(i)
	} else if s.used > few {
		s.index()
	}
	return frameID(v.gen, i), v
}

// few is how many calls are compared one by one; more get an index.
const few = 8

// index begins to keep byID.
func (s *slots) index() {
	s.byID, s.seed = make(map[uint64]int32), maphash.MakeSeed()
	for i := range s.all {
		if s.all[i].used {
			s.key(int32(i))
		}
	}
}

func (s *slots) key(i int32) {
	v := &s.all[i]
	if v.id[0] == 'n' {
		return
	}
	v.hash, v.keyed = maphash.Bytes(s.seed, v.id), true
	s.byID[v.hash] = i
}

func (s *slots) take() int32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return i
	}
	if n := len(s.all); n < cap(s.all) {
		s.all = s.all[:n+1]
	} else {
		s.all = append(s.all, slot{gen: s.base})
	}
	return int32(len(s.all) - 1)
}

// reset forgets every call but keeps the memory; numbers begin anew.
func (s *slots) reset() {
	for i := range s.all {
		s.all[i] = slot{id: s.all[i].id}
	}
	s.all, s.free, s.used = s.all[:0], s.free[:0], 0
	s.byID = nil
}

func frameID(gen uint32, i int32) uint64 { return uint64(gen)<<32 | uint64(i+1) }

// get returns the slot of a frame ID, or nil when its call has been answered.
func (s *slots) get(id uint64) *slot {
	i := int64(uint32(id)) - 1
	if i < 0 || i >= int64(len(s.all)) {
		return nil
	}
	v := &s.all[i]
	if !v.used || v.gen != uint32(id>>32) {
		return nil
	}
	return v
}

// find returns the frame ID of the unanswered call with that id on the wire, or 0.
func (s *slots) find(id []byte) uint64 {
	if s.used == 0 || id[0] == 'n' {
		return 0
	}
	if s.byID == nil {
		return s.scan(id)
	}
	i, ok := s.byID[maphash.Bytes(s.seed, id)]
	if !ok || !bytes.Equal(s.all[i].id, id) {
		return 0
	}
	return frameID(s.all[i].gen, i)
}

func (s *slots) scan(id []byte) uint64 {
	for i := range s.all {
		if v := &s.all[i]; v.used && bytes.Equal(v.id, id) {
			return frameID(v.gen, int32(i))
		}
	}
	return 0
}

// close frees the slot of a frame ID that get knows.
func (s *slots) close(id uint64) {
	i := int32(uint32(id)) - 1
	v := &s.all[i]
	if v.keyed && s.byID[v.hash] == i {
		delete(s.byID, v.hash)
	}
	v.gen++
	v.used, v.keyed, v.meta, v.batch = false, false, false, nil
	if !s.once {
		s.free = append(s.free, i)
	}
	if s.used--; s.used == 0 && len(s.all) > few && !s.once {
		*s = slots{base: s.base + 1<<16} // what a burst took goes back
	}
}
