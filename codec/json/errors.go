package json

import (
	"errors"
	"strconv"
)

// ErrUnexpectedEnd says that the bytes ended before the value did.
var ErrUnexpectedEnd = errors.New("json: unexpected end of the value")

// ErrDepth says that arrays and objects lie deeper in each other than the limit allows.
var ErrDepth = errors.New("json: nested too deeply")

// SyntaxError says where bytes stop being JSON.
type SyntaxError struct {
	Offset int    // of the first byte that cannot be right, from the beginning of the scanned bytes
	Reason string // what is wrong there
}

// Error names the offset and the reason.
func (e *SyntaxError) Error() string {
	return "json: offset " + strconv.Itoa(e.Offset) + ": " + e.Reason
}
