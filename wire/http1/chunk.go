package http1

import (
	"bytes"
	"math/bits"

	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

// maxChunkLine bounds a line with the size of a chunk, which may carry extensions that nobody reads.
const maxChunkLine = 256

// ParseChunk reads the line before a chunk (RFC 9112 section 7.1): its size, extensions ignored. n is the length of the
// line; 0 while it is not whole. The last chunk has size 0.
func ParseChunk(in []byte) (size int64, n int, err error) {
	line, n, err := cutLine(in[:min(len(in), maxChunkLine)])
	switch {
	case err != nil || n == 0 && len(in) >= maxChunkLine:
		return 0, 0, errChunk
	case n == 0:
		return 0, 0, nil
	}
	i := 0
	for ; i < len(line) && unhex(line[i]) >= 0; i++ {
		size = size<<4 | int64(unhex(line[i]))
	}
	if i == 0 || i > 15 || !isExtension(line[i:]) {
		return 0, 0, errChunk
	}
	return size, n, nil
}

// isExtension reports whether s is nothing or begins, perhaps after white space, with the semicolon of an extension.
func isExtension(s []byte) bool {
	return len(s) == 0 || bytes.HasPrefix(trim(s), []byte(";")) && isText(s)
}

// AppendChunk appends the line before a chunk of size bytes. The chunk and a CR LF follow; after the last one, of size 0,
// trailer fields and an empty line.
func AppendChunk(dst []byte, size int) []byte {
	const digits = "0123456789abcdef"
	shift := max(bits.Len(uint(size))+3, 4) &^ 3
	for shift > 0 {
		shift -= 4
		dst = append(dst, digits[size>>shift&15])
	}
	return append(dst, "\r\n"...)
}

// joiner joins the chunks of one body as they arrive. It looks at each byte once.
type joiner struct {
	next func(j *joiner, in []byte) (ok bool, err error) // reads the part at; nil: the body is whole

	limits  *wire.Limits
	at      int      // where the next part begins in the message
	left    int      // bytes of the chunk that did not come yet
	framing int      // bytes that were not data
	fields  int      // trailer fields
	buf     *mem.Buf // the data
}

// begin starts at the body of a message whose head has size bytes.
func (j *joiner) begin(size int, l *wire.Limits) {
	*j = joiner{next: (*joiner).line, limits: l, at: size, buf: mem.Get(0)}
}

// join reads on in the message in; want is how long it has to be before more can be done, 0: the body is whole.
func (j *joiner) join(in []byte) (want int, err error) {
	for j.next != nil {
		ok, err := j.next(j, in)
		if err != nil {
			return 0, err
		}
		if !ok {
			return len(in) + max(j.left, 1), nil
		}
	}
	return 0, nil
}

func (j *joiner) line(in []byte) (bool, error) {
	size, n, err := ParseChunk(in[j.at:])
	if n == 0 || err != nil {
		return false, err
	}
	if size > int64(j.limits.MessageBytes-len(j.buf.B)) {
		return false, errLargeBody
	}
	j.left = int(size)
	j.next = (*joiner).data
	if size == 0 {
		j.next = (*joiner).trailer
	}
	return true, j.skip(n)
}

func (j *joiner) data(in []byte) (bool, error) {
	n := min(j.left, len(in)-j.at)
	j.buf.B = append(j.buf.B, in[j.at:j.at+n]...)
	j.at += n
	if j.left -= n; j.left > 0 {
		return false, nil
	}
	j.next = (*joiner).dataEnd
	return true, nil
}

func (j *joiner) dataEnd(in []byte) (bool, error) {
	end := in[j.at:min(len(in), j.at+2)]
	if string(end) != "\r\n"[:len(end)] {
		return false, errChunk
	}
	if len(end) < 2 {
		return false, nil
	}
	j.next = (*joiner).line
	return true, j.skip(2)
}

// trailer reads one trailer field, which is judged like any field and dropped, or the empty line.
func (j *joiner) trailer(in []byte) (bool, error) {
	line, n, err := cutLine(in[j.at:])
	switch {
	case err != nil:
		return false, err
	case n == 0:
		return false, check(len(in)-j.at < j.limits.HeaderBytes, errLargeHead)
	case len(line) == 0:
		j.next = nil
		return true, j.skip(n)
	}
	if j.fields++; j.fields > j.limits.Headers || n > j.limits.HeaderBytes {
		return false, errLargeHead
	}
	if _, err := parseField(line); err != nil {
		return false, err
	}
	return true, j.skip(n)
}

// skip passes n bytes of framing. They are bounded apart from the data, since a body of tiny chunks is mostly framing and
// stays in the memory of the connection until it is whole.
func (j *joiner) skip(n int) error {
	j.at += n
	j.framing += n
	return check(j.framing <= j.limits.MessageBytes+j.limits.HeaderBytes, errLargeBody)
}
