package problem

import (
	"net/http"

	"github.com/anywire/anywire/call"
)

// StatusCanceled answers a caller that gave up; nobody should see it but a log. RFC 9110 has no status for that, and
// this number is in wide use.
const StatusCanceled = 499

// Status returns the HTTP status that stands for c. A method that does not exist is better answered by 404 than by what
// Unimplemented maps to.
func Status(c call.Code) int {
	switch c {
	case call.Canceled:
		return StatusCanceled
	case call.InvalidArgument, call.FailedPrecondition, call.OutOfRange:
		return http.StatusBadRequest
	case call.DeadlineExceeded:
		return http.StatusGatewayTimeout
	case call.NotFound:
		return http.StatusNotFound
	case call.AlreadyExists, call.Aborted:
		return http.StatusConflict
	case call.PermissionDenied:
		return http.StatusForbidden
	case call.ResourceExhausted:
		return http.StatusTooManyRequests
	case call.Unimplemented:
		return http.StatusNotImplemented
	case call.Unavailable:
		return http.StatusServiceUnavailable
	case call.Unauthenticated:
		return http.StatusUnauthorized
	}
	return http.StatusInternalServerError
}

// CodeOf returns the code for an answer that tells nothing but its HTTP status, as an answer of a proxy does. A status
// not known here counts as the first of its class (RFC 9110 section 15).
func CodeOf(status int) call.Code {
	switch status {
	case http.StatusUnauthorized:
		return call.Unauthenticated
	case http.StatusForbidden:
		return call.PermissionDenied
	case http.StatusNotFound:
		return call.NotFound
	case http.StatusConflict:
		return call.Aborted
	case http.StatusRequestEntityTooLarge, http.StatusTooManyRequests:
		return call.ResourceExhausted
	case StatusCanceled:
		return call.Canceled
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return call.Unimplemented
	case http.StatusBadGateway, http.StatusServiceUnavailable:
		return call.Unavailable
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return call.DeadlineExceeded
	}
	if status >= 400 && status < 500 {
		return call.InvalidArgument
	}
	return call.Unknown
}

// title returns the reason phrase, which is what the title of a problem of type about:blank should be (RFC 9457
// section 4.2.1).
func title(status int) string {
	if status == StatusCanceled {
		return "Client Closed Request"
	}
	return http.StatusText(status)
}
