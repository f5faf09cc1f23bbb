//go:build linux

package load

import (
	"bytes"
	"fmt"
	"strconv"
)

// framing puts requests into a stream and finds the answers in one.
type framing interface {
	append(dst, body []byte) []byte
	// split returns the first answer of in and how many bytes it takes; 0: it is not whole.
	split(in []byte) (body []byte, n int, err error)
}

// lines is one message a line.
type lines struct{}

func (lines) append(dst, body []byte) []byte { return append(append(dst, body...), '\n') }

func (lines) split(in []byte) ([]byte, int, error) {
	end := bytes.IndexByte(in, '\n')
	if end < 0 {
		return nil, 0, nil
	}
	return in[:end], end + 1, nil
}

// posts is HTTP/1.1 with Content-Length both ways.
type posts struct{ host string }

func (p posts) append(dst, body []byte) []byte {
	dst = append(dst, "POST / HTTP/1.1\r\nHost: "...)
	dst = append(dst, p.host...)
	dst = append(dst, "\r\nContent-Type: application/json\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}

var (
	statusOK = []byte("HTTP/1.1 200 ")
	blank    = []byte("\r\n\r\n")
)

func (posts) split(in []byte) ([]byte, int, error) {
	end := bytes.Index(in, blank)
	if end < 0 {
		return nil, 0, nil
	}
	head := in[:end]
	length, ok := number(head, "\r\nContent-Length: ")
	if !ok || !bytes.HasPrefix(head, statusOK) {
		return nil, 0, fmt.Errorf("not an answer: %s", head)
	}
	start := end + len(blank)
	if uint64(len(in)-start) < length {
		return nil, 0, nil
	}
	stop := start + int(length)
	return bytes.TrimSuffix(in[start:stop], []byte("\n")), stop, nil // encoding/json ends values with a newline
}
