package jsonrpc

import (
	"sync"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/cors"
	"github.com/anywire/anywire/wire/problem"
)

// Binding reads the body of a POST as JSON-RPC: at the path "/" always, at any other path that no method claims when it is
// an envelope. Status 200 carries every answer, errors too; 204 says that none is due; 4xx is for faults of HTTP.
type Binding struct {
	limits  *wire.Limits
	origins []string
	pool    sync.Pool // of *exchange
}

// NewBinding returns the binding. origins are those that may call from a browser; see package cors.
func NewBinding(l *wire.Limits, origins []string) *Binding {
	return &Binding{limits: l, origins: origins}
}

// Accept implements wire.Binding.
func (b *Binding) Accept(r *wire.Request, body []byte, whole bool) (wire.Exchange, wire.Verdict) {
	if string(r.Verb) != "POST" {
		return nil, wire.No
	}
	why := b.mediaType(r)
	if string(r.Path) == "/" {
		return b.exchange(r, why), wire.Yes
	}
	switch {
	case why != nil:
		return nil, wire.No
	case !whole:
		return nil, wire.Whole
	case body == nil || !Envelope(body, b.limits.Depth):
		return nil, wire.No
	}
	return b.exchange(r, nil), wire.Yes
}

// mediaType returns why the content type of r is refused, or nil. What a browser sends across sites without asking is
// accepted only from elsewhere than a page, unless its origin is allowed.
func (b *Binding) mediaType(r *wire.Request) *call.Error {
	t := cors.MediaType(r.Get("Content-Type"))
	switch string(t) {
	case "application/json", "application/json-rpc", "application/jsonrequest", "text/json":
		return nil
	case "", "text/plain", "application/x-www-form-urlencoded":
		if !cors.FromPage(r, b.origins) {
			return nil
		}
		return call.Errorf(call.InvalidArgument, "a web page must send application/json, for which the browser asks first")
	}
	return call.Errorf(call.InvalidArgument, "JSON-RPC comes as application/json, not as %q", t)
}

func (b *Binding) exchange(r *wire.Request, refuse *call.Error) *exchange {
	e, _ := b.pool.Get().(*exchange)
	if e == nil {
		e = &exchange{core: newCore(b.limits, false), pool: &b.pool}
	}
	e.fault = refuse
	e.cors = cors.Fields(r, b.origins)
	e.request = r
	return e
}

// exchange is one POST.
type exchange struct {
	core
	pool    *sync.Pool
	fault   *call.Error   // answers the request at once, with 415
	cors    []call.Field  // for the response
	request *wire.Request // its header fields are metadata of the calls
	begun   bool          // the body was looked at
	start   wire.Start    // of the response
	fields  []call.Field  // of the response
}

var jsonField = call.Field{Name: []byte("Content-Type"), Value: []byte("application/json")}

// Recv implements wire.Exchange.
func (e *exchange) Recv(in []byte, end bool, w wire.Writer, f *wire.Frame) (n, want int, err error) {
	switch {
	case e.fault != nil:
		problem.Write(w, 415, e.fault, e.cors...)
		return len(in), 0, nil
	case e.batch != nil:
		return e.next(in, w, f), 0, nil
	case !end:
		return 0, len(in) + 1, nil
	case e.begun:
		return len(in), 0, nil
	}
	e.begun = true
	var m Message
	if end := m.parseQuickly(in, e.limits.Depth); end > 0 && end+leading(in[end:]) == len(in) {
		e.opened(e.message(&m, f), w, f)
		return len(in), 0, nil
	}
	return e.value(in, w, f), 0, nil
}

// value reads a body of any kind. It returns how many bytes are consumed: all, or those before the items of a batch.
func (e *exchange) value(in []byte, w wire.Writer, f *wire.Frame) (n int) {
	if json.Valid(in, e.limits.Depth) != nil {
		e.write(w, &answer{head: refusal(null, parseError, notJSON)}, nil)
		return len(in)
	}
	lead := leading(in)
	own := e.begin(in[lead:], f)
	if e.batch != nil {
		e.left--
		return lead + 1
	}
	e.opened(own, w, f)
	return len(in)
}

// opened goes on when the only message was read: to a call, to an answer to write, or to neither.
func (e *exchange) opened(own []byte, w wire.Writer, f *wire.Frame) {
	e.metadata(f)
	switch {
	case own != nil:
		e.write(w, &answer{head: own}, nil)
	case f.ID == 0:
		e.nothing(w)
	}
}

func (e *exchange) next(in []byte, w wire.Writer, f *wire.Frame) (n int) {
	n, done := e.item(in, f)
	e.metadata(f)
	if done != nil {
		e.finish(w, done)
	}
	return n
}

// metadata adds the header fields of the request to those of the envelope, which come first.
func (e *exchange) metadata(f *wire.Frame) {
	if f.Kind == wire.Open {
		w := f.Scratch()
		w.Fields = append(w.Fields, e.request.Fields...)
		f.Head.Fields = w.Fields
	}
}

// Send implements wire.Exchange.
func (e *exchange) Send(f *wire.Frame, w wire.Writer) error {
	if f.Kind != wire.Reply {
		return nil
	}
	a, done := e.answer(f)
	switch {
	case done != nil:
		e.finish(w, done)
	case a.size() > 0:
		e.write(w, &a, f)
	}
	return nil
}

// finish answers with what a batch came to.
func (e *exchange) finish(w wire.Writer, b *batch) {
	if array := e.core.array(b); array != nil {
		e.write(w, &answer{head: array}, nil)
		return
	}
	e.nothing(w)
}

// write answers the request; f owns the memory of the answer's body.
func (e *exchange) write(w wire.Writer, a *answer, f *wire.Frame) {
	e.fields = append(append(e.fields[:0], e.cors...), jsonField)
	e.start = wire.Start{Status: 200, Size: a.size(), Fields: e.fields}
	w.Begin(&e.start)
	w.Write(a.head)
	if f != nil {
		w.WriteBuf(a.body, f.Buf)
	}
	w.Write(a.tail)
	w.End()
}

func (e *exchange) nothing(w wire.Writer) {
	w.Begin(&wire.Start{Status: 204, Fields: e.cors})
	w.End()
}

// Release implements wire.Exchange.
func (e *exchange) Release() {
	e.slots.reset()
	e.batch, e.left, e.fault, e.cors, e.request, e.begun = nil, 0, nil, nil, nil, false
	e.pool.Put(e)
}

func leading(in []byte) int {
	for i, c := range in {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(in)
}
