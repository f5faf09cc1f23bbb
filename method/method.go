package method

import (
	"context"
	"reflect"
	"runtime/debug"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/schema"
)

// Method is a function made callable. It is a call.Method, and like that safe for concurrent use.
type Method struct {
	name    string
	cfg     Config
	params  []Param
	result  reflect.Type
	traits  call.Traits
	plan    plan
	handler call.Handler // the plan's call inside of the interceptors
}

// Param is one parameter of a Method.
type Param struct {
	Name     string
	Type     reflect.Type
	Required bool
	Variadic bool   // by position it takes all arguments that are left
	Default  []byte // JSON; nil: none
	Doc      string // from the tag doc of a field

	Constraint *schema.Constraint // on a value that is sent; nil: none
}

// plan is how one kind of function is served. What it keeps between decode and call is in the Call, so it serves any number
// of calls at a time.
type plan interface {
	// decode reads the arguments of c. h and body are borrowed.
	decode(c *call.Call, h *call.Head, body []byte) error
	// call runs the function; its result is left in c.Out or encoded in c.Body.
	call(ctx context.Context, c *call.Call) error
	// release gives back what the plan keeps in c, once c.Out is encoded.
	release(c *call.Call)
}

// New makes fn callable. fn may take a context.Context, then any parameters that have a JSON form; it may return one value,
// an error, or both. A parameter that is a struct, alone and without Params, gives its fields as the named parameters.
//
// Any mistake in fn or cfg is a panic that names the function and tells the cure.
func New(name string, fn any, cfg Config) *Method {
	r := registration{name: name, fn: reflect.ValueOf(fn), cfg: cfg.withDefaults()}
	plan := r.compile()
	m := &Method{name: name, cfg: r.cfg, params: plan.list(), result: plan.result, plan: plan}
	m.finish(plan.context)
	return m
}

// NewRaw makes fn callable with undecoded arguments, which it asks of the call.
func NewRaw(name string, fn func(*call.Call), cfg Config) *Method {
	r := registration{name: name, fn: reflect.ValueOf(fn), cfg: cfg.withDefaults()}
	r.checkRaw()
	m := &Method{name: name, cfg: r.cfg, plan: &rawPlan{fn: fn, maxDepth: r.cfg.RawDepth}}
	m.finish(false)
	m.traits.Meta = true
	return m
}

func (m *Method) finish(wantsContext bool) {
	m.traits = call.Traits{
		Name: m.name, ReadOnly: m.cfg.ReadOnly, Idempotent: m.cfg.Idempotent, MaxMessage: m.cfg.MaxMessage,
		Ordered: m.cfg.Ordered, Concurrent: m.cfg.Concurrent, Mode: m.cfg.Mode, Context: wantsContext || len(m.cfg.Interceptors) > 0,
	}
	m.handler = func(ctx context.Context, c *call.Call) error {
		if err := ctx.Err(); err != nil { // it passed while the call waited
			return err
		}
		return m.plan.call(ctx, c)
	}
	for i := len(m.cfg.Interceptors) - 1; i >= 0; i-- {
		m.handler = m.cfg.Interceptors[i](m.handler)
	}
}

// Name returns the canonical name.
func (m *Method) Name() string { return m.name }

// Params returns the parameters in the order of their positions; none for a raw method. It must not be changed.
func (m *Method) Params() []Param { return m.params }

// Raw reports whether the function asks the call for its arguments itself, so that nobody knows its parameters.
func (m *Method) Raw() bool {
	_, raw := m.plan.(*rawPlan)
	return raw
}

// Result returns the type of the result, or nil when there is none, or the method is raw.
func (m *Method) Result() reflect.Type { return m.result }

// Config returns what the method was made with, defaults filled in. It must not be changed.
func (m *Method) Config() *Config { return &m.cfg }

// Traits implements call.Method.
func (m *Method) Traits() *call.Traits { return &m.traits }

// Describe returns the method as documents show it.
func (m *Method) Describe() schema.Method {
	d := schema.Method{Name: m.name, Doc: m.cfg.Doc}
	for _, p := range m.params {
		d.Params = append(d.Params, schema.Param{
			Name: p.Name, Type: schema.Of(p.Type), Required: p.Required, Variadic: p.Variadic, Default: p.Default, Doc: p.Doc,
			Constraint: p.Constraint,
		})
	}
	if m.result != nil {
		d.Result = schema.Of(m.result)
	}
	return d
}

// Admit implements call.Method: it runs the hooks, then refuses safe verbs to methods that change things.
func (m *Method) Admit(h *call.Head) error {
	if len(m.cfg.Admits) > 0 {
		if err := m.runAdmits(h); err != nil {
			return err
		}
	}
	if h.Safe && !m.cfg.ReadOnly {
		return call.Errorf(call.FailedPrecondition, "%s cannot be called by a safe verb: it is not registered as ReadOnly()", m.name)
	}
	return nil
}

func (m *Method) runAdmits(h *call.Head) (err error) {
	c := &call.Call{Method: m.name, Wire: h.Wire, Peer: h.Peer, Codec: h.Codec} // for the report of a panic
	defer m.recover(c, &err)
	for _, admit := range m.cfg.Admits {
		if err := admit(h); err != nil {
			if public := call.Public(err); public != nil {
				return withCode(public)
			}
			return (&call.Error{Code: call.PermissionDenied}).WithCause(err)
		}
	}
	return nil
}

// Decode implements call.Method.
func (m *Method) Decode(c *call.Call, h *call.Head, body []byte) (err error) {
	defer m.recover(c, &err)
	return m.plan.decode(c, h, body)
}

// Serve implements call.Method.
func (m *Method) Serve(ctx context.Context, c *call.Call) (err error) {
	defer m.recover(c, &err)
	err = m.handler(ctx, c)
	if err == nil && c.Out != nil {
		err = c.Reply(c.Out)
	}
	m.plan.release(c)
	if err != nil {
		return m.fail(c, err)
	}
	return nil
}

// recover turns a panic into the error of the function that deferred it.
func (m *Method) recover(c *call.Call, err *error) {
	if v := recover(); v != nil {
		*err = m.fail(c, &Panic{Value: v, Stack: debug.Stack()})
	}
}

// fail drops what was encoded of the result and returns what of err may travel.
func (m *Method) fail(c *call.Call, err error) error {
	c.Body.Release()
	c.Body = nil
	public := call.Public(err)
	if public == nil {
		public = m.cfg.Report(m, c, err)
	}
	if public == nil {
		public = (&call.Error{Code: call.Unknown}).WithCause(err)
	}
	return withCode(public)
}

// withCode gives an error without a code the one that it travels with.
func withCode(e *call.Error) *call.Error {
	if e.Code >= call.Canceled && e.Code <= call.Unauthenticated {
		return e
	}
	c := *e
	c.Code = call.Unknown
	return &c
}
