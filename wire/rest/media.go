package rest

import (
	"bytes"
	"net/http"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/cors"
)

// bodyKind is how the body of a request holds the arguments.
type bodyKind uint8

const (
	noBody   bodyKind = iota // there must be none
	jsonBody                 // one JSON array or object
	formBody                 // application/x-www-form-urlencoded
	rawBody                  // the bytes are the argument
)

const accepted = "application/json, application/x-www-form-urlencoded, or a binary type such as application/octet-stream"

// bodyOf reads the type of the body that a request with an unsafe verb has, and refuses what cannot be read, as well as
// what a page of a foreign origin could have sent without the browser asking us (a "simple" request of the CORS
// protocol), because the user of that browser may never have wanted the call.
func bodyOf(r *wire.Request, origins []string) (bodyKind, *refusal) {
	contentType := r.Get("Content-Type")
	mediaType := cors.MediaType(contentType)
	kind, known := kindOf(mediaType)
	switch {
	case !known:
		return 0, unsupported("bodies of type %q are not read; send %s", mediaType, accepted)
	case kind != rawBody && !isUTF8(contentType):
		return 0, unsupported("text is read as UTF-8 only; send the body in that charset")
	case cors.Simple(mediaType) && cors.ForeignOrigin(r, origins):
		return 0, foreign(kind)
	case cors.Simple(mediaType) && kind == jsonBody && r.Size != 0 && cors.FromPage(r, origins):
		return 0, unsupported("a web page must send application/json as such")
	}
	return kind, nil
}

// kindOf says how a body of that media type is read. None at all is taken for JSON.
func kindOf(mediaType []byte) (kind bodyKind, known bool) {
	switch string(mediaType) {
	case "", "application/json", "text/json", "text/plain":
		return jsonBody, true
	case "application/x-www-form-urlencoded":
		return formBody, true
	}
	if bytes.HasSuffix(mediaType, []byte("+json")) {
		return jsonBody, true
	}
	top, sub, _ := bytes.Cut(mediaType, []byte("/"))
	switch string(top) {
	case "application", "image", "audio", "video":
		return rawBody, len(sub) > 0
	}
	return 0, false
}

// isUTF8 reports whether the parameters in a Content-Type field name no charset but UTF-8.
func isUTF8(contentType []byte) bool {
	_, params, _ := bytes.Cut(contentType, []byte(";"))
	for len(params) > 0 {
		var param []byte
		param, params, _ = bytes.Cut(params, []byte(";"))
		name, value, _ := bytes.Cut(param, []byte("="))
		if is(bytes.Trim(name, " \t"), "charset") && !is(bytes.Trim(value, ` "`), "utf-8") {
			return false
		}
	}
	return true
}

func unsupported(format string, args ...any) *refusal {
	return &refusal{status: http.StatusUnsupportedMediaType, err: call.Errorf(call.InvalidArgument, format, args...)}
}

// foreign refuses a simple request of a foreign origin.
func foreign(kind bodyKind) *refusal {
	const cure = "name the origin in the server's allowed origins, or send Content-Type: application/json, " +
		"for which the browser asks first"
	if kind == formBody {
		err := call.Errorf(call.PermissionDenied, "a page of another origin sent a form; %s", cure)
		return &refusal{status: http.StatusForbidden, err: err}
	}
	return unsupported("a page of another origin sent a body of type text/plain or of none; %s", cure)
}

func is(s []byte, word string) bool { return len(s) == len(word) && bytes.EqualFold(s, []byte(word)) }
