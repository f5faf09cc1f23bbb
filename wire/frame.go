// Package wire is the seam between protocols and everything else. A protocol is a Machine: bytes in, frames out, frames
// in, bytes out; it has no sockets, clocks, goroutines or locks, so it can be tested with a table of bytes and driven by
// any engine. docs/wires.md tells how to add one.
package wire

import (
	"net"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
)

// Kind says what a frame does.
type Kind uint8

const (
	None    Kind = iota // nothing whole yet
	Open                // a call, push or subscription begins: Head, and Body when its first message is here
	Msg                 // one more message on ID, in either direction
	Reply               // the last answer on ID: Err or Body, Head with trailing metadata; ends the exchange
	Cancel              // the caller gave up, or the carrier reset ID; a reply may still be sent and may be dropped
	Credit              // received: N more bytes may be sent on ID; sent: the application consumed N bytes of ID
	Upgrade             // go on with the machine Next, or hand the connection to Leave
)

// Frame is one act on one exchange, the same type in both directions: a client sends Open and gets Reply, a server the
// reverse, and a symmetric session does both on one machine.
type Frame struct {
	Kind Kind
	Ours bool // this end opened the exchange; the two sides number theirs separately
	End  bool // no more messages from this sender
	More bool // another Open follows at once; a wire that has batches puts them into one

	// ID is the machine's own slot for exchanges of the peer, the connection's number for ours; never the id on the wire.
	// 0: nobody waits for an answer.
	ID uint64
	// N is what a received Open or Msg took from the peer's window, to be given back by a sent Credit once it is consumed;
	// in a Credit it is how much. The unit is the machine's; 0: nothing is owed.
	N int

	Head  *call.Head  // Open: what the caller said. Borrowed until the next Recv
	Meta  call.Meta   // Open of ours, Reply: metadata
	Err   *call.Error // Reply: the failure; nil: Body is the result
	Codec call.Codec  // Msg, Reply: of Body; of an Open it is in Head
	Body  []byte      // one encoded message; nil in a Msg: none, there is only End
	// Buf is the memory of Body, counted; nil: Body is borrowed. Whoever wants a received Body beyond the next Recv retains
	// Buf, or copies where there is none.
	Buf *mem.Buf

	Unrun bool // Reply received: the peer surely did not run the call, so that it may be sent again

	Next  Machine        // Upgrade: the machine that takes the bytes from here on
	Peer  *call.Peer     // Upgrade: who the other end is; nil: as before
	Leave func(net.Conn) // Upgrade without Next: takes the connection, unread bytes in front; it may block

	scratch *Scratch
}

// Scratch is memory for what a frame points to and for what is made of it. It belongs to the driver, who needs one for
// each goroutine and not one for each connection, and is free again with the next Recv or Send of its frame.
type Scratch struct {
	Head   call.Head
	Fields []call.Field
	Text   []byte // names and values
	Out    []byte // what a Send renders
}

// Scratch returns the memory that comes with f.
func (f *Frame) Scratch() *Scratch {
	if f.scratch == nil {
		f.scratch = new(Scratch)
	}
	return f.scratch
}

// Lend gives f memory to use from then on.
func (f *Frame) Lend(s *Scratch) { f.scratch = s }

// Reset empties f for its next use; it keeps its scratch memory.
func (f *Frame) Reset() { *f = Frame{scratch: f.scratch} }
