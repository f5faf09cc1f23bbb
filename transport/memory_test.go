package transport

import (
	"runtime"
	"strings"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
)

// allocated returns how many bytes the heap gave out while f ran.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// Decode implements call.Method.
func (m *large) Decode(c *call.Call, _ *call.Head, body []byte) error {
	m.got.Add(int64(len(body)))
	c.In = ""
	return nil
}

// Memory that someone retained is never written again.
func TestInputLeavesRetainedMemoryAlone(t *testing.T) {
	var in input
	defer in.release()
	room, err := in.room(0)
	if err != nil {
		t.Fatal(err)
	}
	in.add(copy(room, "precious rest"))
	kept := in.buf
	kept.Retain()
	precious := in.bytes()[:len("precious")]
	in.consume(len("precious "))
	if in.buf == kept || string(in.bytes()) != "rest" {
		t.Fatalf("%q is left, in memory that is someone else's: %v", in.bytes(), in.buf == kept)
	}
	for range 3 {
		room, _ = in.room(0)
		for i := range room {
			room[i] = '!'
		}
		in.add(len(room))
		in.consume(len(in.bytes()))
	}
	if string(precious) != "precious" {
		t.Errorf("it was overwritten: %q", precious)
	}
	kept.Release()
}

// keep copies what is left in memory that belongs to the loop, once, and holds nothing when nothing is left.
func TestInputKeep(t *testing.T) {
	in := input{budget: mem.NewBudget(1 << 20)}
	loop := []byte("consumed" + "partial")
	if err := in.keep(loop, len("consumed"), 20); err != nil {
		t.Fatal(err)
	}
	clear(loop)
	if got := string(in.bytes()); got != "partial" {
		t.Errorf("kept %q", got)
	}
	if err := in.keep(in.bytes(), 7, 0); err != nil || in.buf != nil {
		t.Errorf("memory is held for nothing; %v", err)
	}
	big := []byte(strings.Repeat("x", inputSize))
	if err := in.keep(big, 0, 2<<20); err != ErrMemory {
		t.Errorf("beyond the budget: %v", err)
	}
	if err := in.keep(big, 0, 1<<20); err != nil || cap(in.buf.B) < 1<<20 {
		t.Errorf("the memory is not of the size of the message; %v", err)
	}
	in.release()
	if used := in.budget.Used(); used != 0 {
		t.Errorf("%d bytes of the budget did not come back", used)
	}
}
