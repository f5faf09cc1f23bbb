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
	N  int // Credit

	Head *call.Head  // Open: what the caller said. Borrowed until the next Recv
	Meta call.Meta   // Reply: metadata beside the answer
	Err  *call.Error // Reply: the failure; nil: Body is the result
	Body []byte      // one encoded message, borrowed unless Buf is set
	Buf  *mem.Buf    // the memory of Body, counted

	Unrun bool // Reply received: the peer surely did not run the call, so that it may be sent again

	Next  Machine        // Upgrade: the machine that takes the bytes from here on
	Leave func(net.Conn) // Upgrade without Next: takes the connection, unread bytes in front
}

// Reset empties f for its next use.
func (f *Frame) Reset() { *f = Frame{} }
