package wire

import (
	"errors"
	"time"
)

// Time is a moment on the clock of whoever drives a machine: nanoseconds since a start of its choice.
type Time int64

// Add returns the moment d later.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Hold is the want of a Recv that takes nothing more until the next Send: the wire answers one exchange after the other. The
// driver may call again earlier, with more bytes.
const Hold = -1

// ErrTruncated ends a connection whose peer stopped sending in the middle of a message.
var ErrTruncated = errors.New("wire: the peer stopped in the middle of a message")

// ErrEnd is no failure: an exchange asked for the connection to end with it (HTTP's Connection: close). Recv and Send
// return it.
var ErrEnd = errors.New("wire: the connection ends with this exchange")

// Machine is one protocol on one connection, for both roles. Its driver calls it from one goroutine at a time.
//
// Memory: a received Body is borrowed and dies at the next Recv unless the driver put it into a mem.Buf; a sent Body is
// copied before Send returns unless it comes with a Buf, which the machine retains for as long as it needs. Recv may change
// in; bytes that it does not consume come again as it left them.
type Machine interface {
	// Recv looks at in, the received bytes not yet consumed, and returns how many it consumes. It appends to out what
	// concerns only the wire (ping, settings, a refusal) and fills at most one frame, whose Body may point into in.
	//
	// n > 0 or a frame: call again at once with what is left. Otherwise want says what to wait for. want > 0: a message is
	// partly here; call again with at least want bytes in one piece (or with eof). want == Hold: call again after the next
	// Send. want == 0: call again with any more.
	//
	// eof says that the peer sends nothing after in. An error, ErrTruncated among them, ends the connection: send out,
	// let the exchanges in flight be answered, then close.
	Recv(in []byte, eof bool, out *Out, f *Frame) (n, want int, err error)

	// Send appends the frame f to out, or keeps it until order or the peer's window lets it go. full says that it is kept:
	// send no more on this exchange until a Credit. ErrEnd ends the
	// connection behind f; any other error concerns f alone. Frames for an unknown ID are
	// dropped silently, since the exchange may have ended meanwhile. Between a frame with More and the one that ends the
	// batch comes no other.
	Send(f *Frame, out *Out) (full bool, err error)

	// Tick does what is due at now (greeting, handshake deadline, keepalive) and says when to call it next; 0: never. It is
	// called once before the first Recv, when it asked for it, and after the Recvs of a batch of bytes, before out is sent.
	Tick(now Time, out *Out) (next Time, err error)

	// Held returns how many bytes of answers the machine keeps until order or the peer's window lets them go. They count
	// like unsent output.
	Held() int

	// Drain begins the graceful end, or goes on with it, and reports whether the machine has no exchange of the peer left.
	// From the first Drain on the machine opens no new exchange; it refuses them where its wire can.
	Drain(out *Out) (done bool)
}
