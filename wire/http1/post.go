package http1

import (
	"net/http"

	"github.com/anywire/anywire/wire"
)

// post is the wire.Writer of one request.
type post struct {
	content
	cfg  *ClientConfig
	head bool // the request is HEAD, whose response has no body
}

// Begin writes the head of the request. A method or a target that would break the request line makes it wrong.
func (p *post) Begin(s *wire.Start) {
	if !isToken([]byte(s.Verb)) || len(s.Path) == 0 || !isTarget([]byte(s.Path)) {
		p.wrong = true
		return
	}
	f := byLength
	switch {
	case s.Size < 0:
		f = byChunks
	case s.Size == 0 && !carriesBody(s.Verb):
		f = without
	}
	if p.start(f, s.Size); p.wrong {
		return
	}
	p.head = s.Verb == http.MethodHead
	b := append(append(p.out.B, s.Verb...), ' ')
	b = append(append(b, s.Path...), " HTTP/1.1\r\nHost: "...)
	b = append(append(b, p.cfg.Host...), "\r\n"...)
	if p.cfg.UserAgent != "" {
		b = append(append(append(b, "User-Agent: "...), p.cfg.UserAgent...), "\r\n"...)
	}
	b = appendFraming(b, f, s.Size)
	b = appendFields(b, p.cfg.Fields)
	b = appendFields(b, s.Fields)
	p.out.B = append(b, "\r\n"...)
}

// carriesBody reports whether servers expect Content-Length with the method even when the body is empty.
func carriesBody(verb string) bool {
	return verb == http.MethodPost || verb == http.MethodPut || verb == http.MethodPatch
}
