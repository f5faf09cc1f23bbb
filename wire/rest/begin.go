package rest

import (
	"net/http"
	"unicode/utf8"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/cors"
)

// begin fills e from the head of a request to the method of t. It copies what it keeps of r.
func (e *exchange) begin(r *wire.Request, t *target, c *Config) (why *refusal) {
	e.head = call.Head{Method: t.name, Wire: "rest", Safe: isSafe(r.Verb)}
	e.size, e.limit = r.Size, limitOf(t.method, &c.Limits)
	if why = e.expect(r, c.Origins); why != nil {
		return why
	}
	if timeout := r.Get(fieldTimeout); timeout != nil {
		var ok bool
		if e.head.Timeout, ok = parseTimeout(timeout); !ok {
			return invalid("%s is not a number of seconds such as 2.5", fieldTimeout)
		}
	}
	e.cors = cors.Fields(r, c.Origins)
	for _, p := range t.params {
		e.text = append(e.text, call.Field{Name: p.Name, Value: keep(e, p.Value)})
	}
	for _, f := range r.Fields {
		e.fields = append(e.fields, call.Field{Name: keep(e, f.Name), Value: keep(e, f.Value)})
	}
	e.head.Fields = e.fields
	return e.addText("query", r.Query)
}

// limitOf returns how many bytes a message to m may have.
func limitOf(m call.Method, l *wire.Limits) int {
	if own := m.Traits().MaxMessage; own > 0 {
		return own
	}
	return l.MessageBytes
}

// expect settles what body e waits for.
func (e *exchange) expect(r *wire.Request, origins []string) (why *refusal) {
	if !e.head.Safe {
		e.body, why = bodyOf(r, origins)
	}
	switch {
	case why != nil:
		return why
	case e.body == rawBody:
		e.head.Codec = call.Raw
	}
	return e.tooLarge(r.Size)
}

// tooLarge refuses a body of size bytes, or so many of one that has not ended, when there should not be so many.
func (e *exchange) tooLarge(size int64) *refusal {
	switch {
	case e.head.Safe && size > 0:
		return invalid("a body has no meaning with GET and HEAD; send arguments in the query")
	case size > int64(e.limit):
		err := call.Errorf(call.ResourceExhausted, "the body is larger than %d bytes", e.limit)
		return &refusal{status: http.StatusRequestEntityTooLarge, err: err}
	}
	return nil
}

// addText adds the members of a query or form to the arguments.
func (e *exchange) addText(where string, members []byte) *refusal {
	var err error
	e.text, e.mem, err = appendQuery(e.text, e.mem, members)
	if err != nil {
		return invalid("the %s: %v", where, err)
	}
	for _, f := range e.text {
		if !utf8.Valid(f.Name) || !utf8.Valid(f.Value) {
			return invalid("the text in the path, query or form is not UTF-8")
		}
	}
	e.head.Text = e.text
	return nil
}

// keep copies s to memory that lives as long as e.
func keep[S string | []byte](e *exchange, s S) []byte {
	start := len(e.mem)
	e.mem = append(e.mem, s...)
	return e.mem[start:len(e.mem):len(e.mem)]
}
