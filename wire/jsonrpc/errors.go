package jsonrpc

import (
	"math"
	"strconv"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
)

// The numbers that the specification defines (section 5.1).
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603

	// Codes without a number of their own stand at serverError minus the code, in the range that the specification leaves
	// to implementations: not_found (5) is -32005.
	serverError = -32000
)

// number returns the error code of e on the wire: the application's where it has one.
func number(e *call.Error) int64 {
	if e.App != 0 {
		return int64(e.App)
	}
	switch c := kind(e); c {
	case call.InvalidArgument:
		return invalidParams
	case call.Unimplemented:
		return methodNotFound
	case call.Internal:
		return internalError
	default:
		return serverError - int64(c)
	}
}

// fromNumber reads an error code of the wire: number turned round for our codes, an application code otherwise.
func fromNumber(n int64) (call.Code, int32) {
	switch n {
	case invalidParams:
		return call.InvalidArgument, 0
	case methodNotFound:
		return call.Unimplemented, 0
	case internalError:
		return call.Internal, 0
	case invalidRequest:
		return call.InvalidArgument, invalidRequest
	case parseError:
		return call.Internal, parseError
	}
	if c := serverError - n; c >= 1 && c <= 16 && n == number(&call.Error{Code: call.Code(c)}) {
		return call.Code(c), 0
	}
	return call.Unknown, clamp(n)
}

func kind(e *call.Error) call.Code {
	if e.Code == 0 || e.Code > call.Unauthenticated {
		return call.Unknown
	}
	return e.Code
}

// AppendError appends the error object of e. Where the number alone would not tell the code (an application code beside
// one of the sixteen) a member "status" names it.
func AppendError(dst []byte, e *call.Error) []byte {
	n := number(e)
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, n, 10)
	dst = append(dst, `,"message":`...)
	dst = json.AppendString(dst, message(e))
	if len(e.Details) > 0 {
		dst = append(dst, `,"data":`...)
		dst = append(dst, e.Details...)
	}
	if code, app := fromNumber(n); code != kind(e) || app != e.App {
		dst = append(dst, `,"status":`...)
		dst = json.AppendString(dst, kind(e).String())
	}
	return append(dst, '}')
}

func message(e *call.Error) string {
	if e.Message == "" {
		return kind(e).String()
	}
	return e.Message
}

// ParseError reads an error object; ok is false when it is none. Everything is copied.
func ParseError(object []byte) (e *call.Error, ok bool) {
	if json.Kind(object) != '{' {
		return nil, false
	}
	e = &call.Error{}
	var status, text []byte
	var app int32
	for key, value := range json.Members(object) {
		switch {
		case json.KeyIs(key, "code"):
			n, isInt := json.Int64(value)
			if !isInt {
				return nil, false
			}
			e.Code, e.App = fromNumber(n)
			app = clamp(n)
			ok = true
		case json.KeyIs(key, "message"):
			text = value
		case json.KeyIs(key, "data"):
			e.Details = append([]byte(nil), value...)
		case json.KeyIs(key, "status"):
			status = value
		}
	}
	if !ok {
		return nil, false
	}
	if json.Kind(text) == '"' {
		e.Message = string(json.AppendUnquoted(nil, text))
	}
	if json.Kind(status) == '"' {
		name := json.AppendUnquoted(nil, status)
		if c, known := call.ParseCode(string(name)); known {
			e.Code, e.App = c, app
		}
	}
	return e, true
}

// clamp returns n as an application code, 0 where it has no place in one.
func clamp(n int64) int32 {
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0
	}
	return int32(n)
}
