package http1

import (
	"net/http"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// ClientConfig is what the connections of a client to one server share. It is only read. Host, UserAgent and Fields are
// written as they are, so they come from the program, not from strangers.
type ClientConfig struct {
	Limits    wire.Limits  // after WithDefaults
	Host      string       // the Host field: "example.com:8545"
	UserAgent string       // "": no such field
	Caller    wire.Caller  // writes the requests and reads the responses; its frames keep the IDs of the calls
	Fields    []call.Field // sent with each request
}

// client is the machine of one connection.
type client struct {
	cfg  *ClientConfig
	msg  message
	req  post
	open openCalls

	exchange wire.CallExchange // from the first Open until the response is read
	told     bool              // the exchange knows the head of the response
	closing  bool              // the connection is to be closed
}

// NewClient returns the machine for one connection of a client.
//
// One request is in flight at a time: until its response is read Send refuses calls with ErrBusy. Drain reports whether
// the connection is free again, also after a request of notifications alone, and changes nothing. A Cancel for the last
// call of a request that is waited for closes the connection, since HTTP/1.1 has no other way to take a request back.
// When the server ends the connection with its response, Recv returns wire.ErrEnd behind the last reply.
func NewClient(c *ClientConfig) wire.Machine {
	m := &client{cfg: c}
	m.msg.limits, m.msg.parse, m.req.cfg = &c.Limits, m.parseHead, c
	return m
}

// parseHead settles what only the request tells: whether a body follows.
func (c *client) parseHead(in []byte, h *Head, maxFields int) (n int, err error) {
	n, err = ParseResponse(in, h, maxFields)
	if n > 0 && bodiless(h.Status, c.req.head) {
		h.Chunked, h.Size = false, 0
	}
	h.KeepAlive = h.KeepAlive && (h.Chunked || h.Size >= 0)
	return n, err
}

// Send adds a call to the request, and sends it when no other follows.
func (c *client) Send(f *wire.Frame, out *wire.Out) (full bool, err error) {
	switch {
	case f.Kind == wire.Cancel:
		return false, c.cancel(f.ID)
	case f.Kind != wire.Open:
		return false, ErrRole
	case c.closing:
		return false, wire.ErrEnd
	case c.req.ended:
		return false, ErrBusy
	}
	if c.exchange == nil {
		c.exchange = c.cfg.Caller.Call()
	}
	c.req.out = out
	if err = c.exchange.Send(f, &c.req); err == nil {
		c.open.add(f.ID)
	}
	if f.More {
		return false, err
	}
	return false, c.sent(err)
}

// sent looks at the request once its last call was given. Without a proper one nothing may follow on the connection,
// unless nothing was written at all.
func (c *client) sent(err error) error {
	if c.req.ended && !c.req.wrong {
		return err
	}
	c.closing = c.req.begun
	c.finish()
	if err == nil {
		err = ErrRequest
	}
	return err
}

func (c *client) cancel(id uint64) error {
	if c.open.remove(id) && len(c.open.ids) == 0 && c.req.ended {
		c.closing = true
		return wire.ErrEnd
	}
	return nil
}

// Recv reads the response to the request in flight.
func (c *client) Recv(in []byte, eof bool, out *wire.Out, f *wire.Frame) (n, want int, err error) {
	c.req.out = out
	for {
		if c.closing {
			return n, 0, wire.ErrEnd
		}
		busy := c.req.ended
		k, want, err := c.respond(in[n:], eof, f)
		n += k
		if err != nil {
			c.finish()
			c.closing = true
		}
		if err != nil || want != 0 || f.Kind != wire.None || !busy {
			return n, want, err
		}
	}
}

// respond goes one step on with the response at the front of in.
func (c *client) respond(in []byte, eof bool, f *wire.Frame) (n, want int, err error) {
	switch {
	case !c.req.ended && len(in) > 0:
		return 0, 0, ErrUnsolicited
	case !c.req.ended:
		return 0, 0, nil
	case c.msg.size == 0:
		return c.readHead(in, eof)
	case !c.told:
		if want, err := c.readBody(in, eof); want > 0 || err != nil {
			return 0, want, err
		}
	}
	done, want, err := c.msg.feed(c.exchange, in, &c.req, f)
	switch {
	case err != nil:
		return 0, 0, err
	case done:
		return c.end()
	case f.Kind == wire.Reply:
		c.open.remove(f.ID)
	}
	f.Ours = true
	return 0, want, nil
}

// readHead reads one head and passes the interim ones (RFC 9110 section 15.2).
func (c *client) readHead(in []byte, eof bool) (n, want int, err error) {
	ok, err := len(in) > 0, error(nil)
	if ok {
		ok, err = c.msg.readHead(in, eof)
	}
	limit := int64(c.cfg.Limits.MessageBytes)
	switch {
	case err != nil:
		return 0, 0, err
	case !ok && eof:
		return 0, 0, wire.ErrTruncated
	case !ok:
		return 0, len(in) + 1, nil
	case c.msg.Status == http.StatusSwitchingProtocols:
		return 0, 0, errStatus
	case c.msg.Status < 200:
		n = c.msg.size
		c.msg.next()
		return n, 0, nil
	case c.msg.Size > limit:
		return 0, 0, errLargeBody
	}
	return 0, 0, nil
}

// readBody waits for the whole body, then tells the exchange how the response begins.
func (c *client) readBody(in []byte, eof bool) (want int, err error) {
	ok, want, err := c.msg.gather(in, eof)
	if !ok || err != nil {
		return want, err
	}
	c.msg.body(in) // moves the fields along
	c.exchange.Respond(c.msg.Status, c.msg.Fields)
	c.told = true
	return 0, nil
}

// end consumes the response when its exchange has read it.
func (c *client) end() (n, want int, err error) {
	if len(c.open.ids) > 0 {
		return 0, 0, ErrUnanswered
	}
	n, c.closing = c.msg.end, !c.msg.KeepAlive
	c.finish()
	return n, 0, nil
}

// finish makes the connection free for the next request.
func (c *client) finish() {
	if c.exchange != nil {
		c.exchange.Release()
	}
	c.msg.next()
	c.open.clear()
	c.req = post{cfg: c.cfg}
	c.exchange, c.told = nil, false
}

// Tick has nothing to do: calls have their own deadlines.
func (c *client) Tick(wire.Time, *wire.Out) (wire.Time, error) { return 0, nil }

// Drain reports whether no request is in flight.
func (c *client) Drain(*wire.Out) (done bool) { return c.exchange == nil }

// Held is nothing: what an exchange keeps is bounded by its binding, and there is one at a time.
func (c *client) Held() int { return 0 }
