package anywire

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/http1"
	"github.com/anywire/anywire/wire/jsonrpc"
	"github.com/anywire/anywire/wire/rest"
)

// envelope is what a message may have around the arguments that MaxMessage bounds.
const envelope = 64 << 10

// port is what connections of a server begin with: its protocols in the order in which they are recognised. It is made
// anew when a method raises the size of messages.
type port struct {
	protocols []wire.Protocol
	bindings  []wire.Binding
	fallback  *wire.Protocol
	message   int          // bytes of the largest message
	detector  wire.Machine // of every connection at first; it has no state
}

// buildPort makes the port for messages of up to so many bytes.
func (s *Server) buildPort(message int) {
	l := s.cfg.limits
	l.MessageBytes = message
	p := &port{message: message, bindings: s.bindings(l)}
	h := &http1.Config{Limits: l, Bindings: p.bindings, Date: s.dates.append, Leave: s.mounts.take}
	p.add(s, "http1", http1.Match, func() wire.Machine { return http1.NewServer(h) })
	p.add(s, "jsonrpc", jsonrpc.Match, func() wire.Machine { return jsonrpc.NewStream(&l) })
	if s.cfg.fallback != "" && p.fallback == nil {
		panic(fmt.Sprintf("anywire: Fallback(%q): no such protocol is on; there are http1 and jsonrpc", s.cfg.fallback))
	}
	p.detector = &wire.Detector{Protocols: p.protocols, Fallback: p.fallback, MaxBytes: l.SniffBytes}
	s.port.Store(p)
}

func (p *port) add(s *Server, name string, match func([]byte) wire.Match, machine func() wire.Machine) {
	if s.cfg.without[name] {
		return
	}
	protocol := wire.Protocol{Name: name, Match: match, New: machine}
	p.protocols = append(p.protocols, protocol)
	if name == s.cfg.fallback {
		p.fallback = &protocol
	}
}

// bindings are asked in this order: the table of precedence over HTTP.
func (s *Server) bindings(l wire.Limits) []wire.Binding {
	c := &rest.Config{
		Methods: &s.methods, Router: &s.router, Ready: func() bool { return !s.draining.Load() },
		Mounted: s.mounts.matches, Origins: s.cfg.origins, Limits: s.cfg.limits,
	}
	return []wire.Binding{rest.New(c), jsonrpc.NewBinding(&l, s.cfg.origins), rest.Fallback(c)}
}

// clock renders the time for HTTP's Date field once a second, not once a response. It may be used concurrently. The zero
// clock is ready; one that nobody asks keeps no timer.
type clock struct {
	now atomic.Pointer[string] // nil: the second is over
}

func (c *clock) append(dst []byte) []byte {
	now := c.now.Load()
	if now == nil {
		now = c.render(time.Now())
	}
	return append(dst, *now...)
}

// render keeps the time until its second is over. The timer belongs to what was kept, so there is one at most.
func (c *clock) render(t time.Time) *string {
	text := t.UTC().Format(http.TimeFormat)
	if c.now.CompareAndSwap(nil, &text) {
		time.AfterFunc(time.Second-time.Duration(t.Nanosecond()), func() { c.now.Store(nil) })
	}
	return &text
}
