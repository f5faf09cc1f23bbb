// Package cors decides what web pages of other origins may do with a server: which response fields let them read an
// answer (the CORS protocol of https://fetch.spec.whatwg.org), and which requests are theirs at all.
//
// Origins are given as a browser sends them, "https://example.com" or "https://example.com:8443"; "*" stands for all.
package cors

import (
	"bytes"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// Fields returns the fields that belong into every response to r, errors included: who may read it, and that it depends on
// the origin. Without origins there are none. The result shares no memory with r; its elements are read only.
func Fields(r *wire.Request, origins []string) []call.Field {
	if len(origins) == 0 {
		return nil
	}
	origin := r.Get("Origin")
	switch {
	case allowsAll(origins):
		return []call.Field{field(allowOrigin, "*"), field(vary, "Origin")}
	case origin != nil && listed(origin, origins):
		return []call.Field{field(allowOrigin, string(origin)), field(vary, "Origin")}
	}
	return []call.Field{field(vary, "Origin")}
}

// Preflight reports whether r asks, by OPTIONS, for leave to send a request from an allowed origin, and returns the
// fields of the answer, status 204. verbs is the list of verbs that the path takes, as in "GET, POST".
func Preflight(r *wire.Request, origins []string, verbs string) (fields []call.Field, asks bool) {
	if !asksLeave(r) || !allows(r.Get("Origin"), origins) {
		return nil, false
	}
	fields = append(Fields(r, origins), field("Access-Control-Allow-Methods", verbs), field("Access-Control-Max-Age", maxAge))
	if names := r.Get("Access-Control-Request-Headers"); len(names) > 0 {
		fields = append(fields, field("Access-Control-Allow-Headers", string(names)))
	}
	return fields, true
}

// FromPage reports whether r comes from a web page at all, other than one of an allowed origin. It is for bodies that no page
// has a reason to send.
func FromPage(r *wire.Request, origins []string) bool {
	origin := r.Get("Origin")
	return origin != nil && !allows(origin, origins)
}

// ForeignOrigin reports whether r comes from a web page that is neither of the host r was sent to nor of an allowed
// origin. The scheme is not compared, since TLS may end at a proxy. The opaque origin "null" is foreign. A request without
// Origin comes from no page, or from one of the same host.
func ForeignOrigin(r *wire.Request, origins []string) bool {
	origin := r.Get("Origin")
	if origin == nil || allows(origin, origins) {
		return false
	}
	_, host, found := bytes.Cut(origin, []byte("://"))
	return !found || len(host) == 0 || !bytes.EqualFold(host, r.Get("Host"))
}

// MediaType returns the media type in a Content-Type field, in lower case and without parameters; empty: none is given. It
// points into contentType where that is in lower case.
func MediaType(contentType []byte) []byte {
	if string(contentType) == "application/json" { // what nearly all calls have
		return contentType
	}
	essence, _, _ := bytes.Cut(contentType, []byte(";"))
	essence = bytes.Trim(essence, " \t")
	if bytes.ContainsFunc(essence, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return bytes.ToLower(essence)
	}
	return essence
}

// Simple reports whether a page may send a body of that media type to another origin without the browser asking for leave
// first. The server has to look at the origin itself then. multipart/form-data is one of them.
func Simple(mediaType []byte) bool {
	switch string(mediaType) {
	case "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data":
		return true
	}
	return false
}

const (
	allowOrigin = "Access-Control-Allow-Origin"
	vary        = "Vary"
	maxAge      = "600" // seconds; browsers cap it anyway
)

func field(name, value string) call.Field {
	return call.Field{Name: []byte(name), Value: []byte(value)}
}

func asksLeave(r *wire.Request) bool {
	return string(r.Verb) == "OPTIONS" && len(r.Get("Access-Control-Request-Method")) > 0
}

func allows(origin []byte, origins []string) bool {
	return origin != nil && (allowsAll(origins) || listed(origin, origins))
}

func allowsAll(origins []string) bool {
	for _, o := range origins {
		if o == "*" {
			return true
		}
	}
	return false
}

func listed(origin []byte, origins []string) bool {
	for _, o := range origins {
		if o == string(origin) {
			return true
		}
	}
	return false
}
