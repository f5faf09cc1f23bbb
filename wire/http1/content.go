package http1

import (
	"net/http"
	"strconv"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// framing says how the end of a body is told.
type framing uint8

const (
	byLength framing = iota // Content-Length
	byChunks                // Transfer-Encoding: chunked
	byClose                 // the connection ends with it
	without                 // there is no body; what is written is dropped
)

// content writes the body of one message. It is what the Writers of both roles share.
type content struct {
	out     *wire.Out
	framing framing
	left    int  // byLength: bytes that are still to be written
	begun   bool // Begin was called
	ended   bool // End was called
	wrong   bool // what was written is not one message of the announced size
}

// reset makes c ready for the next message.
func (c *content) reset() {
	c.framing, c.left = 0, 0
	c.begun, c.ended, c.wrong = false, false, false
}

// start begins the content of a message of size bytes, -1 for not known, and notes what does not fit.
func (c *content) start(f framing, size int) {
	c.wrong = c.wrong || c.begun
	c.begun, c.framing, c.left = true, f, size
}

// Write appends a copy of p to the body.
func (c *content) Write(p []byte) (int, error) {
	if !c.fits(len(p)) {
		return 0, ErrLength
	}
	c.append(p, nil)
	return len(p), nil
}

// WriteBuf appends p, held by buf.
func (c *content) WriteBuf(p []byte, buf *mem.Buf) {
	if c.fits(len(p)) {
		c.append(p, buf)
	}
}

// fits reports whether n bytes more may be written.
func (c *content) fits(n int) bool {
	if !c.begun || c.ended || c.framing == byLength && n > c.left {
		c.wrong = true
	}
	return !c.wrong
}

func (c *content) append(p []byte, buf *mem.Buf) {
	if len(p) == 0 { // an empty chunk would end the body
		return
	}
	switch c.framing {
	case byLength:
		c.left -= len(p)
		c.out.WriteBuf(p, buf)
	case byChunks:
		c.out.B = AppendChunk(c.out.B, len(p))
		c.out.WriteBuf(p, buf)
		c.out.WriteString("\r\n")
	case byClose:
		c.out.WriteBuf(p, buf)
	}
}

// End ends the message. Trailers are sent where the framing has a place for them.
func (c *content) End(trailers ...call.Field) {
	if c.ended {
		return
	}
	c.wrong = c.wrong || !c.begun || c.framing == byLength && c.left > 0
	c.ended = true
	if c.framing == byChunks && !c.wrong {
		b := AppendChunk(c.out.B, 0)
		c.out.B = append(appendFields(b, trailers), "\r\n"...)
	}
}

// appendFraming appends the field that tells how the body ends. Its spelling matters to clients that compare bytes.
func appendFraming(dst []byte, f framing, size int) []byte {
	switch f {
	case byLength:
		dst = strconv.AppendInt(append(dst, "Content-Length: "...), int64(size), 10)
		return append(dst, "\r\n"...)
	case byChunks:
		return append(dst, "Transfer-Encoding: chunked\r\n"...)
	}
	return dst
}

// AppendStatus appends the status line of a response.
func AppendStatus(dst []byte, status int) []byte {
	if status == http.StatusOK {
		return append(dst, "HTTP/1.1 200 OK\r\n"...)
	}
	dst = strconv.AppendInt(append(dst, "HTTP/1.1 "...), int64(status), 10)
	dst = append(append(dst, ' '), http.StatusText(status)...)
	return append(dst, "\r\n"...)
}
