package call

import (
	"bytes"
	"net"
	"time"
)

// Codec says how a message is encoded.
type Codec uint8

const (
	JSON Codec = iota // one JSON value (RFC 8259); for arguments an array by position or an object by name
	Raw               // plain bytes, for a method that takes them as they are
)

// Head is what a wire knows of a call before its arguments are decoded. It and its bytes are borrowed: valid until the
// connection reads on, so whoever keeps a part copies it.
type Head struct {
	Method  []byte        // as received; compare with the registered names
	Wire    string        // which protocol it came by: "jsonrpc", "rest", …
	Codec   Codec         // of the body
	Valid   bool          // the wire has checked that the body is one JSON value, or nothing
	Timeout time.Duration // how long the caller waits; 0: it did not say
	Safe    bool          // the caller asked by a safe verb (RFC 9110 section 9.2.1): only read-only methods may answer
	Fields  []Field       // metadata
	Text    []Field       // arguments that came as text beside the body: path segments, query and form members
	Peer    *Peer         // the other end
}

// Get returns the first value of the metadata name in any case, or "".
func (h *Head) Get(name string) string {
	for _, f := range h.Fields {
		if len(f.Name) == len(name) && bytes.EqualFold(f.Name, []byte(name)) {
			return string(f.Value)
		}
	}
	return ""
}

// Peer is the other end of a connection.
type Peer struct {
	Addr  net.Addr // remote address
	Local net.Addr // our address that it reached
}
