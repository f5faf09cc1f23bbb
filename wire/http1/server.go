package http1

import (
	"bytes"
	"net"

	"github.com/anywire/anywire/wire"
)

// Config is what the connections of a server share. It is only read, and its functions may be called concurrently.
type Config struct {
	Limits   wire.Limits             // after WithDefaults
	Bindings []wire.Binding          // asked in order; when all say No the answer is 404
	Date     func(dst []byte) []byte // appends the time as an IMF-fixdate (RFC 9110 section 5.6.7); nil: no Date field
	Leave    func(net.Conn)          // takes a connection on the verdict Leave; nil: 404
	Draining func() bool             // the whole server is about to end, as if each connection had been drained; nil: never
}

// state says what a server machine does next.
type state uint8

const (
	idle      state = iota // read a head
	gathering              // the head is read; wait for the whole body
	reading                // let the exchange read the body
	answering              // wait for the end of the response
	closing                // nothing: the connection is to be closed
)

// maxBlank bounds the empty lines before a request, which some clients send after a body (RFC 9112 section 2.2).
const maxBlank = 4

// server is the machine of one connection.
type server struct {
	cfg      *Config
	state    state
	draining bool
	blank    int // empty lines since the last request

	msg      message
	verdict  wire.Verdict
	asked    int           // the binding that gave the verdict
	exchange wire.Exchange // from Yes until the response is whole
	seq      uint32        // of the exchange, so that late frames of earlier ones are known
	open     openCalls     // by the exchange's own IDs
	res      reply
}

// NewServer returns the machine for one connection of a server.
//
// The frames of an exchange have as ID the exchange's own ID and, in the upper half, a number of the exchange; ID 0 stays
// 0. A Recv with eof yields a Cancel for each call that is not answered, and a reply is still sent after that. When a
// response ends the connection, its last Send returns wire.ErrEnd, and so does each Recv from then on; a refused request
// makes Recv return the *Error that was sent. Drain counts a request from its whole head on.
func NewServer(c *Config) wire.Machine {
	s := &server{cfg: c}
	s.msg.limits, s.msg.parse, s.res.cfg = &c.Limits, s.msg.parseRequest, c
	return s
}

// Recv goes on with the request at the front of in, and with the ones behind it as far as those before are answered.
func (s *server) Recv(in []byte, eof bool, out *wire.Out, f *wire.Frame) (n, want int, err error) {
	s.res.out = out
	for {
		was := s.state
		k, want, err := s.step(in[n:], eof, f)
		n += k
		if err != nil || want != 0 || f.Kind != wire.None || s.state == was && k == 0 {
			return n, want, err
		}
	}
}

func (s *server) step(in []byte, eof bool, f *wire.Frame) (n, want int, err error) {
	switch s.state {
	case idle:
		return s.readHead(in, eof, f)
	case gathering:
		want, err = s.readBody(in, eof, f)
		return 0, want, err
	case reading:
		return s.read(in, eof, f)
	case answering:
		return 0, s.await(eof, f), nil
	}
	return 0, 0, wire.ErrEnd
}

// readHead parses a head and admits its request.
func (s *server) readHead(in []byte, eof bool, f *wire.Frame) (n, want int, err error) {
	if n = s.skipBlank(in); n > 0 || len(in) == 0 {
		return n, 0, nil
	}
	if s.res.out.Len() > s.cfg.Limits.OutputBytes { // the client does not read its answers: it waits with its requests
		return 0, wire.Hold, nil
	}
	if string(in) == "\r" && !eof {
		return 0, 2, nil
	}
	ok, err := s.msg.readHead(in, eof)
	switch {
	case err != nil:
		s.res.reset(&s.msg.Head, true)
		return 0, 0, s.refuse(err)
	case ok:
		s.blank = 0
		return 0, 0, s.admit(in, f)
	case eof:
		return 0, 0, s.fail(wire.ErrTruncated)
	}
	return 0, len(in) + 1, nil
}

// skipBlank consumes an empty line in front of a request.
func (s *server) skipBlank(in []byte) int {
	if s.msg.seen > 0 || s.blank == maxBlank || !bytes.HasPrefix(in, []byte("\r\n")) {
		return 0
	}
	s.blank++
	return 2
}

// Send gives an answer to the exchange in flight.
func (s *server) Send(f *wire.Frame, out *wire.Out) (full bool, err error) {
	if f.Ours || f.Kind == wire.Open {
		return false, ErrRole
	}
	id := f.ID
	if s.exchange == nil || uint32(id>>32) != s.seq || uint32(id) == 0 || s.res.ended {
		return false, nil
	}
	s.res.out = out
	f.ID = uint64(uint32(id))
	err = s.exchange.Send(f, &s.res)
	if f.Kind == wire.Reply {
		s.open.remove(f.ID)
	}
	f.ID = id
	if s.state == answering {
		s.settle()
	}
	if err == nil && s.res.ended && s.ends() {
		err = wire.ErrEnd
	}
	return false, err
}

// Tick has nothing to do: the times of a request are bounded by whoever drives the machine.
func (s *server) Tick(wire.Time, *wire.Out) (wire.Time, error) { return 0, nil }

// Drain lets the request in flight be answered, with "Connection: close", and refuses those behind it.
func (s *server) Drain(*wire.Out) (done bool) {
	s.draining, s.res.close = true, true
	return s.state == idle || s.state == closing || s.res.ended
}

func (s *server) isDraining() bool {
	return s.draining || s.cfg.Draining != nil && s.cfg.Draining()
}

// Held is nothing: what an exchange keeps is bounded by its binding, and there is one at a time.
func (s *server) Held() int { return 0 }
