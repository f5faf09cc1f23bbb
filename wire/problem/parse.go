package problem

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
)

// maxText is how many bytes of a body without JSON are taken for a message; longer ones are pages for people.
const maxText = 256

// Parse returns the error that body, the content of a response with that status, carries. It gives back exactly what
// Append wrote. Of other documents it takes the message from where it is usually found and keeps the whole as details;
// what is no JSON at all is the message when it is a short line of text. The result shares no memory with body.
func Parse(body []byte, status int) *call.Error {
	body = trim(body)
	if len(body) == 0 || json.Valid(body, maxDepth+1) != nil {
		return &call.Error{Code: CodeOf(status), Message: line(body, status)}
	}
	if json.Kind(body) != '{' {
		return &call.Error{Code: CodeOf(status), Message: title(status), Details: bytes.Clone(body)}
	}
	d := read(body)
	if d.code == 0 {
		return &call.Error{Code: CodeOf(status), Message: d.foreignMessage(status), Details: d.foreignDetails(body)}
	}
	return &call.Error{Code: d.code, App: d.app, Message: d.detail, Details: d.details}
}

// document is what of a problem document matters here.
type document struct {
	code                          call.Code // 0: not written by Append
	app                           int32
	detail, title, message, error string
	details                       []byte
}

func read(body []byte) (d document) {
	for key, value := range json.Members(body) {
		switch {
		case json.KeyIs(key, "code"):
			d.code, _ = call.ParseCode(text(value))
		case json.KeyIs(key, "app_code"):
			d.app = number(value)
		case json.KeyIs(key, "detail"):
			d.detail = text(value)
		case json.KeyIs(key, "title"):
			d.title = text(value)
		case json.KeyIs(key, "message"):
			d.message = text(value)
		case json.KeyIs(key, "error"):
			d.error = text(value)
		case json.KeyIs(key, "details"):
			d.details = bytes.Clone(value)
		case json.KeyIs(key, "errors") && d.details == nil:
			d.details = bytes.Join([][]byte{[]byte(errorsOpen), value, []byte(errorsClose)}, nil)
		}
	}
	return d
}

// foreignMessage returns the first text there is, the most telling first.
func (d *document) foreignMessage(status int) string {
	for _, s := range []string{d.detail, d.message, d.error, d.title} {
		if s != "" {
			return s
		}
	}
	return title(status)
}

func (d *document) foreignDetails(body []byte) []byte {
	if d.details != nil {
		return d.details
	}
	return bytes.Clone(body)
}

// text returns the content of a JSON string, and "" for any other value.
func text(value []byte) string {
	if json.Kind(value) != '"' {
		return ""
	}
	return string(json.AppendUnquoted(nil, value))
}

// number returns a JSON integer of 32 bits, and 0 for any other value.
func number(value []byte) int32 {
	n, isInt := json.Int64(value)
	if !isInt || n < math.MinInt32 || n > math.MaxInt32 {
		return 0
	}
	return int32(n)
}

// line returns body when it is a short line of text that a person wrote for another, else the reason phrase.
func line(body []byte, status int) string {
	if len(body) == 0 || len(body) > maxText || body[0] == '<' || !printable(body) {
		return title(status)
	}
	return string(body)
}

func printable(text []byte) bool {
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.Valid(text) && bytes.IndexFunc(text, isControl) < 0
}
