package anywire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/conn"
	"github.com/anywire/anywire/transport"
	"github.com/anywire/anywire/wire"
)

// ErrClientClosed is the cause of the error of every call after Close.
var ErrClientClosed = errors.New("anywire: the client is closed")

var errClosed = Errorf(Unavailable, "the client is closed").WithCause(ErrClientClosed)

// Client calls the methods of a server. Any number of goroutines may use it at once.
type Client struct {
	cfg    clientConfig
	links  links
	engine *transport.Net
	budget *retryBudget
	work   tasks           // calls begun by Go, and attempts to connect
	closed context.Context // ends with Close
	close  func()
}

type clientConfig struct {
	limits       Limits
	interceptors []Interceptor
	maxConns     int
	withoutMeta  bool
}

type callConfig struct {
	meta       Meta
	idempotent bool
}

// links gives out connections on which a call may begin.
type links interface {
	// get returns one, dialing when there is none; patient waits for the back-off after failures instead of failing.
	get(ctx context.Context, patient bool) (*link, error)
}

// MaxConns bounds how many connections an http:// client opens, each of which carries one call at a time. Default: 64.
func MaxConns(n int) ClientOption { return clientFunc(func(c *clientConfig) { c.maxConns = n }) }

// WithoutMeta keeps deadlines and metadata out of the requests of a client, for servers that refuse a member "meta" in an
// envelope. Default: they are sent where there are some.
func WithoutMeta() ClientOption { return clientFunc(func(c *clientConfig) { c.withoutMeta = true }) }

