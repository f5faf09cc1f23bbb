package interop_test

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2/conformance"
)

// What a server can make of a message.
const (
	called  = "called"  // answered as a call: with a result, or because the method or its params are unknown
	silent  = "silent"  // not answered
	refused = "refused" // answered as invalid JSON or an invalid request
)

// outcomes of the kinds of messages, on a stream and over HTTP. On a stream a response may belong to a call of the server's,
// so it gets no answer; over HTTP it cannot.
var conformanceOutcomes = map[conformance.Kind]struct{ stream, http string }{
	conformance.KindCall:           {called, called},
	conformance.KindNotification:   {silent, silent},
	conformance.KindResponseResult: {silent, refused},
	conformance.KindResponseError:  {silent, refused},
	conformance.KindInvalid:        {refused, refused},
}

// conformanceExceptions are the vectors with which we do not go along, each with the reason.
var conformanceExceptions = map[string]struct{ stream, http, why string }{
	"success: notification with explicit null id": {called, called,
		"JSON-RPC 2.0, section 4.1: a notification is a request without a member id; null is an id (section 4)"},
	"error: method with result is mixed": {called, called,
		"JSON-RPC 2.0 does not forbid members that it does not name; a member result of a request is one"},
	"error: empty input": {silent, refused,
		"a stream that ends between messages is in order; only over HTTP is there an empty message"},
	"error: trailing garbage": {called + " " + refused, refused,
		"on a stream of values what follows a whole value is the next message; only over HTTP is it part of the same"},
	"error: missing version on response": {silent, refused,
		"a response, well-formed or not, must never be answered by another on a stream, or two peers could go on for ever"},
	"error: response with both result and error": {silent, refused, "the same"},
}

func TestConformance(t *testing.T) {
	addr := startDemo(t)
	vectors := slices.Concat(conformance.Valid(), conformance.Invalid())
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			want, why := conformanceOutcomes[v.Kind], "as the vector says"
			if e, ok := conformanceExceptions[v.Name]; ok {
				want.stream, want.http, why = e.stream, e.http, e.why
			}
			if got := outcome(t, exchange(t, addr, v.Wire)); got != want.stream {
				t.Errorf("on a stream %s is %q, want %q: %s", v.Wire, got, want.stream, why)
			}
			if got := outcome(t, post(t, addr, v.Wire)); got != want.http {
				t.Errorf("over HTTP %s is %q, want %q: %s", v.Wire, got, want.http, why)
			}
		})
	}
	for name := range conformanceExceptions {
		if !slices.ContainsFunc(vectors, func(v conformance.Vector) bool { return v.Name == name }) {
			t.Errorf("the exception %q is of no vector", name)
		}
	}
}

// outcome says what answers mean, one word each.
func outcome(t *testing.T, answers string) string {
	t.Helper()
	var words []string
	for d := json.NewDecoder(strings.NewReader(answers)); ; {
		var r response
		switch err := d.Decode(&r); {
		case err == io.EOF && words == nil:
			return silent
		case err == io.EOF:
			return strings.Join(words, " ")
		case err != nil || r.Version != "2.0":
			t.Fatalf("%q: %v", answers, err)
		case r.Error != nil && (r.Error.Code == -32700 || r.Error.Code == -32600):
			words = append(words, refused)
		default:
			words = append(words, called)
		}
	}
}
