package http1

import (
	"errors"
	"net/http"
	"strconv"
)

// ErrBusy is returned by a client's Send for a call that begins while the response to an earlier one is not read yet.
var ErrBusy = errors.New("http1: a request is in flight on this connection")

// ErrUnsolicited ends a connection whose server sent bytes that no request asked for.
var ErrUnsolicited = errors.New("http1: the server sent bytes without a request")

// ErrUnanswered ends a connection whose response left a call of its request without an answer.
var ErrUnanswered = errors.New("http1: the response answered only a part of the calls")

// ErrRole is returned by Send for a frame that this end of HTTP/1.1 cannot express, such as a call by the server.
var ErrRole = errors.New("http1: frames of this kind do not go in this direction")

// ErrLength is returned by a Write beyond the size that Begin announced, or outside of Begin and End. The connection ends
// with the message, since its peer cannot tell where the message ends.
var ErrLength = errors.New("http1: the body does not fit its announced size")

// ErrRequest is returned by a client's Send when the request line would be malformed, or the exchange wrote none.
var ErrRequest = errors.New("http1: the exchange wrote no proper request")

// Error says what is wrong with a message. It is never changed after it was made.
type Error struct {
	Status int    // the status that answers a request like that
	Detail string // what was wrong, and what would be right
}

// Error returns the status and the detail.
func (e *Error) Error() string { return "http1: " + strconv.Itoa(e.Status) + ": " + e.Detail }

// The details stand in JSON as they are, so they have no character that would need escaping.
var (
	errLine = &Error{http.StatusBadRequest, "A line ended with a bare LF; lines end with CR LF."}

	errRequest = &Error{http.StatusBadRequest,
		"The request line is malformed; it is: method, space, target, space, HTTP/1.1."}
	errTarget = &Error{http.StatusBadRequest,
		"The request target is malformed; it is a path that begins with a slash, or an absolute http URI."}
	errField = &Error{http.StatusBadRequest,
		"A header field is malformed; it is: name, colon, value, without folding or control characters."}
	errHost = &Error{http.StatusBadRequest,
		"The Host field is missing, repeated or malformed; HTTP/1.1 needs exactly one."}
	errLength = &Error{http.StatusBadRequest,
		"Content-Length is malformed or repeated; it is one decimal number."}
	errBoth = &Error{http.StatusBadRequest,
		"Content-Length and Transfer-Encoding are both present; only one may be."}
	errOldCoding = &Error{http.StatusBadRequest,
		"Transfer-Encoding is present in HTTP/1.0, which does not have it; use Content-Length."}
	errChunk = &Error{http.StatusBadRequest,
		"The chunked body is malformed; a chunk is: size in hexadecimal, CR LF, data, CR LF."}

	errNotFound = &Error{http.StatusNotFound,
		"Nothing here answers this request; look at the path and the method."}
	errLargeBody = &Error{http.StatusRequestEntityTooLarge,
		"The body is larger than what is taken here; send less at once."}
	errLongLine = &Error{http.StatusRequestURITooLong,
		"The first line is longer than what is taken here; send arguments in the body."}
	errExpect = &Error{http.StatusExpectationFailed,
		"The expectation is not known; only 100-continue is."}
	errLargeHead = &Error{http.StatusRequestHeaderFieldsTooLarge,
		"The header fields are larger or more than what is taken here; send fewer."}

	errNoAnswer = &Error{http.StatusInternalServerError,
		"The request was read, but nothing answered it."}
	errCoding = &Error{http.StatusNotImplemented,
		"The transfer coding is not known; only chunked is."}
	errConnect = &Error{http.StatusNotImplemented,
		"This server is no proxy, so it does not CONNECT."}
	errStatus = &Error{http.StatusBadGateway,
		"The status line is malformed; it is: HTTP/1.1, space, three digits, space, reason."}
	errDraining = &Error{http.StatusServiceUnavailable,
		"The server is shutting down; try again on a new connection."}
	errVersion = &Error{http.StatusHTTPVersionNotSupported,
		"The version is not spoken here; use HTTP/1.1 or HTTP/1.0."}
)
