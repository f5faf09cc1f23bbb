package http1

import (
	"net/http"
	"strconv"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// reply is the wire.Writer of one response.
type reply struct {
	content
	cfg   *Config
	head  bool // the request was HEAD: everything but the body
	minor int  // of the request
	close bool // the connection ends with this response
}

// reset makes r ready for the response to h.
func (r *reply) reset(h *Head, draining bool) {
	r.content.reset()
	r.head, r.minor = string(h.Verb) == http.MethodHead, h.Minor
	r.close = !h.KeepAlive || draining
}

// Begin writes the head of the response. A status that is none becomes 500.
func (r *reply) Begin(s *wire.Start) {
	status := s.Status
	if status < 200 || status > 999 {
		status = http.StatusInternalServerError
	}
	f := r.framingOf(status, s.Size)
	r.close = r.close || f == byClose || r.cfg.Draining != nil && r.cfg.Draining()
	announced := f
	if bodiless(status, r.head) {
		f = without
	}
	if r.start(f, s.Size); r.wrong {
		return
	}
	b := AppendStatus(r.out.B, status)
	b = appendFraming(b, announced, s.Size)
	b = r.appendDate(b)
	b = appendFields(b, s.Fields)
	b = r.appendConnection(b)
	r.out.B = append(b, "\r\n"...)
}

// framingOf chooses what the head announces, which a response to HEAD does without keeping it.
func (r *reply) framingOf(status, size int) framing {
	switch {
	case bodiless(status, false):
		return without
	case size >= 0:
		return byLength
	case r.minor > 0:
		return byChunks
	}
	return byClose
}

func (r *reply) appendDate(dst []byte) []byte {
	if r.cfg.Date == nil {
		return dst
	}
	return append(r.cfg.Date(append(dst, "Date: "...)), "\r\n"...)
}

// appendConnection says what is not the habit of the client's version (RFC 9112 section 9.3).
func (r *reply) appendConnection(dst []byte) []byte {
	switch {
	case r.close:
		return append(dst, "Connection: close\r\n"...)
	case r.minor == 0:
		return append(dst, "Connection: keep-alive\r\n"...)
	}
	return dst
}

var (
	problemType = call.Field{Name: []byte("Content-Type"), Value: []byte("application/problem+json")}
	retryAfter  = call.Field{Name: []byte("Retry-After"), Value: []byte("1")}
)

// problem answers with e as a problem document.
func (r *reply) problem(e *Error) {
	body := appendProblem(nil, e)
	fields := []call.Field{problemType}
	if e == errDraining {
		fields = append(fields, retryAfter)
	}
	r.Begin(&wire.Start{Status: e.Status, Size: len(body), Fields: fields})
	r.append(body, nil)
	r.End()
}

// appendProblem appends e as RFC 9457 has it. Titles and details are constants that need no escaping.
func appendProblem(dst []byte, e *Error) []byte {
	dst = append(dst, `{"type":"about:blank","title":"`...)
	dst = append(dst, http.StatusText(e.Status)...)
	dst = append(dst, `","status":`...)
	dst = strconv.AppendInt(dst, int64(e.Status), 10)
	dst = append(dst, `,"detail":"`...)
	dst = append(dst, e.Detail...)
	return append(dst, `"}`...)
}
