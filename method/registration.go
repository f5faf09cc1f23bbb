package method

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"

	"github.com/anywire/anywire/schema"
)

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
	readerType  = reflect.TypeFor[io.Reader]()
)

// registration is a function on its way to become a Method. Its methods panic on mistakes.
type registration struct {
	name string
	fn   reflect.Value
	cfg  Config
}

// fail panics with what is wrong, named so that the line to be changed is found.
func (r *registration) fail(format string, args ...any) {
	panic(fmt.Sprintf("anywire: method %q%s: ", r.name, r.function()) + fmt.Sprintf(format, args...))
}

// function names the Go function, where it has a name of its own.
func (r *registration) function() string {
	if r.fn.Kind() != reflect.Func || r.fn.IsNil() {
		return ""
	}
	f := runtime.FuncForPC(r.fn.Pointer())
	if f == nil || strings.HasPrefix(f.Name(), "reflect.") { // a method found by reflection
		return ""
	}
	return " (" + f.Name() + ")"
}

// compile checks everything and makes the plan.
func (r *registration) compile() *funcPlan {
	r.checkFunc()
	t := r.fn.Type()
	p := &funcPlan{fn: r.fn, variadic: t.IsVariadic(), rawDepth: r.cfg.RawDepth}
	for i := range t.NumIn() {
		if i == 0 && t.In(0) == contextType {
			p.context = true
			continue
		}
		p.inputs = append(p.inputs, t.In(i))
	}
	r.params(p)
	r.defaults(p)
	r.constraints(p)
	r.results(p, t)
	p.build(len(r.cfg.Interceptors) > 0)
	return p
}

func (r *registration) checkFunc() {
	switch {
	case !r.fn.IsValid():
		r.fail("nil is no function; pass the function itself")
	case r.fn.Kind() != reflect.Func:
		r.fail("%s is no function; pass the function itself, not its result", r.fn.Type())
	case r.fn.IsNil():
		r.fail("the function is nil; set it before it is registered")
	}
}

func (r *registration) checkRaw() {
	r.checkFunc()
	if len(r.cfg.Params) > 0 || len(r.cfg.Defaults) > 0 || len(r.cfg.Constraints) > 0 {
		r.fail("a raw function asks for its arguments by name itself; drop Params and Defaults and Constraints, or register a typed function")
	}
}

func (r *registration) results(p *funcPlan, t reflect.Type) {
	outs := make([]reflect.Type, t.NumOut())
	for i := range outs {
		outs[i] = t.Out(i)
	}
	if n := len(outs); n > 0 && outs[n-1] == errorType {
		p.fails = true
		outs = outs[:n-1]
	}
	switch {
	case len(outs) == 0:
		return
	case len(outs) == 2 && !p.fails:
		r.fail("its second result is %s; make it error, or return a struct of both", outs[1])
	case len(outs) > 1:
		r.fail("it has %d results; return one value, an error, or one value and an error", t.NumOut())
	case outs[0].Implements(errorType):
		r.fail("its result %s is an error; declare it as error", outs[0])
	}
	p.result = outs[0]
	check := checker{known: map[*schema.Type]bool{}}
	if err := check.value(schema.Of(p.result), ""); err != nil {
		r.fail("result %s: %v", p.result, err)
	}
}
