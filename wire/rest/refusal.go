package rest

import (
	"net/http"
	"slices"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/cors"
	"github.com/anywire/anywire/wire/problem"
)

// refusal says why a request does not become a call.
type refusal struct {
	status int
	err    *call.Error
	fields []call.Field
}

// invalid refuses a request that can never be right.
func invalid(format string, args ...any) *refusal {
	return &refusal{status: http.StatusBadRequest, err: call.Errorf(call.InvalidArgument, format, args...)}
}

// notAllowed refuses a verb that the path does not take.
func notAllowed(r *wire.Request, t *target) *refusal {
	err := call.Errorf(call.Unimplemented, "the path does not take %s", r.Verb)
	if t.unsafe {
		err = call.Errorf(call.Unimplemented,
			"the method may change something, so %s does not call it; use POST, or register it with ReadOnly()", r.Verb)
	}
	allow := call.Field{Name: []byte("Allow"), Value: []byte(allowValue(t.allow))}
	return &refusal{http.StatusMethodNotAllowed, err, []call.Field{allow}}
}

// write writes the problem document, with fields beside its own.
func (x *refusal) write(w wire.Writer, fields []call.Field) {
	problem.Write(w, x.status, x.err, slices.Concat(x.fields, fields)...)
}

func (x *refusal) answer(fields []call.Field) *answer {
	return &answer{write: func(w wire.Writer) { x.write(w, fields) }}
}

// options answers OPTIONS: a browser that asks for leave, or anyone who wants to know the verbs.
func options(r *wire.Request, origins []string, verbs string) *answer {
	fields, asks := cors.Preflight(r, origins, verbs)
	if !asks {
		fields = cors.Fields(r, origins)
	}
	fields = append(fields, call.Field{Name: []byte("Allow"), Value: []byte(verbs)})
	return &answer{write: func(w wire.Writer) {
		w.Begin(&wire.Start{Status: http.StatusNoContent, Fields: fields})
		w.End()
	}}
}

// answer is an exchange that runs no call: the answer is known from the head of the request. It comes before the body,
// so that a client which waits for leave to send that need not.
type answer struct {
	write func(w wire.Writer)
	sent  bool
}

// Recv answers and drops the body.
func (a *answer) Recv(in []byte, _ bool, w wire.Writer, _ *wire.Frame) (n, want int, err error) {
	if !a.sent {
		a.sent = true
		a.write(w)
	}
	return len(in), 0, nil
}

// Send drops the frame, for there is no call.
func (a *answer) Send(*wire.Frame, wire.Writer) error { return nil }

// Release does nothing: an answer is too rare to be kept.
func (a *answer) Release() {}
