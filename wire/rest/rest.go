// Package rest answers plain HTTP requests from the same functions that other wires call: the method math.add is
// POST /math/add with a JSON body, and GET /math/add?a=1&b=2 when it only reads. Errors are problem documents.
//
// The precedence of bindings over HTTP: a path that names a method or has a route is REST, whatever the body; elsewhere,
// and always at "/", a JSON-RPC envelope is JSON-RPC; then come mounted handlers; what is left is 404. New is the binding
// at the head of that list and Fallback the one at its end.
package rest

import (
	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/cors"
)

// Methods is what the binding needs to know of a server. It must be safe for concurrent use.
type Methods interface {
	// Find returns the method of that canonical, dotted name, or nil. name is borrowed.
	Find(name []byte) call.Method
}

// Config is what the bindings know of their server. The functions in it are called for each request and must neither
// block nor keep the request.
type Config struct {
	Methods Methods
	Router  *Router                    // routes beside the paths that methods have by their names; nil: none
	Ready   func() bool                // whether /readyz says yes; nil: always
	Mounted func(r *wire.Request) bool // whether a net/http handler takes the request; nil: never
	Origins []string                   // origins whose pages may call, "*" for all; empty: CORS is off
	Limits  wire.Limits
}

// binding is REST proper.
type binding struct{ Config }

// New returns the binding for paths that name a method or have a route, and for /healthz and /readyz unless a method or
// route takes these. c is copied.
func New(c *Config) wire.Binding {
	b := &binding{*c}
	b.Limits = b.Limits.WithDefaults()
	if b.Router == nil {
		b.Router = new(Router)
	}
	return b
}

// Accept makes an exchange for each path that is REST. It never needs the body for that.
func (b *binding) Accept(r *wire.Request, _ []byte, _ bool) (wire.Exchange, wire.Verdict) {
	if len(r.Path) < 2 || r.Path[0] != '/' {
		return nil, wire.No
	}
	if !wellFormed(r.Path) {
		return b.refuse(r, invalid("the path: %v", errPercent)), wire.Yes
	}
	e := newExchange()
	t := b.find(e, r)
	if t.method != nil {
		return b.open(e, r, &t)
	}
	e.Release()
	if len(t.allow) > 0 {
		return b.otherVerb(r, &t), wire.Yes
	}
	return b.health(r)
}

// open begins the call of a method that r may call.
func (b *binding) open(e *exchange, r *wire.Request, t *target) (wire.Exchange, wire.Verdict) {
	if why := e.begin(r, t, &b.Config); why != nil {
		e.Release()
		return b.refuse(r, why), wire.Yes
	}
	return e, wire.Yes
}

// otherVerb answers a request whose path takes other verbs than its own.
func (b *binding) otherVerb(r *wire.Request, t *target) wire.Exchange {
	if string(r.Verb) == "OPTIONS" {
		return options(r, b.Origins, allowValue(t.allow))
	}
	return b.refuse(r, notAllowed(r, t))
}

func (c *Config) refuse(r *wire.Request, why *refusal) wire.Exchange {
	return why.answer(cors.Fields(r, c.Origins))
}
