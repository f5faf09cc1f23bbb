package rest

import (
	"net/http"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/cors"
	"github.com/anywire/anywire/wire/problem"
)

// The paths that tell whoever runs the server how it is.
const (
	pathHealth = "/healthz" // the process answers
	pathReady  = "/readyz"  // send it calls
)

var healthVerbs = []string{"GET", "HEAD", "OPTIONS"}

// health answers the paths above and leaves all others to the next binding.
func (b *binding) health(r *wire.Request) (wire.Exchange, wire.Verdict) {
	path := string(r.Path)
	if path != pathHealth && path != pathReady {
		return nil, wire.No
	}
	if !isSafe(r.Verb) {
		return b.otherVerb(r, &target{allow: healthVerbs}), wire.Yes
	}
	fields := append(cors.Fields(r, b.Origins), noStore)
	if path == pathReady && b.Ready != nil && !b.Ready() {
		err := &call.Error{Code: call.Unavailable, Message: "the server does not take calls now"}
		return (&refusal{status: problem.Status(err.Code), err: err}).answer(fields), wire.Yes
	}
	return well(fields), wire.Yes
}

var noStore = call.Field{Name: []byte("Cache-Control"), Value: []byte("no-store")}

// well answers that everything is.
func well(fields []call.Field) *answer {
	const body = `{"status":"ok"}`
	fields = append(fields, typeJSON)
	return &answer{write: func(w wire.Writer) {
		w.Begin(&wire.Start{Status: http.StatusOK, Size: len(body), Fields: fields})
		w.Write([]byte(body))
		w.End()
	}}
}
