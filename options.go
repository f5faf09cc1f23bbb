package anywire

import (
	"log/slog"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/method"
)

// ServerOption sets something of a Server.
type ServerOption interface{ applyServer(*serverConfig) }

// MethodOption sets something of one method.
type MethodOption interface{ applyMethod(*methodConfig) }

// ClientOption sets something of a Client.
type ClientOption interface{ applyClient(*clientConfig) }

// CallOption sets something of one call of a Client.
type CallOption interface{ applyCall(*callConfig) }

type serverConfig struct {
	logger       *slog.Logger
	limits       Limits
	interceptors []Interceptor
	admits       []call.Admit
	mapper       func(prefix, name string) string
	expose       bool
	origins      []string
	without      map[string]bool
	fallback     string
	title        string
	version      string
	engine       string
	drainDelay   time.Duration
	spin         time.Duration
}

type methodConfig struct {
	method.Config
	routes []string
}

type (
	serverFunc func(*serverConfig)
	methodFunc func(*methodConfig)
	clientFunc func(*clientConfig)
	callFunc   func(*callConfig)
)

func (f serverFunc) applyServer(c *serverConfig) { f(c) }
func (f methodFunc) applyMethod(c *methodConfig) { f(c) }
func (f clientFunc) applyClient(c *clientConfig) { f(c) }
func (f callFunc) applyCall(c *callConfig)       { f(c) }

// Of servers and clients.

// LoggerOption is what WithLogger returns.
type LoggerOption struct{ logger *slog.Logger }

func (o LoggerOption) applyServer(c *serverConfig) { c.logger = o.logger }

// WithLogger sets where a server reports failures that callers must not see: the text of errors that were not made for
// the wire, and panics with their stacks. Default: slog.Default().
func WithLogger(l *slog.Logger) LoggerOption { return LoggerOption{l} }

// LimitsOption is what WithLimits returns.
type LimitsOption struct{ limits Limits }

func (o LimitsOption) applyServer(c *serverConfig) { c.limits = o.limits }
func (o LimitsOption) applyClient(c *clientConfig) { c.limits = o.limits }

// WithLimits sets the bounds of a server or client. Fields left zero keep their defaults.
func WithLimits(l Limits) LimitsOption { return LimitsOption{l} }

// UseOption is what Use returns.
type UseOption struct{ interceptors []Interceptor }

func (o UseOption) applyServer(c *serverConfig) {
	c.interceptors = append(c.interceptors, o.interceptors...)
}

func (o UseOption) applyMethod(c *methodConfig) {
	c.Interceptors = append(c.Interceptors, o.interceptors...)
}

func (o UseOption) applyClient(c *clientConfig) {
	c.interceptors = append(c.interceptors, o.interceptors...)
}

// Use wraps calls in interceptors, the first outermost: every call of a server, the calls of one method (inside the
// server's), or every call that a client makes.
func Use(interceptors ...Interceptor) UseOption { return UseOption{interceptors} }

// AdmitOption is what Admit returns.
type AdmitOption struct{ admit call.Admit }

func (o AdmitOption) applyServer(c *serverConfig) { c.admits = append(c.admits, o.admit) }
func (o AdmitOption) applyMethod(c *methodConfig) { c.Admits = append(c.Admits, o.admit) }

// Admit lets f decide on a call before its arguments are decoded: authentication by token, rate limits. f runs where the
// connection is read and must not block. Its error refuses the call; one not made for the wire travels as
// permission_denied without its text.
func Admit(f func(h *Head) error) AdmitOption { return AdmitOption{f} }

// Of servers.

// ExposeErrors lets the text of every error travel, also of those not made for the wire. For development only: such text
// tells strangers about the inside of a service.
func ExposeErrors() ServerOption { return serverFunc(func(c *serverConfig) { c.expose = true }) }

// Mapper sets how Service names methods; name is the Go name. Default: prefix, a dot, and the name in snake case.
func Mapper(f func(prefix, name string) string) ServerOption {
	return serverFunc(func(c *serverConfig) { c.mapper = f })
}

// CORS lets web pages of these origins ("https://example.com", or "*" for all) read answers over HTTP. Default: none.
func CORS(origins ...string) ServerOption {
	return serverFunc(func(c *serverConfig) { c.origins = append(c.origins, origins...) })
}

// Without turns protocols off by name: "http1", "jsonrpc" (the bare stream).
func Without(protocols ...string) ServerOption {
	return serverFunc(func(c *serverConfig) {
		for _, name := range protocols {
			c.without[name] = true
		}
	})
}

// Fallback names the protocol of connections whose first bytes fit none, and of peers that wait for the server to speak
// first. Default: none; such connections end after Limits.SniffTime.
func Fallback(protocol string) ServerOption {
	return serverFunc(func(c *serverConfig) { c.fallback = protocol })
}

