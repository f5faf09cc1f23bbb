package anywire

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/method"
)

// report decides what travels of an error that was not made for the wire: an id, under which the log here has the rest.
func (s *Server) report(m *method.Method, c *call.Call, err error) *call.Error {
	id := fmt.Sprintf("%016x", rand.Uint64())
	var p *method.Panic
	if errors.As(err, &p) {
		s.cfg.logger.Error("anywire: a function panicked", "method", m.Name(), "id", id, "panic", p.Value, "stack", string(p.Stack))
		return s.shown(call.Internal, id, err)
	}
	s.cfg.logger.Error("anywire: a call failed", "method", m.Name(), "wire", c.Wire, "id", id, "error", err)
	return s.shown(call.Unknown, id, err)
}

func (s *Server) shown(code call.Code, id string, err error) *call.Error {
	if s.cfg.expose {
		return call.Errorf(code, "%s", err.Error()).WithCause(err)
	}
	return call.Errorf(code, "the call failed; the server's log tells why under id %s", id).WithCause(err)
}
