package rest

import (
	"net/http"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// fallback takes what no other binding wanted.
type fallback struct{ Config }

// Fallback returns the binding that comes last: requests for mounted handlers leave the engine, OPTIONS is answered for
// every path, since a JSON-RPC envelope may be sent to any, and the rest are problem documents. c is copied.
func Fallback(c *Config) wire.Binding { return &fallback{*c} }

// Accept decides on every request.
func (b *fallback) Accept(r *wire.Request, _ []byte, _ bool) (wire.Exchange, wire.Verdict) {
	const verbs = "POST, OPTIONS"
	switch {
	case b.Mounted != nil && b.Mounted(r):
		return nil, wire.Leave
	case string(r.Verb) == "OPTIONS":
		return options(r, b.Origins, verbs), wire.Yes
	case string(r.Path) == "/" && string(r.Verb) != "POST":
		return b.refuse(r, notAllowed(r, &target{allow: []string{"POST", "OPTIONS"}})), wire.Yes
	}
	return b.refuse(r, notFound(r)), wire.Yes
}

// notFound refuses a path that is no one's. The code is the one by which every wire says that there is no such method.
func notFound(r *wire.Request) *refusal {
	const shown = 128 // bytes of the path that are worth repeating
	path := r.Path[:min(len(r.Path), shown)]
	return &refusal{status: http.StatusNotFound, err: call.Errorf(call.Unimplemented, "nothing is at %q", path)}
}
