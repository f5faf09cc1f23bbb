package http1

import (
	"errors"

	"github.com/anywire/anywire/wire"
)

// admit decides on a request whose head is whole, before its body is.
func (s *server) admit(in []byte, f *wire.Frame) error {
	h := &s.msg.Head
	draining := s.isDraining()
	s.res.reset(h, draining)
	s.asked, s.verdict, s.state = 0, wire.Whole, gathering
	switch {
	case string(h.Verb) == "CONNECT":
		return s.refuse(errConnect)
	case draining:
		return s.refuse(errDraining)
	}
	large := h.Size > int64(s.cfg.Limits.MessageBytes)
	if !large && !h.Chunked && len(in) >= s.msg.size+int(h.Size) {
		return nil // the usual case, in which one question is enough
	}
	s.ask(nil, false)
	if s.verdict == wire.Whole && large {
		s.ask(nil, true)
	}
	switch {
	case s.verdict == wire.Leave:
		s.leave(f)
	case s.verdict == wire.No && (large || h.Continue):
		return s.refuse(errNotFound)
	case large:
		return s.refuse(errLargeBody)
	case h.Continue && len(in) == s.msg.size:
		s.res.out.WriteString("HTTP/1.1 100 Continue\r\n\r\n")
	}
	return nil
}

// ask goes on asking the bindings, from the one that gave the last verdict.
func (s *server) ask(body []byte, whole bool) {
	s.verdict = wire.No
	for ; s.asked < len(s.cfg.Bindings); s.asked++ {
		ex, v := s.cfg.Bindings[s.asked].Accept(&s.msg.Request, body, whole)
		if v == wire.No || v == wire.Whole && whole {
			continue
		}
		if v == wire.Leave && s.cfg.Leave == nil {
			v = wire.No
		}
		s.exchange, s.verdict = ex, v
		return
	}
}

// leave hands the connection on, with the request in front of what is not consumed.
func (s *server) leave(f *wire.Frame) { f.Kind, f.Leave = wire.Upgrade, s.cfg.Leave }

// readBody waits for the whole body and asks those who wanted to see it.
func (s *server) readBody(in []byte, eof bool, f *wire.Frame) (want int, err error) {
	ok, want, err := s.msg.gather(in, eof)
	switch {
	case err == errLargeBody && s.verdict == wire.Whole:
		return 0, s.overflow(f)
	case err != nil:
		return 0, s.refuse(err)
	case !ok:
		return want, nil
	}
	return 0, s.accept(s.msg.body(in), f)
}

// overflow asks on for a chunked body that proved too large for those who wanted to see it whole.
func (s *server) overflow(f *wire.Frame) error {
	if s.ask(nil, true); s.verdict == wire.Leave {
		s.leave(f)
		return nil
	}
	return s.refuse(errLargeBody)
}

// accept settles who reads the request, now that it is whole.
func (s *server) accept(body []byte, f *wire.Frame) error {
	if s.verdict == wire.Whole {
		s.ask(body, true)
	}
	switch s.verdict {
	case wire.Leave:
		s.leave(f)
		return nil
	case wire.No:
		s.res.problem(errNotFound)
	}
	s.seq++
	s.state = reading
	return nil
}

// read lets the exchange read until its next frame. The request is consumed when all of it is read.
func (s *server) read(in []byte, eof bool, f *wire.Frame) (n, want int, err error) {
	done := true
	if s.exchange != nil {
		done, want, err = s.msg.feed(s.exchange, in, &s.res, f)
	}
	switch {
	case err != nil && !s.res.ended:
		return 0, 0, s.refuse(err)
	case done, want == wire.Hold && s.res.ended:
		return s.readAll(), 0, nil
	case want == wire.Hold:
		return 0, s.await(eof, f), nil
	}
	if f.Kind == wire.Open {
		s.open.add(f.ID)
	}
	f.ID = s.global(f.ID)
	return 0, 0, nil
}

// readAll consumes the request, and ends the exchange where it is answered already.
func (s *server) readAll() (n int) {
	n = s.msg.end
	s.state = answering
	if s.settle(); s.res.ended {
		s.finish()
	}
	return n
}

// global returns the ID that a call of the exchange has on the connection.
func (s *server) global(id uint64) uint64 {
	if id == 0 {
		return 0
	}
	return uint64(s.seq)<<32 | id
}

// await is the step while answers are missing. When the client went away, the calls are told one by one.
func (s *server) await(eof bool, f *wire.Frame) (want int) {
	if s.res.ended {
		s.finish()
		return 0
	}
	if eof {
		if id := s.open.cancel(); id != 0 {
			f.Kind, f.ID = wire.Cancel, s.global(id)
			return 0
		}
	}
	return wire.Hold
}

// settle answers for an exchange that has nothing left to wait for and did not answer: its binding is wrong, and the
// client must not wait for ever.
func (s *server) settle() {
	if !s.res.ended && len(s.open.ids) == 0 {
		s.abort(errNoAnswer)
	}
}

// finish ends the exchange, and the connection when that was the last.
func (s *server) finish() {
	if s.state = idle; s.ends() {
		s.state = closing
	}
	if s.exchange != nil {
		s.exchange.Release()
	}
	s.msg.next()
	s.open.clear()
	s.exchange, s.res.ended = nil, false
}

// ends reports that no request may follow the response: someone asked for that, or the client cannot tell where it ends.
func (s *server) ends() bool { return s.res.close || s.res.wrong }

// refuse answers a request that is not let through with err, when that is an *Error, and ends the connection.
func (s *server) refuse(err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		s.abort(e)
	case !errors.Is(err, wire.ErrTruncated):
		s.abort(errNoAnswer)
	}
	return s.fail(err)
}

// abort ends the response, with e when nothing of it was sent, and the connection with it.
func (s *server) abort(e *Error) {
	s.res.close = true
	if !s.res.begun {
		s.res.problem(e)
	}
	s.res.wrong, s.res.ended = true, true
}

// fail ends the machine.
func (s *server) fail(err error) error {
	s.finish()
	s.state = closing
	return err
}
