package jsonrpc

import (
	"bytes"

	"github.com/anywire/anywire/codec/json"
)

// Message is one JSON-RPC 2.0 object, request or response, as its members stand on the wire: raw JSON, nil where a member
// is absent. Members it does not know are left out; the specification does not forbid them.
type Message struct {
	Version []byte // "jsonrpc"
	ID      []byte
	Method  []byte // the string token, with its quotes
	Params  []byte
	Result  []byte
	Error   []byte
	Meta    []byte // ours: deadline and metadata, see meta.go

	Repeated   bool // a member appears twice
	RepeatedID bool // the id does
}

// ParseMessage splits object, which must be one valid JSON object. The parts point into it.
func ParseMessage(object []byte) (m Message) {
	for key, value := range json.Members(object) {
		m.set(key, value)
	}
	return m
}

// parseQuickly validates and splits the object that in begins with, in one pass, where it is as simple as most are. end is
// behind it; 0: it has to be looked at properly.
func (m *Message) parseQuickly(in []byte, maxDepth int) (end int) {
	if end = m.parseCompact(in, maxDepth); end > 0 {
		return end
	}
	*m = Message{}
	w := json.Walk(in, maxDepth)
	for w.Next() {
		m.set(w.Key, w.Value)
	}
	end, ok := w.End()
	if !ok {
		*m = Message{}
		return 0
	}
	return end
}

// parseCompact is parseQuickly for requests without white space, as programs write them: it compares member names where it
// expects them instead of reading them.
func (m *Message) parseCompact(in []byte, maxDepth int) (end int) {
	if len(in) < 2 || in[0] != '{' {
		return 0
	}
	for at := 1; ; at++ {
		var member *[]byte
		switch rest := in[at:]; {
		case begins(rest, `"jsonrpc":`):
			member, at = &m.Version, at+len(`"jsonrpc":`)
		case begins(rest, `"method":`):
			member, at = &m.Method, at+len(`"method":`)
		case begins(rest, `"params":`):
			member, at = &m.Params, at+len(`"params":`)
		case begins(rest, `"id":`):
			member, at = &m.ID, at+len(`"id":`)
		default:
			return 0
		}
		end = json.QuickEnd(in, at, maxDepth-1)
		if end == 0 || end == len(in) || *member != nil {
			return 0
		}
		*member = in[at:end]
		switch at = end; in[at] {
		case '}':
			return at + 1
		case ',':
		default:
			return 0
		}
	}
}

func begins(in []byte, word string) bool {
	return len(in) >= len(word) && string(in[:len(word)]) == word
}

func (m *Message) set(key, value []byte) {
	member := m.member(key)
	if member == nil {
		return
	}
	if *member != nil {
		m.Repeated = true
		m.RepeatedID = m.RepeatedID || member == &m.ID
	}
	*member = value
}

// member finds the field of a key, a raw token.
func (m *Message) member(key []byte) *[]byte {
	name := key[1 : len(key)-1]
	if field := m.field(name); field != nil || bytes.IndexByte(name, '\\') < 0 {
		return field
	}
	return m.field(json.AppendUnquoted(nil, key))
}

func (m *Message) field(name []byte) *[]byte {
	switch string(name) {
	case "jsonrpc":
		return &m.Version
	case "id":
		return &m.ID
	case "method":
		return &m.Method
	case "params":
		return &m.Params
	case "result":
		return &m.Result
	case "error":
		return &m.Error
	case "meta":
		return &m.Meta
	}
	return nil
}

// response reports whether the object answers a call rather than making one.
func (m *Message) response() bool {
	return m.Method == nil && (m.Result != nil || m.Error != nil)
}

// validID reports whether the id is of a kind that the specification allows: string, number or null.
func (m *Message) validID() bool {
	switch json.Kind(m.ID) {
	case '"', '0', 'n', 0:
		return true
	}
	return false
}

// answerID is the id that a refusal of m carries: m's own where it could be determined, else null.
func (m *Message) answerID() []byte {
	if m.ID == nil || m.RepeatedID || !m.validID() {
		return null
	}
	return m.ID
}

// check returns why m is no valid request, or "".
func (m *Message) check() string {
	switch {
	case m.Repeated:
		return "A member of the request appears twice."
	case !m.validID():
		return "The request must have integer or string id."
	case string(m.Version) != `"2.0"` && !json.KeyIs(m.Version, "2.0"):
		return "The request doesn't specify the 2.0 version."
	case json.Kind(m.Method) != '"':
		return "The method must be a string."
	}
	switch json.Kind(m.Params) {
	case '{', '[', 'n', 0:
		return ""
	}
	return "Parameters can only be passed in arrays or objects."
}

// Envelope reports whether value is what the table of precedence over HTTP calls an envelope: valid JSON, an object with a
// jsonrpc member or an array, not empty, of only such objects.
func Envelope(value []byte, maxDepth int) bool {
	if json.Valid(value, maxDepth) != nil {
		return false
	}
	if json.Kind(value) != '[' {
		return hasVersion(value)
	}
	some := false
	for item := range json.Items(value) {
		if !hasVersion(item) {
			return false
		}
		some = true
	}
	return some
}

func hasVersion(value []byte) bool {
	if json.Kind(value) != '{' {
		return false
	}
	for key := range json.Members(value) {
		if json.KeyIs(key, "jsonrpc") {
			return true
		}
	}
	return false
}
