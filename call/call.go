// Package call is the vocabulary that every layer shares: a call, its metadata, the one error that travels, and the two
// small interfaces by which a connection reaches the functions of a server.
package call

import (
	"context"

	"github.com/anywire/anywire/mem"
)

// Call is one call while it is answered (on a server) or awaited (on a client). Interceptors and functions see it through
// From(ctx). It belongs to the goroutine that runs the call; nothing in it may be used after the call ended.
type Call struct {
	Method  string // canonical name
	Wire    string // "jsonrpc", "rest", …; "" before a client chose
	Notify  bool   // nobody waits for an answer
	Peer    *Peer  // the other end; nil on a client
	Meta    Meta   // what the caller sent along
	Trailer Meta   // what goes back beside the answer, where the wire can carry it

	// In holds the decoded arguments: a server's method puts them here, a client's caller its own value.
	In any
	// Out is the result once the function returned; on a client the pointer that the answer is decoded into.
	Out any

	// Codec is that of the arguments.
	Codec Codec
	// Body is the encoded result, appended by Method.Serve. Owned by the call.
	Body *mem.Buf

	spare  *mem.Buf // for the next Body
	raw    rawArgs  // of HandleRaw
	values Values
}

// Values lets interceptors see decoded arguments, whatever form the method keeps them in.
type Values interface {
	// Len is the number of parameters.
	Len() int
	// Name is the name of parameter i.
	Name(i int) string
	// Value returns a copy of argument i.
	Value(i int) any
}

// SetValues is for the package that decodes: it says how to look into In.
func (c *Call) SetValues(v Values) { c.values = v }

// Args returns the decoded arguments for a look from outside, or nil when the method does not decode them.
func (c *Call) Args() Values { return c.values }

// Handler runs one decoded call. The result is left in c.
type Handler func(ctx context.Context, c *Call) error

// Interceptor wraps a Handler: what it does before and after next runs around the call, on servers and on clients.
type Interceptor func(next Handler) Handler

// Admit decides on a call before its arguments are decoded. It runs where the connection is read and must not block. A
// non-nil error refuses the call.
type Admit func(h *Head) error

// Dispatcher finds methods. It must be safe for concurrent use.
type Dispatcher interface {
	// Find returns the method of that name, or nil. name is borrowed.
	Find(name []byte) Method
}

// Method is one function made callable. Its methods may run concurrently, each with another Call.
type Method interface {
	// Admit runs the Admit hooks and checks what the head alone tells.
	Admit(h *Head) error
	// Decode reads the arguments of c. h and body are borrowed, so it copies what it keeps. It runs on the goroutine that
	// reads the connection and must not block. Its errors are made for the wire.
	Decode(c *Call, h *Head, body []byte) error
	// Serve runs the function and appends its result to c.Body. Panics and errors not made for the wire come back as
	// errors for the wire. It may block.
	Serve(ctx context.Context, c *Call) error
	// Traits says how to treat calls of the method; the same value each time.
	Traits() *Traits
}

// Traits are the properties of a method that its callers, wires and connections ask for. They are made once and not
// copied.
type Traits struct {
	Name       string // canonical
	ReadOnly   bool   // changes nothing, so that safe verbs may call it
	Idempotent bool   // running it twice is like running it once
	Context    bool   // the function or an interceptor looks at the context: build one
	Meta       bool   // or at the metadata alone
	MaxMessage int    // bytes of one message to this method; 0: the server's limit
	Ordered    bool   // its calls on one connection run one after another
	Concurrent bool   // its notifications need not run in order, which they do otherwise
	Mode       Mode   // where it runs
	Pace       Pace   // how fast it proved to be
}

// Mode says where the calls of a method run.
type Mode uint8

const (
	// Auto runs them on the goroutine that reads, until the method proves slow, then in goroutines of their own.
	Auto Mode = iota
	// Inline always runs them on the goroutine that reads: for functions that never wait.
	Inline
	// Blocking always runs them in goroutines of their own.
	Blocking
)

type contextKey struct{}

// From returns the call that ctx belongs to, or nil outside of a call.
func From(ctx context.Context) *Call {
	c, _ := ctx.Value(contextKey{}).(*Call)
	return c
}

// NewContext returns a context that From finds c in.
func NewContext(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}
