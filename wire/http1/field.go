package http1

import (
	"bytes"

	"github.com/anywire/anywire/call"
)

// parseFields reads field lines up to and with the empty line, and returns their length; 0 while they are not whole.
func (h *Head) parseFields(in []byte, max int) (n int, err error) {
	for {
		line, k, err := cutLine(in[n:])
		if k == 0 || err != nil {
			return 0, err
		}
		n += k
		if len(line) == 0 {
			return n, nil
		}
		if len(h.Fields) >= max {
			return 0, errLargeHead
		}
		f, err := parseField(line)
		if err != nil {
			return 0, err
		}
		h.Fields = append(h.Fields, f)
		if err := h.note(f); err != nil {
			return 0, err
		}
	}
}

// parseField reads "Name: value". A folded line is refused with the rest, since a token does not begin with a space.
func parseField(line []byte) (call.Field, error) {
	i := span(line, tokenByte)
	if i == 0 || i == len(line) || line[i] != ':' || !isText(line[i+1:]) {
		return call.Field{}, errField
	}
	return call.Field{Name: line[:i], Value: trim(line[i+1:])}, nil
}

// note takes from a field what it says about the message. The length of the name sorts out nearly all others.
func (h *Head) note(f call.Field) error {
	switch len(f.Name) {
	case len("host"):
		if h.Status == 0 && is(f.Name, "host") {
			return h.noteHost(f.Value)
		}
	case len("expect"):
		if h.Status == 0 && is(f.Name, "expect") {
			return h.noteExpect(f.Value)
		}
	case len("connection"):
		if is(f.Name, "connection") {
			h.noteConnection(f.Value)
		}
	case len("content-length"):
		if is(f.Name, "content-length") {
			return h.noteLength(f.Value)
		}
	case len("transfer-encoding"):
		if is(f.Name, "transfer-encoding") {
			return h.noteCoding(f.Value)
		}
	}
	return nil
}

func (h *Head) noteHost(v []byte) error {
	if h.host || !isAuthority(v) {
		return errHost
	}
	h.host = true
	return nil
}

// noteExpect ignores the field in HTTP/1.0, as RFC 9110 section 10.1.1 demands.
func (h *Head) noteExpect(v []byte) error {
	if h.Minor == 0 {
		return nil
	}
	h.Continue = is(v, "100-continue")
	return check(h.Continue, errExpect)
}

func (h *Head) noteConnection(v []byte) {
	for len(v) > 0 {
		var option []byte
		option, v, _ = bytes.Cut(v, []byte(","))
		option = trim(option)
		h.closes = h.closes || is(option, "close")
		h.keeps = h.keeps || is(option, "keep-alive")
	}
}

// noteLength takes 18 digits at most, which fit an int64.
func (h *Head) noteLength(v []byte) error {
	if h.length || len(v) == 0 || len(v) > 18 {
		return errLength
	}
	h.length = true
	for _, c := range v {
		if !isDigit(c) {
			return errLength
		}
		h.Size = h.Size*10 + int64(c-'0')
	}
	return nil
}

func (h *Head) noteCoding(v []byte) error {
	if h.coding || !is(v, "chunked") {
		return errCoding
	}
	h.coding, h.Chunked = true, true
	return nil
}

// AppendField appends a field line. A control character in the value becomes a space, so that a value cannot end the line
// and begin another; a field whose name is no token is left out.
func AppendField(dst, name, value []byte) []byte {
	if !isToken(name) {
		return dst
	}
	dst = append(append(dst, name...), ": "...)
	from := len(dst)
	dst = append(dst, value...)
	if !isText(dst[from:]) {
		blank(dst[from:])
	}
	return append(dst, "\r\n"...)
}

func blank(value []byte) {
	for i, c := range value {
		if isControl(c) {
			value[i] = ' '
		}
	}
}

// appendFields appends the fields of an exchange, without those that the framing of the message decides.
func appendFields(dst []byte, fields []call.Field) []byte {
	for _, f := range fields {
		if !isFraming(f.Name) {
			dst = AppendField(dst, f.Name, f.Value)
		}
	}
	return dst
}

func isFraming(name []byte) bool {
	switch len(name) {
	case len("connection"):
		return is(name, "connection")
	case len("content-length"):
		return is(name, "content-length")
	case len("transfer-encoding"):
		return is(name, "transfer-encoding")
	}
	return false
}
