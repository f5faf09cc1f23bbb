package jsonrpc

import (
	"errors"
	"strconv"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

// Errors that end a stream.
var (
	// ErrSyntax: the bytes are no JSON. A stream has no mark from which to go on, so it ends after the answer.
	ErrSyntax = errors.New("jsonrpc: the peer sent bytes that are no JSON")
	// ErrTooLarge: a message exceeds Limits.MessageBytes.
	ErrTooLarge = errors.New("jsonrpc: the peer sent a message over the limit")
)

// framing is how the messages of a stream are told apart. The first bytes of the peer settle it.
type framing uint8

const (
	undecided framing = iota
	bare              // JSON values back to back
	lsp               // Content-Length headers before each message
)

// stream is JSON-RPC on a connection of its own, both roles at once.
type stream struct {
	core
	framing framing
	ender   byte          // of messages on a bare stream: newline, or NUL once the peer ended one with NUL
	scanner *json.Scanner // bare: has begun with a value that is not whole yet; nil: there is none
	body    int           // lsp: bytes of the message whose headers were read; 0: headers are next
	sending []byte        // a batch of ours that is not complete yet
}

// NewStream returns the machine for a bare stream; it serves either end. It reads JSON values back to back, with or
// without white space between them, and ends each message with a newline, or with NUL once the peer did. When the first
// bytes are a Content-Length header, messages are framed by such headers, as LSP does it, in both directions. l is only read.
func NewStream(l *wire.Limits) wire.Machine {
	return &stream{core: newCore(l, true), ender: '\n'}
}

// Match recognises a bare stream by the first byte of a JSON value that can begin a message, valid or not, white space,
// a byte order mark, or an LSP header. CRLF alone decides nothing: HTTP clients may send it before a request.
func Match(in []byte) wire.Match {
	for len(in) > 0 && in[0] == '\r' {
		if len(in) == 1 || in[1] != '\n' {
			break
		}
		in = in[2:]
	}
	if len(in) == 0 || len(in) == 1 && in[0] == '\r' {
		return wire.Perhaps
	}
	switch c := in[0]; {
	case c == '{', c == '[', c == ' ', c == '\t', c == '\r', c == '\n', c == '"', c == '-', '0' <= c && c <= '9':
		return wire.Matches
	case c == 'C' || c == 'c':
		return max(matchFold(in, header), matchFold(in, "Content-Type:"))
	case c == 0xEF:
		return wire.Prefix(in, "\xEF\xBB\xBF")
	case c == 'n':
		return wire.Prefix(in, "null")
	case c == 't':
		return wire.Prefix(in, "true")
	case c == 'f':
		return wire.Prefix(in, "false")
	}
	return wire.Differs
}

func (s *stream) Recv(in []byte, eof bool, out *wire.Out, f *wire.Frame) (n, want int, err error) {
	if s.core.batch != nil {
		return s.next(in, out, f), 0, nil
	}
	if s.body > 0 {
		return s.message(in, eof, out, f)
	}
	if n = s.separators(in); n > 0 || len(in) == 0 {
		return n, 0, nil
	}
	if s.framing == undecided {
		s.framing = decide(in)
	}
	if s.framing == bare {
		return s.value(in, eof, out, f)
	}
	return s.headers(in, eof, out)
}

// decide needs one byte: no JSON value begins like a header.
func decide(in []byte) framing {
	if in[0] == 'C' || in[0] == 'c' {
		return lsp
	}
	return bare
}

// next reads one more request of a batch.
func (s *stream) next(in []byte, out *wire.Out, f *wire.Frame) (n int) {
	n, done := s.item(in, f)
	if done != nil {
		s.write(out, &answer{head: s.array(done)}, nil)
	}
	return n
}

// separators counts the white space and NULs between values.
func (s *stream) separators(in []byte) int {
	for i, c := range in {
		switch c {
		case ' ', '\t', '\r', '\n':
		case 0:
			s.ender = 0
		default:
			return i
		}
	}
	return len(in)
}

// value reads a value whose end only its own brackets tell.
func (s *stream) value(in []byte, eof bool, out *wire.Out, f *wire.Frame) (n, want int, err error) {
	if s.scanner == nil {
		var m Message
		if end := m.parseQuickly(in, s.limits.Depth); end > 0 && end <= s.limits.MessageBytes {
			s.ended(in, end)
			if own := s.core.message(&m, f); own != nil {
				s.write(out, &answer{head: own}, nil)
			}
			return end, 0, nil
		}
	}
	if s.scanner == nil {
		s.scanner = &json.Scanner{MaxDepth: s.limits.Depth}
	}
	end, err := s.scanner.Scan(in, eof)
	switch {
	case err != nil:
		s.write(out, &answer{head: refusal(null, parseError, notJSON)}, nil)
		return len(in), 0, errors.Join(ErrSyntax, err)
	case max(end, len(in)) > s.limits.MessageBytes && (end == 0 || end > s.limits.MessageBytes):
		return s.tooLarge(in, out)
	case end == 0:
		return 0, len(in) + 1, nil
	}
	s.scanner = nil
	s.ended(in, end)
	return s.take(in[:end], out, f), 0, nil
}

// ended looks at how the peer ended a value.
func (s *stream) ended(in []byte, end int) {
	if end < len(in) && in[end] == 0 {
		s.ender = 0
	}
}

// take reads the whole valid value v and returns how many bytes of it are consumed: all, or those before a batch's items.
func (s *stream) take(v []byte, out *wire.Out, f *wire.Frame) (n int) {
	if own := s.begin(v, f); own != nil {
		s.write(out, &answer{head: own}, nil)
	}
	if s.core.batch == nil {
		return len(v)
	}
	s.left-- // the opening bracket
	return 1
}

func (s *stream) tooLarge(in []byte, out *wire.Out) (int, int, error) {
	text := "The message is larger than " + strconv.Itoa(s.limits.MessageBytes) + " bytes."
	s.write(out, &answer{head: refusal(null, invalidRequest, text)}, nil)
	return len(in), 0, ErrTooLarge
}

// write appends one message in the framing of the stream.
// f owns the memory of the answer's body, where there is one.
func (s *stream) write(out *wire.Out, a *answer, f *wire.Frame) {
	size := a.size()
	if size == 0 {
		return
	}
	if s.framing == lsp {
		out.B = appendHeader(out.B, size)
	}
	out.Write(a.head)
	if f != nil {
		out.WriteBuf(a.body, f.Buf)
	}
	out.Write(a.tail)
	if s.framing != lsp {
		out.B = append(out.B, s.ender)
	}
}

func (s *stream) Send(f *wire.Frame, out *wire.Out) (full bool, err error) {
	switch {
	case f.Kind == wire.Reply && !f.Ours:
		s.reply(f, out)
	case f.Kind == wire.Open:
		s.open(f, out)
	case f.Kind == wire.Cancel && f.Ours:
		s.write(out, &answer{head: appendCancel(nil, f.ID)}, nil)
	}
	return false, nil
}

func (s *stream) reply(f *wire.Frame, out *wire.Out) {
	if s.framing == bare && f.Err == nil && len(f.Meta) == 0 && len(f.Body) < smallResult && s.replyAtOnce(f, out) {
		return
	}
	a, done := s.answer(f)
	if done != nil {
		a = answer{head: s.array(done)}
	}
	s.write(out, &a, f)
}

// smallResult is up to how many bytes a result is copied without looking at its memory.
const smallResult = 4 << 10

// replyAtOnce appends the answer to a call that is in no batch, as most are, without rendering it first.
func (s *stream) replyAtOnce(f *wire.Frame, out *wire.Out) bool {
	v := s.slots.get(f.ID)
	if v == nil || v.batch != nil {
		return false
	}
	body := f.Body
	if len(body) == 0 {
		body = null
	}
	b := append(appendResponse(out.B, v.id), `"result":`...)
	b = append(b, body...)
	out.B = append(b, '}', s.ender)
	s.slots.close(f.ID)
	return true
}

// open sends a call of ours. Those of a batch collect until the last.
func (s *stream) open(f *wire.Frame, out *wire.Out) {
	s.issued = max(s.issued, f.ID)
	if !f.More && s.sending == nil {
		w := f.Scratch()
		w.Out = appendRequest(w.Out[:0], f)
		s.write(out, &answer{head: w.Out}, nil)
		return
	}
	s.sending = appendRequest(append(s.sending, separator(s.sending)), f)
	if !f.More {
		s.write(out, &answer{head: append(s.sending, ']')}, nil)
		s.sending = nil
	}
}

func (s *stream) Tick(wire.Time, *wire.Out) (wire.Time, error) { return 0, nil }

// Held counts the answers that wait for the rest of their batch.
func (s *stream) Held() int { return s.held }

// Drain refuses every call that arrives from now on.
func (s *stream) Drain(*wire.Out) (done bool) {
	if s.refuse == nil {
		s.refuse = call.Errorf(call.Unavailable, "the server is shutting down")
	}
	return s.idle()
}
