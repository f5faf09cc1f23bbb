// Package problem carries errors over HTTP: as problem documents (RFC 9457) with members that keep the whole error.
//
//	{"type":"about:blank","title":"Not Found","status":404,
//	 "detail":"no order 7","code":"not_found","app_code":1207,"details":{"order":7}}
//
// The members code, app_code and details are extensions (RFC 9457 section 3.2). Details that consist of a list of errors
// alone, as those of call.InvalidParams do, travel as the member errors, where other people's clients look for them.
package problem

import (
	"bytes"
	"strconv"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

// MediaType is the media type of a problem document.
const MediaType = "application/problem+json"

// maxDepth bounds the nesting of details, so that reading them cannot exhaust a stack.
const maxDepth = 1000

// Append appends e as a problem document. Details that are not one JSON value are left out.
func Append(dst []byte, status int, e *call.Error) []byte {
	dst = append(dst, `{"type":"about:blank"`...)
	if t := title(status); t != "" {
		dst = appendText(dst, "title", t)
	}
	dst = append(dst, `,"status":`...)
	dst = strconv.AppendInt(dst, int64(status), 10)
	if e.Message != "" {
		dst = appendText(dst, "detail", e.Message)
	}
	dst = appendText(dst, "code", codeName(e.Code))
	if e.App != 0 {
		dst = append(dst, `,"app_code":`...)
		dst = strconv.AppendInt(dst, int64(e.App), 10)
	}
	return append(appendDetails(dst, trim(e.Details)), '}')
}

func appendText(dst []byte, name, value string) []byte {
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)
	return json.AppendString(dst, value)
}

func appendDetails(dst, details []byte) []byte {
	if len(details) == 0 || json.Valid(details, maxDepth) != nil {
		return dst
	}
	if list := onlyErrors(details); list != nil {
		dst = append(dst, `,"errors":`...)
		return append(dst, list...)
	}
	dst = append(dst, `,"details":`...)
	return append(dst, details...)
}

const (
	errorsOpen  = `{"errors":`
	errorsClose = `}`
)

// onlyErrors returns the value of the member errors when details are nothing but that member, else nil. Details that are
// spaced otherwise than the reader would put them together again stay as they are.
func onlyErrors(details []byte) []byte {
	inner, opens := bytes.CutPrefix(details, []byte(errorsOpen))
	inner, closes := bytes.CutSuffix(inner, []byte(errorsClose))
	if !opens || !closes || json.Valid(inner, maxDepth) != nil || len(trim(inner)) != len(inner) {
		return nil
	}
	return inner
}

// codeName returns the name of c as it travels: an error without a code is Unknown.
func codeName(c call.Code) string {
	if c == 0 {
		c = call.Unknown
	}
	return c.String()
}

// trim cuts the white space of JSON (RFC 8259 section 2) off both ends.
func trim(v []byte) []byte { return bytes.Trim(v, " \t\r\n") }

// Write writes a whole response to w: e as a problem document, with fields beside the content type. Where RFC 9110 asks
// for a field with the status, or a client does better with one, it is added unless fields have it.
func Write(w wire.Writer, status int, e *call.Error, fields ...call.Field) {
	body := Append(nil, status, e)
	all := append([]call.Field{contentType}, fields...)
	if f, asked := companion(status); asked && !has(fields, f.Name) {
		all = append(all, f)
	}
	w.Begin(&wire.Start{Status: status, Size: len(body), Fields: all})
	w.Write(body)
	w.End()
}

var contentType = call.Field{Name: []byte("Content-Type"), Value: []byte(MediaType)}

// companion returns the field that belongs to a response of that status.
func companion(status int) (f call.Field, asked bool) {
	switch status {
	case 401: // must name a challenge: RFC 9110 section 15.5.2
		return call.Field{Name: []byte("WWW-Authenticate"), Value: []byte("Bearer")}, true
	case 429, 503:
		return call.Field{Name: []byte("Retry-After"), Value: []byte("1")}, true
	}
	return call.Field{}, false
}

func has(fields []call.Field, name []byte) bool {
	for _, f := range fields {
		if bytes.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}
