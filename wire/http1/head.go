package http1

import (
	"bytes"

	"github.com/anywire/anywire/wire"
)

// Head is the head of one message with what it says about the body and the connection. Its slices point into the bytes
// that it was parsed from; the memory of Fields is used again by the next parse.
type Head struct {
	wire.Request // of a response only Fields and Size

	Status    int  // of a response
	Minor     int  // 1 for HTTP/1.1, 0 for HTTP/1.0
	KeepAlive bool // another message may follow on the connection
	Chunked   bool // the body comes in chunks; Size is -1
	Continue  bool // the client waits for 100 Continue before it sends the body

	host, length, coding bool   // which fields were there
	closes, keeps        bool   // options of Connection
	authority            []byte // of an absolute target, which overrides Host
}

// ParseRequest reads the head of a request up to and with the empty line, and returns its length. It returns 0 while the
// head is not whole. An error is an *Error; h is then filled as far as the head was understood. Size is 0 for a request
// that announces no body. RFC 9112 sections 3, 5 and 6.
func ParseRequest(in []byte, h *Head, maxFields int) (n int, err error) {
	return h.parse(in, maxFields, (*Head).parseRequestLine, (*Head).checkRequest)
}

// ParseResponse reads the head of a response like ParseRequest. Size is -1 for a response whose body is chunked or ends
// with the connection. Whether a body follows at all depends on the request, too.
func ParseResponse(in []byte, h *Head, maxFields int) (n int, err error) {
	return h.parse(in, maxFields, (*Head).parseStatusLine, (*Head).checkResponse)
}

// parse reads a head that begins with what first reads; last judges what only the whole head tells.
func (h *Head) parse(in []byte, maxFields int, first func(*Head, []byte) error, last func(*Head) error) (int, error) {
	h.reset()
	line, n, err := cutLine(in)
	if n == 0 || err != nil {
		return 0, err
	}
	if err := first(h, line); err != nil {
		return 0, err
	}
	k, err := h.parseFields(in[n:], maxFields)
	if k == 0 || err != nil {
		return 0, err
	}
	if err := last(h); err != nil {
		return 0, err
	}
	return n + k, nil
}

// reset empties h but keeps the memory of its fields.
func (h *Head) reset() {
	fields := h.Fields[:0]
	*h = Head{}
	h.Fields = fields
}

func (h *Head) checkRequest() error {
	if !h.host && h.Minor > 0 {
		return errHost
	}
	if h.authority != nil {
		h.overrideHost()
	}
	if h.Chunked {
		h.Size = -1
	}
	return h.checkFraming()
}

func (h *Head) checkResponse() error {
	if !h.length {
		h.Size = -1
	}
	return h.checkFraming()
}

// checkFraming refuses what two readers could frame differently (RFC 9112 section 6.1) and settles persistence (9.3).
func (h *Head) checkFraming() error {
	switch {
	case h.coding && h.Minor == 0:
		return errOldCoding
	case h.coding && h.length:
		return errBoth
	}
	h.KeepAlive = !h.closes && (h.Minor > 0 || h.keeps)
	return nil
}

// overrideHost puts the authority of an absolute target in the place of Host (RFC 9112 section 3.2.2).
func (h *Head) overrideHost() {
	for i := range h.Fields {
		if is(h.Fields[i].Name, "host") {
			h.Fields[i].Value = h.authority
		}
	}
}

// cutLine returns the first line of in without its CR LF, and its length with them; 0 when the line is not whole.
func cutLine(in []byte) (line []byte, n int, err error) {
	i := bytes.IndexByte(in, '\n')
	switch {
	case i < 0:
		return nil, 0, nil
	case i == 0 || in[i-1] != '\r':
		return nil, 0, errLine
	}
	return in[:i-1], i + 1, nil
}

// endsHead reports whether a head ends in in, looking again only at what may have changed since the first from bytes were
// seen. It also finds an end without CR, so that the parser gets to refuse it.
func endsHead(in []byte, from int) bool {
	for i := max(from-2, 0); ; {
		k := bytes.IndexByte(in[i:], '\n')
		if k < 0 {
			return false
		}
		i += k + 1
		if bytes.HasPrefix(in[i:], []byte("\n")) || bytes.HasPrefix(in[i:], []byte("\r\n")) {
			return true
		}
	}
}
