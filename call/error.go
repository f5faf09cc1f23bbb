package call

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Error is the one error that travels. Every wire carries its code, application code, message and details in both
// directions unchanged: JSON-RPC as code, message and data, REST as problem+json (RFC 9457). The cause stays here.
//
// An Error is made by Errorf and the With methods and is read only from then on, so one value may be shared.
type Error struct {
	Code    Code            // what kind of failure; the zero value travels as Unknown
	App     int32           // the application's own number; 0: none
	Message string          // one sentence for the caller
	Details json.RawMessage // one JSON value with more; nil: none

	cause error // stays in this process; see Unwrap
}

// Errorf makes an error for the wire. The formatted text travels; an error given by %w is kept as the cause here, but its
// text is part of the message, so name a cause with WithCause when its text must not travel.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// WithApp returns a copy of e that carries an application code.
func (e *Error) WithApp(code int32) *Error {
	c := *e
	c.App = code
	return &c
}

// WithDetails returns a copy of e that carries v as JSON. It panics when v has no JSON form.
func (e *Error) WithDetails(v any) *Error {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("anywire: details of an error: " + err.Error())
	}
	c := *e
	c.Details = raw
	return &c
}

// WithCause returns a copy of e that keeps err for errors.Is and errors.As in this process. It never travels.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.cause = err
	return &c
}

// Error returns the code, the application code when there is one, and the message.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.kind().String())
	if e.App != 0 {
		b.WriteString(" (" + strconv.Itoa(int(e.App)) + ")")
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	return b.String()
}

// Unwrap returns the cause, which never travels.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is e's Code.
func (e *Error) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == e.kind()
}

// Decode reads the details into v. Without details it returns an error, since v would stay as it was.
func (e *Error) Decode(v any) error {
	if e.Details == nil {
		return errors.New("anywire: the error carries no details")
	}
	return json.Unmarshal(e.Details, v)
}

func (e *Error) kind() Code {
	if e.Code == 0 || int(e.Code) >= len(codeNames) {
		return Unknown
	}
	return e.Code
}

// Public returns what of err may travel: an *Error anywhere in its chain, a Code, or the end of a context. For any other
// error it returns nil, because its text was not written for strangers.
func Public(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	var c Code
	switch {
	case errors.As(err, &c):
		return &Error{Code: c, Message: sentence(c), cause: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: DeadlineExceeded, Message: "the deadline passed", cause: err}
	case errors.Is(err, context.Canceled):
		return &Error{Code: Canceled, Message: "the call was canceled", cause: err}
	}
	return nil
}

func sentence(c Code) string { return strings.ReplaceAll(c.String(), "_", " ") }

// Violation is one thing wrong with the arguments of a call. A list of them is the details of the InvalidArgument error
// that answers such a call: {"errors":[{"path":"a","message":"…"}]}.
type Violation struct {
	Path    string `json:"path"`    // the parameter, then members and indexes below it: "items[2].price"; "": the whole
	Message string `json:"message"` // what came and what would be right
}

// InvalidParams returns the error that answers a call whose arguments are wrong.
func InvalidParams(vs ...Violation) *Error {
	e := &Error{Code: InvalidArgument, Message: "Invalid method param(s)."}
	return e.WithDetails(struct {
		Errors []Violation `json:"errors"`
	}{vs})
}
