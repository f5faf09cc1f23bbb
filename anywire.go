// Package anywire serves plain Go functions to every client that already exists, on one port.
//
//	func Sum(a, b int) int { return a + b }
//
//	srv := anywire.NewServer()
//	srv.Handle("sum", Sum, anywire.Params("a", "b"))
//	log.Fatal(srv.ListenAndServe("127.0.0.1:8545"))
//
// The first bytes of a connection choose its protocol: JSON-RPC 2.0 on the bare stream, with LSP headers, or over HTTP, and
// REST, all calling the same function. Dial makes a client for such a server.
//
// Calls run concurrently, and no order is promised between them; notifications of one connection run one after another.
// Everything that peers send is bounded by Limits. Only errors made by Errorf, and Codes, travel with their text.
package anywire

import (
	"context"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// The vocabulary of calls; see package call.
type (
	// Error is the one error that travels; make it with Errorf.
	Error = call.Error
	// Code says what kind of failure an error is. It is an error itself.
	Code = call.Code
	// Meta is the metadata of a call.
	Meta = call.Meta
	// CallInfo is one call as interceptors and functions see it.
	CallInfo = call.Call
	// Head is what is known of a call before its arguments are decoded.
	Head = call.Head
	// Handler runs one decoded call.
	Handler = call.Handler
	// Interceptor wraps a Handler.
	Interceptor = call.Interceptor
	// Limits bounds what peers can make a server or client spend.
	Limits = wire.Limits
)

// The sixteen codes; see package call.
const (
	Canceled           = call.Canceled
	Unknown            = call.Unknown
	InvalidArgument    = call.InvalidArgument
	DeadlineExceeded   = call.DeadlineExceeded
	NotFound           = call.NotFound
	AlreadyExists      = call.AlreadyExists
	PermissionDenied   = call.PermissionDenied
	ResourceExhausted  = call.ResourceExhausted
	FailedPrecondition = call.FailedPrecondition
	Aborted            = call.Aborted
	OutOfRange         = call.OutOfRange
	Unimplemented      = call.Unimplemented
	Internal           = call.Internal
	Unavailable        = call.Unavailable
	DataLoss           = call.DataLoss
	Unauthenticated    = call.Unauthenticated
)

// Errorf makes an error that travels with its text; see call.Errorf.
func Errorf(code Code, format string, args ...any) *Error { return call.Errorf(code, format, args...) }

// CallFrom returns the call that a function or interceptor is answering, or nil outside of one.
func CallFrom(ctx context.Context) *CallInfo { return call.From(ctx) }
