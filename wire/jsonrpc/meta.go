package jsonrpc

import (
	"slices"
	"strconv"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

// An envelope may carry a member "meta", an object that holds what HTTP has header fields for:
//
//	"meta": {"timeout_ms": 1500, "traceparent": "00-…", "tenant": ["a", "b"]}
//
// timeout_ms is how long the caller waits, in milliseconds, fractions allowed. Every other member is metadata: a string,
// or an array of strings for several values. What has another shape is ignored, since a stranger may use the name for
// something of his own. A response carries meta only when its request did.

const timeoutName = "timeout_ms"

// readMeta decodes a meta member into the fields and text of w, behind what these hold, and returns the timeout; 0: none.
func readMeta(w *wire.Scratch, raw []byte) (timeout time.Duration) {
	if json.Kind(raw) != '{' {
		return 0
	}
	// Decoding never lengthens, so with this room nothing moves while slices are made of it.
	w.Text = slices.Grow(w.Text, len(raw))
	for key, value := range json.Members(raw) {
		if json.KeyIs(key, timeoutName) {
			timeout = milliseconds(value)
			continue
		}
		addMeta(w, decodeText(w, key), value)
	}
	return timeout
}

func addMeta(w *wire.Scratch, name, value []byte) {
	switch json.Kind(value) {
	case '"':
		w.Fields = append(w.Fields, call.Field{Name: name, Value: decodeText(w, value)})
	case '[':
		for item := range json.Items(value) {
			if json.Kind(item) == '"' {
				w.Fields = append(w.Fields, call.Field{Name: name, Value: decodeText(w, item)})
			}
		}
	}
}

func decodeText(w *wire.Scratch, token []byte) []byte {
	start := len(w.Text)
	w.Text = json.AppendUnquoted(w.Text, token)
	return w.Text[start:]
}

// milliseconds reads a timeout. One that has passed already is a nanosecond, since zero would mean none.
func milliseconds(value []byte) time.Duration {
	ms, ok := json.Float64(value)
	switch {
	case !ok:
		return 0
	case ms <= 0:
		return 1
	case ms > float64(1<<62)/1e6:
		return 1 << 62
	}
	return max(1, time.Duration(ms*float64(time.Millisecond)))
}

// appendMeta appends the object for a timeout (0: none) and metadata. Values of one name are joined where the name comes
// first.
func appendMeta(dst []byte, timeout time.Duration, meta call.Meta) []byte {
	dst = append(dst, '{')
	if timeout > 0 {
		dst = append(dst, `"timeout_ms":`...)
		dst = strconv.AppendFloat(dst, float64(timeout)/float64(time.Millisecond), 'f', -1, 64)
	}
	for i, p := range meta {
		if meta[:i].Has(p.Name) {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = json.AppendString(dst, p.Name)
		dst = append(dst, ':')
		dst = appendValues(dst, p, meta[i+1:])
	}
	return append(dst, '}')
}

func appendValues(dst []byte, first call.Pair, rest call.Meta) []byte {
	if !rest.Has(first.Name) {
		return json.AppendString(dst, first.Value)
	}
	dst = append(dst, '[')
	dst = json.AppendString(dst, first.Value)
	for value := range rest.Values(first.Name) {
		dst = append(dst, ',')
		dst = json.AppendString(dst, value)
	}
	return append(dst, ']')
}
