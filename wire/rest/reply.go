package rest

import (
	"bytes"
	"net/http"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/problem"
)

var (
	nameType = []byte("Content-Type")
	typeJSON = call.Field{Name: nameType, Value: []byte("application/json")}
)

// answer writes the response that a reply stands for.
func (e *exchange) answer(f *wire.Frame, w wire.Writer) {
	e.reply = append(e.reply, e.cors...)
	typed := e.addMeta(f.Meta, f.Err == nil && len(f.Body) > 0)
	switch {
	case f.Err != nil:
		problem.Write(w, problem.Status(f.Err.Code), f.Err, e.reply...)
		return
	case len(f.Body) == 0:
		e.start = wire.Start{Status: http.StatusNoContent, Fields: e.reply}
		w.Begin(&e.start)
		w.End()
		return
	}
	if !typed {
		e.reply = append(e.reply, typeJSON)
	}
	e.start = wire.Start{Status: http.StatusOK, Size: len(f.Body), Fields: e.reply}
	w.Begin(&e.start)
	w.WriteBuf(f.Body, f.Buf)
	w.End()
}

// addMeta adds metadata to the fields of the response, as far as it makes fields, and reports whether a content type was
// among them. Only a result has one of its own.
func (e *exchange) addMeta(meta call.Meta, hasResult bool) (typed bool) {
	for _, p := range meta {
		f := call.Field{Name: keep(e, p.Name), Value: keep(e, p.Value)}
		isType := bytes.EqualFold(f.Name, nameType)
		if isType && (!hasResult || typed) || !isToken(f.Name) || isFraming(f.Name) || hasControls(f.Value) {
			continue
		}
		typed = typed || isType
		e.reply = append(e.reply, f)
	}
	return typed
}

// isFraming reports whether a field belongs to the version of HTTP below, which alone knows its value.
func isFraming(name []byte) bool {
	for _, own := range [...]string{"content-length", "transfer-encoding", "connection", "date", "keep-alive",
		"proxy-connection", "te", "trailer", "upgrade"} {
		if is(name, own) {
			return true
		}
	}
	return false
}

// hasControls reports whether s holds what no field value may (RFC 9110 section 5.5): such a byte could end the field and
// begin another.
func hasControls(s []byte) bool {
	for _, c := range s {
		if c < ' ' && c != '\t' || c == 0x7f {
			return true
		}
	}
	return false
}
