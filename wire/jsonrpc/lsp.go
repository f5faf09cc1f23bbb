package jsonrpc

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

// The framing of the Language Server Protocol, base protocol: header fields, an empty line, then so many bytes.

const header = "Content-Length:"

// ErrHeader: the headers before a message are malformed, or none of them is Content-Length.
var ErrHeader = errors.New("jsonrpc: a message must begin with a Content-Length header and an empty line")

// headers reads the header part of a message.
func (s *stream) headers(in []byte, eof bool, out *wire.Out) (n, want int, err error) {
	size, n, err := ParseHeaders(in)
	switch {
	case err != nil:
		return len(in), 0, err
	case n > s.limits.HeaderBytes, n == 0 && len(in) > s.limits.HeaderBytes:
		return len(in), 0, ErrHeader
	case n == 0 && eof:
		return len(in), 0, wire.ErrTruncated
	case n == 0:
		return 0, len(in) + 1, nil
	}
	if size > s.limits.MessageBytes {
		return s.tooLarge(in, out)
	}
	s.body = size
	return n, 0, nil
}

// message reads a body whose size the headers told. What is wrong inside it does not disturb the next message.
func (s *stream) message(in []byte, eof bool, out *wire.Out, f *wire.Frame) (n, want int, err error) {
	if len(in) < s.body {
		if eof {
			return len(in), 0, wire.ErrTruncated
		}
		return 0, s.body, nil
	}
	v := in[:s.body]
	s.body = 0
	if json.Valid(v, s.limits.Depth) != nil {
		s.write(out, &answer{head: refusal(null, parseError, notJSON)}, nil)
		return len(v), 0, nil
	}
	lead := bytes.IndexFunc(v, func(r rune) bool { return !strings.ContainsRune(" \t\r\n", r) })
	return lead + s.take(v[lead:], out, f), 0, nil
}

// ParseHeaders reads the header part of one message. It returns the size of the body and the bytes of the headers with
// their empty line; n == 0 without an error means that more bytes are needed. Other fields than Content-Length are
// ignored.
func ParseHeaders(in []byte) (size, n int, err error) {
	end := bytes.Index(in, []byte("\r\n\r\n"))
	if end < 0 {
		return 0, 0, nil
	}
	size = -1
	for line := range strings.SplitSeq(string(in[:end]), "\r\n") {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return 0, 0, ErrHeader
		}
		if !strings.EqualFold(name+":", header) {
			continue
		}
		v, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
		if err != nil || size >= 0 || v == 0 {
			return 0, 0, ErrHeader
		}
		size = int(v)
	}
	if size < 0 {
		return 0, 0, ErrHeader
	}
	return size, end + 4, nil
}

func appendHeader(dst []byte, size int) []byte {
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, int64(size), 10)
	return append(dst, "\r\n\r\n"...)
}

// matchFold compares the beginning of in with word in any case.
func matchFold(in []byte, word string) wire.Match {
	n := min(len(in), len(word))
	switch {
	case !strings.EqualFold(string(in[:n]), word[:n]):
		return wire.Differs
	case n < len(word):
		return wire.Perhaps
	}
	return wire.Matches
}