// WithEngine names what moves the bytes: "epoll" (Linux) or "net" (everywhere). Default: epoll where there is one. It panics
// in NewServer when the system has no such engine.
func WithEngine(name string) ServerOption {
	return serverFunc(func(c *serverConfig) { c.engine = name })
}

// Spin lets the loops of the epoll engine look for events for so long before they sleep, while events come that quickly. A
// lone client is answered sooner then, for more processor time; 20 µs is a good value where cores are free. Default: not at
// all. The engine net ignores it.
func Spin(d time.Duration) ServerOption { return serverFunc(func(c *serverConfig) { c.spin = d }) }

// DrainDelay keeps a server answering for so long after Shutdown began, while /readyz already says no, so that a load
// balancer has time to send its calls elsewhere. Default: none.
func DrainDelay(d time.Duration) ServerOption {
	return serverFunc(func(c *serverConfig) { c.drainDelay = d })
}

// Title sets what the document of rpc.discover says about the service. Default: "Anywire", "1.0.0".
func Title(title, version string) ServerOption {
	return serverFunc(func(c *serverConfig) { c.title, c.version = title, version })
}

// Of methods.

// Params names the plain parameters of a function in order, since Go keeps no names. Without it they are arg1, arg2, ….
func Params(names ...string) MethodOption {
	return methodFunc(func(c *methodConfig) { c.Params = append(c.Params, names...) })
}

// Default sets the value of a parameter that a caller leaves out.
func Default(param string, value any) MethodOption {
	return methodFunc(func(c *methodConfig) {
		if c.Defaults == nil {
			c.Defaults = make(map[string]any)
		}
		c.Defaults[param] = value
	})
}

// ReadOnly says that a method changes nothing, so that HTTP's GET may call it. It implies Idempotent.
func ReadOnly() MethodOption {
	return methodFunc(func(c *methodConfig) { c.Config.ReadOnly, c.Config.Idempotent = true, true })
}

// Concurrent lets notifications of a method run beside other notifications of their connection. Default: one after another.
func Concurrent() MethodOption {
	return methodFunc(func(c *methodConfig) { c.Config.Concurrent = true })
}

// Ordered makes the calls of a method run one after another on each connection, in the order in which they came and with
// the notifications in between. Default: notifications alone are ordered.
func Ordered() MethodOption { return methodFunc(func(c *methodConfig) { c.Config.Ordered = true }) }

// Inline makes the calls of a method always run on the goroutine that reads their connection. It is for functions that
// never wait; one that does all the same delays other connections for some milliseconds, once a call. Default: where a
// method runs is decided by how fast it proves to be.
func Inline() MethodOption { return methodFunc(func(c *methodConfig) { c.Config.Mode = call.Inline }) }

// Blocking makes each call of a method run in a goroutine of its own, from the first one on.
func Blocking() MethodOption {
	return methodFunc(func(c *methodConfig) { c.Config.Mode = call.Blocking })
}

// Constrain bounds a plain parameter as struct tags bound a field: Constrain("n", `min:"1" max:"100"`). The tags are min,
// max, minLength, maxLength, pattern, enum, minItems, maxItems and format. A call that breaks one is refused with
// invalid_argument, before the function runs, and documents show them.
func Constrain(param, tags string) MethodOption {
	return methodFunc(func(c *methodConfig) {
		if c.Constraints == nil {
			c.Constraints = make(map[string]string)
		}
		c.Constraints[param] = tags
	})
}

// MaxMessage sets how many bytes the arguments of a method may take. Default: Limits.MessageBytes.
func MaxMessage(bytes int) MethodOption {
	return methodFunc(func(c *methodConfig) { c.Config.MaxMessage = bytes })
}

// Doc describes a method in documents.
func Doc(text string) MethodOption { return methodFunc(func(c *methodConfig) { c.Config.Doc = text }) }

// Route binds a verb and path, as in "GET /orders/{id}", to a method beside its own path. Segments in braces are
// parameters; {name...} takes the rest.
func Route(pattern string) MethodOption {
	return methodFunc(func(c *methodConfig) { c.routes = append(c.routes, pattern) })
}

// IdempotentOption is what Idempotent returns.
type IdempotentOption struct{}

func (IdempotentOption) applyMethod(c *methodConfig) { c.Config.Idempotent = true }
func (IdempotentOption) applyCall(c *callConfig)     { c.idempotent = true }

// Idempotent says that running a method twice is like running it once. As an option of a client's call it lets the client
// send the call again when the connection is lost.
func Idempotent() IdempotentOption { return IdempotentOption{} }

// Of calls.

// WithMeta adds metadata to a call.
func WithMeta(name, value string) CallOption {
	return callFunc(func(c *callConfig) { c.meta.Add(name, value) })
}
