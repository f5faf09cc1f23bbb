package http1

import (
	"bytes"

	"github.com/anywire/anywire/wire"
)

// methods are those that begin a connection, each with the space behind it.
var methods = [...]string{"GET ", "HEAD ", "POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS ", "CONNECT ", "TRACE "}

// Match reports whether in begins like an HTTP/1 request, by the methods of RFC 9110 and RFC 5789. Other methods are
// spoken once the protocol is known.
func Match(in []byte) wire.Match {
	for range maxBlank { // empty lines that some clients send before a request
		in = bytes.TrimPrefix(in, []byte("\r\n"))
	}
	if len(in) == 0 || string(in) == "\r" {
		return wire.Perhaps
	}
	best := wire.Differs
	for _, m := range methods {
		best = max(best, wire.Prefix(in, m))
	}
	return best
}
