package call

// A Code says what kind of failure an error is: gRPC's sixteen, with gRPC's numbers. A Code is itself an error, so that a
// function may return one as it is and errors.Is(err, call.NotFound) asks for the kind of any error.
//
// There is no constant for success: a call that succeeded has no error.
type Code uint8

// The sixteen codes, as https://grpc.io/docs/guides/status-codes/ describes them.
const (
	Canceled           Code = 1  // the caller gave up
	Unknown            Code = 2  // an error that was not made for the wire
	InvalidArgument    Code = 3  // the arguments can never be right
	DeadlineExceeded   Code = 4  // time ran out
	NotFound           Code = 5  // what was named does not exist
	AlreadyExists      Code = 6  // what was to be made exists
	PermissionDenied   Code = 7  // the caller is known and may not
	ResourceExhausted  Code = 8  // a limit or quota is reached
	FailedPrecondition Code = 9  // the system is not in the state that the call needs
	Aborted            Code = 10 // a conflict; the whole transaction may be tried again
	OutOfRange         Code = 11 // past the valid range, as it stands now
	Unimplemented      Code = 12 // no such method
	Internal           Code = 13 // something is broken
	Unavailable        Code = 14 // not reachable now; try again later
	DataLoss           Code = 15 // data is lost or damaged
	Unauthenticated    Code = 16 // the caller is not known
)

var codeNames = [...]string{
	0: "ok", Canceled: "canceled", Unknown: "unknown", InvalidArgument: "invalid_argument",
	DeadlineExceeded: "deadline_exceeded", NotFound: "not_found", AlreadyExists: "already_exists",
	PermissionDenied: "permission_denied", ResourceExhausted: "resource_exhausted",
	FailedPrecondition: "failed_precondition", Aborted: "aborted", OutOfRange: "out_of_range",
	Unimplemented: "unimplemented", Internal: "internal", Unavailable: "unavailable",
	DataLoss: "data_loss", Unauthenticated: "unauthenticated",
}

// String returns the code's name in snake case, the form in which it travels in text: "not_found".
func (c Code) String() string {
	if int(c) < len(codeNames) {
		return codeNames[c]
	}
	return codeNames[Unknown]
}

// Error makes a Code an error by itself.
func (c Code) Error() string { return c.String() }

// ParseCode returns the code of that name, and whether there is one.
func ParseCode(name string) (Code, bool) {
	for c, n := range codeNames {
		if c > 0 && n == name {
			return Code(c), true
		}
	}
	return 0, false
}
