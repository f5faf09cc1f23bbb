package http1

import (
	"bytes"
	"net/netip"
)

// parseRequestLine reads "POST /path?query HTTP/1.1".
func (h *Head) parseRequestLine(line []byte) error {
	verb := span(line, tokenByte)
	if verb == 0 || verb == len(line) || line[verb] != ' ' {
		return errRequest
	}
	h.Verb = line[:verb]
	target, version, ok := bytes.Cut(line[verb+1:], []byte(" "))
	if !ok || len(target) == 0 {
		return errRequest
	}
	if err := h.parseVersion(version, errRequest); err != nil {
		return err
	}
	return h.parseTarget(target)
}

// parseStatusLine reads "HTTP/1.1 200 OK". The reason may be missing, with the space before it: some servers send that.
func (h *Head) parseStatusLine(line []byte) error {
	version, rest, ok := bytes.Cut(line, []byte(" "))
	if !ok {
		return errStatus
	}
	if err := h.parseVersion(version, errStatus); err != nil {
		return err
	}
	code, reason, _ := bytes.Cut(rest, []byte(" "))
	if len(code) != 3 || code[0] == '0' || !isText(reason) {
		return errStatus
	}
	for _, c := range code {
		if !isDigit(c) {
			return errStatus
		}
		h.Status = h.Status*10 + int(c-'0')
	}
	return nil
}

// parseVersion tells a version that is not spoken here from what is no version at all.
func (h *Head) parseVersion(v []byte, malformed *Error) error {
	const form = "HTTP/1."
	switch {
	case len(v) != len(form)+1 || string(v[:5]) != "HTTP/" || !isDigit(v[5]) || v[6] != '.' || !isDigit(v[7]):
		return malformed
	case string(v) == form+"1":
		h.Minor = 1
	case string(v) == form+"0":
		h.Minor = 0
	default:
		return errVersion
	}
	return nil
}

// parseTarget reads the four forms of RFC 9112 section 3.2. Bytes from 0x80 on are let through, though a URI has none:
// people type them, and every server takes them.
func (h *Head) parseTarget(t []byte) error {
	if !isTarget(t) {
		return errTarget
	}
	switch {
	case string(h.Verb) == "CONNECT":
		h.Path = t
		return check(isAuthority(t), errTarget)
	case t[0] == '/':
		return h.parsePath(t)
	case string(t) == "*":
		h.Path = t
		return check(string(h.Verb) == "OPTIONS", errTarget)
	}
	return h.parseAbsolute(t)
}

func (h *Head) parsePath(t []byte) error {
	path, query, _ := bytes.Cut(t, []byte("?"))
	h.Path, h.Query = path, query
	return check(isEscaped(path), errTarget)
}

func (h *Head) parseAbsolute(t []byte) error {
	scheme, rest, _ := bytes.Cut(t, []byte("://"))
	if !is(scheme, "http") && !is(scheme, "https") {
		return errTarget
	}
	end := bytes.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	h.authority = rest[:end]
	if end == 0 || !isAuthority(h.authority) {
		return errTarget
	}
	if err := h.parsePath(rest[end:]); err != nil {
		return err
	}
	if len(h.Path) == 0 {
		h.Path = []byte("/")
	}
	return nil
}

func check(ok bool, e *Error) error {
	if ok {
		return nil
	}
	return e
}

// isTarget reports that t has no control character, space or fragment.
func isTarget(t []byte) bool {
	for _, c := range t {
		if c <= ' ' || c == 0x7F || c == '#' {
			return false
		}
	}
	return true
}

// isEscaped reports that each percent sign begins an escape of two hexadecimal digits.
func isEscaped(path []byte) bool {
	for {
		i := bytes.IndexByte(path, '%')
		if i < 0 {
			return true
		}
		if path = path[i+1:]; len(path) < 2 || unhex(path[0]) < 0 || unhex(path[1]) < 0 {
			return false
		}
	}
}

// isAuthority reports that a is "host" or "host:port" without user information, which RFC 9110 section 4.2.4 bans. The
// empty authority, which a Host field may have, is one.
func isAuthority(a []byte) bool {
	if len(a) > 0 && a[0] == '[' {
		return isLiteral(a)
	}
	return isPort(a[span(a, hostByte):])
}

// isLiteral reports whether a is an address of IPv6 in brackets, perhaps with a port.
func isLiteral(a []byte) bool {
	end := bytes.IndexByte(a, ']')
	if end < 0 || !isPort(a[end+1:]) {
		return false
	}
	ip, err := netip.ParseAddr(string(a[1:end]))
	return err == nil && ip.Is6() && ip.Zone() == ""
}

// isPort reports whether p is nothing or a colon with digits behind it, or none: RFC 3986 section 3.2.3 lets them go.
func isPort(p []byte) bool {
	if len(p) == 0 {
		return true
	}
	for _, c := range p[1:] {
		if !isDigit(c) {
			return false
		}
	}
	return p[0] == ':'
}
