package wire

import (
	"bytes"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
)

// Request is the head of one HTTP request, as any version of HTTP gives it. The driver keeps it, at the same place and
// with valid bytes, whenever it calls Accept or Recv for that request, until Recv has read the whole body. An exchange may
// keep the pointer for that time, but no slice out of it, since the bytes may move between two calls.
type Request struct {
	Verb   []byte       // "POST"; case matters
	Path   []byte       // as sent, without the query
	Query  []byte       // after the '?', without it
	Fields []call.Field // header fields, Host (or :authority as host) among them; names in any case
	Size   int64        // Content-Length; -1: not told
}

// Get returns the first value of the header field name in any case, or nil.
func (r *Request) Get(name string) []byte {
	for _, f := range r.Fields {
		if len(f.Name) == len(name) && bytes.EqualFold(f.Name, []byte(name)) {
			return f.Value
		}
	}
	return nil
}

// Start is the head of one HTTP message to be sent: a request when Verb is set, else a response. It is borrowed until Begin
// returns, and so are the trailers of End.
type Start struct {
	Status int    // response
	Verb   string // request
	Path   string // request; with the query
	Size   int    // bytes of the body; -1: not known yet
	Fields []call.Field
}

// Writer takes one HTTP message from an exchange. Begin comes first, then writes of the body that add up to Start.Size
// where that is not negative, then End. The version of HTTP below adds its own framing fields (Content-Length, Date, …).
type Writer interface {
	Begin(s *Start)
	// Write appends a copy of p to the body.
	Write(p []byte) (int, error)
	// WriteBuf appends p, held by buf; see Out.WriteBuf.
	WriteBuf(p []byte, buf *mem.Buf)
	// End ends the message; the exchange is over for this direction.
	End(trailers ...call.Field)
}

// Exchange is one HTTP exchange while a binding reads it as calls: a Machine for one body in each direction. It is driven
// by whatever speaks HTTP (wire/http1, the net/http adapter), under the same rules as a Machine. The IDs in its frames
// are its own, from 1 to 1<<32-1; 0 stands for no answer; the driver maps them.
//
// Recv and Send are called like those of a Machine. Recv gets the body that arrived so far and was not yet consumed; end says that it is whole. What concerns only the
// binding (a refusal, a parse error) it writes to w. Its error is for the log: the exchange must have ended w itself.
type Exchange interface {
	Recv(in []byte, end bool, w Writer, f *Frame) (n, want int, err error)
	Send(f *Frame, w Writer) error
	// Release tells that the driver is done with the exchange, for good or because the connection ended; it is called
	// once, last, and the exchange may be used for another request from then on.
	Release()
}

// Verdict is a binding's answer to a request.
type Verdict uint8

const (
	No    Verdict = iota // not mine; ask the next binding
	Yes                  // mine: here is the exchange
	Whole                // ask again when the body is whole
	Leave                // the connection leaves the engine for a net/http handler; a driver that cannot give it away takes it as No
)

// Binding reads HTTP exchanges as calls. Bindings are asked in order; the first that does not say No decides. They are
// shared by all connections and must be safe for concurrent use.
type Binding interface {
	// Accept looks at a request. whole says that body is all of it; before that, body is nil.
	Accept(r *Request, body []byte, whole bool) (Exchange, Verdict)
}

// Caller makes the exchanges of a client: each call or batch becomes one request.
type Caller interface {
	// Call returns an exchange whose Send takes Open frames, until one without More, and writes the request, and whose
	// Recv reads the response that began with status and fields.
	Call() CallExchange
}

// CallExchange is the client's side of an Exchange. Respond tells it the head of the response before the first Recv.
type CallExchange interface {
	Exchange
	Respond(status int, fields []call.Field)
}
