package jsonrpc

import (
	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/problem"
)

// Caller makes a client's calls as POST requests: one object each, or an array for a batch.
type Caller struct {
	Path   string // of the endpoint; "": "/"
	Limits wire.Limits
}

// Call implements wire.Caller.
func (c *Caller) Call() wire.CallExchange {
	return &callExchange{path: c.Path, depth: c.Limits.Depth}
}

// callExchange is one POST of a client.
type callExchange struct {
	path    string
	depth   int
	request []byte   // what Send collects
	open    []uint64 // calls without an answer
	mute    bool     // there were only notifications: one frame with ID 0 tells of the end
	status  int      // of the response
	answers [][]byte // objects of the response that are not yet read
	begun   bool     // the body was looked at
	fault   *call.Error
}

// Send implements wire.Exchange: it takes the Open frames of one call or one batch.
func (e *callExchange) Send(f *wire.Frame, w wire.Writer) error {
	if f.Kind != wire.Open {
		return nil
	}
	array := f.More || len(e.request) > 0
	if array {
		e.request = append(e.request, separator(e.request))
	}
	e.request = appendRequest(e.request, f)
	if f.ID != 0 {
		e.open = append(e.open, f.ID)
	}
	if f.More {
		return nil
	}
	if array {
		e.request = append(e.request, ']')
	}
	e.mute = len(e.open) == 0
	e.post(w)
	return nil
}

func separator(request []byte) byte {
	if len(request) == 0 {
		return '['
	}
	return ','
}

func (e *callExchange) post(w wire.Writer) {
	path := e.path
	if path == "" {
		path = "/"
	}
	w.Begin(&wire.Start{Verb: "POST", Path: path, Size: len(e.request), Fields: []call.Field{
		jsonField, {Name: []byte("Accept"), Value: []byte("application/json")},
	}})
	w.Write(e.request)
	w.End()
	e.request = nil
}

// Respond implements wire.CallExchange.
func (e *callExchange) Respond(status int, _ []call.Field) { e.status = status }

// Recv implements wire.Exchange: one Reply frame a time, at last one for each call that the response left out.
func (e *callExchange) Recv(in []byte, end bool, _ wire.Writer, f *wire.Frame) (n, want int, err error) {
	if !end {
		return 0, len(in) + 1, nil
	}
	if !e.begun {
		e.begun = true
		e.read(in)
	}
	for len(e.answers) > 0 {
		m := ParseMessage(e.answers[0])
		e.answers = e.answers[1:]
		if id, ok := json.Uint64(m.ID); ok && e.take(id) {
			received(&m, id, f)
			return 0, 0, nil
		}
		if json.Kind(m.ID) == 'n' && m.Error != nil {
			e.fault, _ = ParseError(m.Error) // the server could not tell which call it speaks of
		}
	}
	f.Kind, f.Ours, f.End = wire.Reply, true, true
	switch {
	case len(e.open) > 0:
		f.ID, f.Err = e.open[0], e.missing()
		e.open = e.open[1:]
		return 0, 0, nil
	case e.mute:
		e.mute = false
		f.Err = e.fault
		return 0, 0, nil
	}
	f.Reset()
	return len(in), 0, nil
}

// read finds the objects in the body of the response, or the fault that stands for all of them.
func (e *callExchange) read(body []byte) {
	switch {
	case e.status >= 300 || e.status < 200:
		e.fault = problem.Parse(body, e.status)
	case e.status == 204 || len(body) == 0:
	case json.Valid(body, e.depth) != nil:
		e.fault = call.Errorf(call.Internal, "the server answered %d with a body that is no JSON", e.status)
	case json.Kind(body) == '[':
		for item := range json.Items(body) {
			e.object(item)
		}
	default:
		e.object(body)
	}
}

func (e *callExchange) object(v []byte) {
	if json.Kind(v) == '{' {
		e.answers = append(e.answers, v)
	}
}

// take removes id from the calls without an answer and reports whether it was there.
func (e *callExchange) take(id uint64) bool {
	for i, open := range e.open {
		if open == id {
			e.open = append(e.open[:i], e.open[i+1:]...)
			return true
		}
	}
	return false
}

func (e *callExchange) missing() *call.Error {
	if e.fault != nil {
		return e.fault
	}
	return call.Errorf(call.Internal, "the server's response has no answer to this call")
}

// Release implements wire.Exchange; the exchange is not used again.
func (e *callExchange) Release() {}