// Dial connects to a server: "tcp://host:port" or "host:port" and "unix:///path" for JSON-RPC on the bare stream,
// "http://host:port/path" for JSON-RPC over HTTP. It returns an error when the first connection cannot be made within ctx.
// A lost connection is made anew when the next call needs it, after a back-off when that failed before.
func Dial(ctx context.Context, addr string, opts ...ClientOption) (*Client, error) {
	a, err := transport.ParseAddress(addr)
	if err != nil {
		return nil, err
	}
	c := newClient(a, func(ctx context.Context) (net.Conn, error) { return transport.Dial(ctx, a) }, opts)
	if err := c.connect(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// connect makes the first connection.
func (c *Client) connect(ctx context.Context) error {
	l, err := c.links.get(ctx, false)
	if err == nil && l.exclusive() {
		l.pool.put(l)
	}
	return err
}

// Client returns a client of s without a port: its connection lies in memory. It is meant for tests.
func (s *Server) Client(opts ...ClientOption) *Client {
	dial := func(context.Context) (net.Conn, error) {
		near, far := net.Pipe()
		if !s.attach(far, call.Peer{Addr: far.RemoteAddr(), Local: far.LocalAddr()}) {
			return nil, ErrServerClosed
		}
		return near, nil
	}
	return newClient(transport.Address{Scheme: "tcp", Address: "memory"}, dial, opts)
}

func newClient(a transport.Address, dial func(context.Context) (net.Conn, error), opts []ClientOption) *Client {
	c := &Client{cfg: clientConfig{maxConns: 64}, engine: &transport.Net{}, budget: newRetryBudget()}
	for _, o := range opts {
		o.applyClient(&c.cfg)
	}
	c.cfg.limits = c.cfg.limits.WithDefaults()
	c.cfg.limits.IdleTime = 1 << 60 // the server decides how long an idle connection lives
	ctx, cancel := context.WithCancelCause(context.Background())
	c.closed = ctx
	d := &dialer{address: a, dial: dial, engine: c.engine, work: &c.work, cfg: conn.Config{
		Methods: noMethods{}, Limits: c.cfg.limits, Context: ctx, Epoch: time.Now(), Exclusive: a.Scheme == "http",
	}}
	if a.Scheme == "http" {
		c.links = newPool(d, c.cfg.maxConns)
	} else {
		c.links = &shared{dialer: d}
	}
	c.close = func() {
		cancel(ErrClientClosed)
		d.closeAll()
	}
	return c
}

// noMethods is what a plain client answers calls of its peer with.
type noMethods struct{}

func (noMethods) Find([]byte) call.Method { return nil }

// Close ends the client. Calls in flight fail with unavailable.
func (c *Client) Close() error {
	c.close()
	c.engine.Close()
	c.work.end()
	return nil
}

// Call calls a method and waits for its answer, which is decoded into out, a pointer; with nil it is dropped. in holds the
// arguments: a struct or map by name, a slice by position, a json.RawMessage as it is, nil for none; any other value is
// the only argument. ctx bounds the call here and, by its deadline, on the server.
//
// The error is an *Error: the server's, or with code unavailable when the connection failed, deadline_exceeded or canceled
// when ctx ended.
func (c *Client) Call(ctx context.Context, method string, in, out any, opts ...CallOption) error {
	r := &Request{Method: method, In: in, Out: out}
	return c.run(ctx, r, opts, c.send)
}

// Call calls a method and returns its answer as an Out; see Client.Call.
func Call[Out any](ctx context.Context, c *Client, method string, in any, opts ...CallOption) (Out, error) {
	var out Out
	err := c.Call(ctx, method, in, &out, opts...)
	return out, err
}

// Notify calls a method without asking for an answer. It returns once the call is sent.
func (c *Client) Notify(ctx context.Context, method string, in any, opts ...CallOption) error {
	r := &Request{Method: method, In: in, Notify: true}
	return c.run(ctx, r, opts, c.send)
}

// Request is one call for Go and Batch.
type Request struct {
	Method string
	In     any  // arguments, as for Client.Call
	Out    any  // pointer for the answer; nil: dropped
	Notify bool // ask for no answer

	Err error // why the call failed; set when it has ended
}

// Go begins a call and returns at once. When it has ended, r comes out of done. While done has no room the call waits; it is
// dropped when ctx ends or the client is closed meanwhile.
func (c *Client) Go(ctx context.Context, r *Request, done chan<- *Request, opts ...CallOption) {
	begun := c.work.begin(func() {
		r.Err = c.run(ctx, r, opts, c.send)
		select {
		case done <- r: // first of all: the others may be true as well
			return
		default:
		}
		select {
		case done <- r:
		case <-ctx.Done():
		case <-c.closed.Done():
		}
	})
	if begun {
		return
	}
	r.Err = errClosed
	select {
	case done <- r:
	default:
	}
}

// run passes r through the interceptors to send.
func (c *Client) run(ctx context.Context, r *Request, opts []CallOption, send func(context.Context, *call.Call, callConfig) error) error {
	var cfg callConfig
	for _, o := range opts {
		o.applyCall(&cfg)
	}
	info := &call.Call{Method: r.Method, Notify: r.Notify, Meta: cfg.meta, In: r.In, Out: r.Out}
	h := Handler(func(ctx context.Context, info *call.Call) error { return send(ctx, info, cfg) })
	for _, wrap := range slices.Backward(c.cfg.interceptors) {
		h = wrap(h)
	}
	if len(c.cfg.interceptors) > 0 {
		ctx = call.NewContext(ctx, info)
	}
	return h(ctx, info)
}

// send makes one call, and makes it again after a lost connection where that is harmless.
func (c *Client) send(ctx context.Context, info *call.Call, cfg callConfig) error {
	for attempt := 0; ; attempt++ {
		err := c.attempt(ctx, info, attempt > 0)
		if !cfg.idempotent || !errors.Is(err, Unavailable) || !c.budget.take(attempt) || errors.Is(err, ErrClientClosed) {
			return err
		}
		if !sleep(ctx, backoff(attempt)) {
			return err
		}
	}
}

func (c *Client) attempt(ctx context.Context, info *call.Call, again bool) error {
	out, err := c.outgoing(ctx, info)
	if err != nil {
		return err
	}
	l, err := c.links.get(ctx, again)
	if err != nil {
		return err
	}
	p := &pending{info: info, done: make(chan struct{}), link: l}
	if !info.Notify {
		out.Waiter = p
	}
	if err := l.send([]conn.Outgoing{out}, p, &p.id); err != nil {
		return lost(err)
	}
	if info.Notify && !l.exclusive() {
		return nil
	}
	return p.wait(ctx)
}

// outgoing encodes a call.
func (c *Client) outgoing(ctx context.Context, info *call.Call) (conn.Outgoing, error) {
	body, err := arguments(info.In)
	if err != nil {
		return conn.Outgoing{}, Errorf(InvalidArgument, "the arguments of %q have no JSON form: %s", info.Method, err).WithCause(err)
	}
	o := conn.Outgoing{Head: call.Head{Method: []byte(info.Method)}, Body: body}
	if c.cfg.withoutMeta {
		return o, ctxError(ctx)
	}
	o.Meta = info.Meta
	if deadline, ok := ctx.Deadline(); ok {
		o.Head.Timeout = max(1, time.Until(deadline))
	}
	return o, ctxError(ctx)
}

// arguments encodes in as JSON-RPC wants it: an array, an object, or nothing.
func arguments(in any) ([]byte, error) {
	if in == nil {
		return nil, nil
	}
	body, err := json.Append(nil, in)
	if err != nil {
		return nil, err
	}
	switch json.Kind(body) {
	case '{', '[':
		return body, nil
	case 'n':
		return nil, nil
	}
	return slices.Concat([]byte{'['}, body, []byte{']'}), nil
}

// ctxError returns the end of ctx as an error for callers, or nil.
func ctxError(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	return call.Public(err)
}

func lost(cause error) error {
	return Errorf(Unavailable, "the connection was lost before the call was sent").WithCause(cause)
}

// pending is a call that waits for its answer.
type pending struct {
	info *call.Call
	link *link
	id   uint64
	done chan struct{} // closed when err is set
	err  error

	mu    sync.Mutex
	ended bool // guarded by mu: answered or given up
}

// Deliver implements conn.Awaiter: it decodes the answer before its bytes are gone.
func (p *pending) Deliver(f *wire.Frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.ended = true
	p.err = p.decode(f)
	p.link.completed(p)
}

func (p *pending) decode(f *wire.Frame) error {
	p.info.Trailer = f.Meta
	if f.Err != nil {
		return f.Err
	}
	if p.info.Out == nil || len(f.Body) == 0 {
		return nil
	}
	if err := json.UnmarshalOpen(f.Body, p.info.Out); err != nil {
		return Errorf(Internal, "the answer of %q does not fit into %T: %s", p.info.Method, p.info.Out, err).WithCause(err)
	}
	return nil
}

// wait waits for the answer or the end of ctx, whichever comes first.
func (p *pending) wait(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	answered := p.ended
	p.ended = true
	p.mu.Unlock()
	if answered {
		<-p.done
		return p.err
	}
	p.link.forget(p.id)
	return ctxError(ctx)
}

// unreachable is the error of a call that found no connection.
func unreachable(a transport.Address, cause error) error {
	return Errorf(Unavailable, "cannot connect to %s: %s", fmt.Sprintf("%s://%s", a.Scheme, a.Address), cause).WithCause(cause)
}
