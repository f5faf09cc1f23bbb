package http1

import (
	"bytes"
	"net/http"

	"github.com/anywire/anywire/wire"
)

// message is the one message at the front of the received bytes, from the first byte of its head until an exchange has
// read its body. All counts are from the front, since nothing is consumed before.
type message struct {
	Head
	limits *wire.Limits
	parse  func(in []byte, h *Head, maxFields int) (int, error) // parseRequest, or ParseResponse and what the client adds

	size   int    // of the head; 0: it is not whole
	seen   int    // bytes in which a head was looked for and did not end
	first  *byte  // where the message stood when the slices of Head were made
	end    int    // of the message; 0: it is not whole
	used   int    // bytes of the body that the exchange consumed
	chunks joiner // of a chunked body
	last   []byte // the head that Head was parsed from, when it is kept; else Head points into memory of the driver
}

// keptHead bounds the heads that are kept, since each connection has one.
const keptHead = 512

// parseRequest is ParseRequest for heads that mostly are the last one again, byte by byte: that is what clients send that
// keep their connection.
func (m *message) parseRequest(in []byte, h *Head, maxFields int) (n int, err error) {
	if len(m.last) > 0 && bytes.HasPrefix(in, m.last) {
		return len(m.last), nil
	}
	m.last = m.last[:0]
	end := bytes.Index(in[:min(len(in), keptHead)], []byte("\r\n\r\n"))
	if end < 0 {
		return ParseRequest(in, h, maxFields)
	}
	kept := append(m.last, in[:end+4]...)
	if n, err = ParseRequest(kept, h, maxFields); err == nil {
		m.last = kept
	}
	return n, err
}

// readHead reports whether the head is whole; then it is parsed.
func (m *message) readHead(in []byte, eof bool) (ok bool, err error) {
	if m.seen > 0 && !eof && len(in) < m.limits.HeaderBytes && !endsHead(in, m.seen) {
		m.seen = len(in)
		return false, nil
	}
	n, err := m.parse(in[:min(len(in), m.limits.HeaderBytes)], &m.Head, m.limits.Headers)
	switch {
	case err != nil:
		return false, err
	case n == 0 && len(in) < m.limits.HeaderBytes:
		m.seen = len(in)
		return false, nil
	case n == 0 && len(m.Verb) == 0 && m.Status == 0:
		return false, errLongLine
	case n == 0:
		return false, errLargeHead
	}
	m.size, m.first = n, &in[0]
	if m.Chunked {
		m.chunks.begin(n, m.limits)
	}
	return true, nil
}

// gather reports whether the body is whole, or how many bytes the message needs at least. A size that is too large has to
// be refused before.
func (m *message) gather(in []byte, eof bool) (ok bool, want int, err error) {
	switch {
	case m.Chunked:
		want, err = m.chunks.join(in)
		m.end = m.chunks.at
	case m.Size < 0:
		m.end, want, err = m.untilEOF(in, eof)
	default:
		m.end = m.size + int(m.Size)
		want = m.end
	}
	switch {
	case err != nil:
		return false, 0, err
	case want <= len(in):
		return true, 0, nil
	case eof:
		return false, 0, wire.ErrTruncated
	}
	return false, want, nil
}

// untilEOF takes all that comes as the body (RFC 9112 section 6.3, last case).
func (m *message) untilEOF(in []byte, eof bool) (end, want int, err error) {
	switch {
	case len(in)-m.size > m.limits.MessageBytes:
		return 0, 0, errLargeBody
	case !eof:
		return 0, len(in) + 1, nil
	}
	return len(in), 0, nil
}

// body returns the whole body. The slices of Head are valid from here on as long as in is.
func (m *message) body(in []byte) []byte {
	if &in[0] != m.first {
		m.parse(in[:m.size], &m.Head, m.limits.Headers) // moves the slices along; the bytes are known to be right
		m.first = &in[0]
	}
	if m.Chunked {
		return m.chunks.buf.B
	}
	return in[m.size:m.end]
}

// feed lets ex read the body until it has a frame, holds, or is through; then done is true.
func (m *message) feed(ex wire.Exchange, in []byte, w wire.Writer, f *wire.Frame) (done bool, want int, err error) {
	body := m.body(in)
	for {
		n, want, err := ex.Recv(body[m.used:], true, w, f)
		m.used += n
		switch {
		case err != nil:
			f.Reset()
			return true, 0, err
		case f.Kind != wire.None || want == wire.Hold:
			return false, want, nil
		case n == 0 || m.used == len(body):
			return true, 0, nil
		}
	}
}

// next forgets the message and keeps the memory for the next one.
func (m *message) next() {
	if m.chunks.buf != nil {
		m.chunks.buf.Release()
		m.chunks = joiner{}
	}
	if len(m.last) == 0 { // the fields point into memory of the driver
		clear(m.Fields)
		m.Head.reset()
	}
	m.size, m.seen, m.first, m.end, m.used = 0, 0, nil, 0, 0
}

// bodiless reports that a response has no body whatever its fields say (RFC 9110 section 6.4.1).
func bodiless(status int, head bool) bool {
	return head || status < 200 || status == http.StatusNoContent || status == http.StatusNotModified
}
