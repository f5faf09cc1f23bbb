package method

import (
	"context"
	"reflect"
	"sync"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
)

//go:generate go run ./gen

// funcPlan serves a typed function: a record decodes the arguments into a frame, a caller runs the function on it, and the
// result is encoded from there. It is read only once it is compiled.
type funcPlan struct {
	fn       reflect.Value
	context  bool           // the function takes a context first
	variadic bool           // its last input takes any number of values
	fields   bool           // the parameters are the fields of the only input
	inputs   []reflect.Type // without the context
	params   []param
	result   reflect.Type // nil: none
	fails    bool         // the last result is an error
	rawDepth int

	validators []validator // one for each input; nil: nothing is to be asked

	frame    frameType
	record   *json.Record // decodes what is right; see decoding for the rest. nil: nothing
	direct   caller       // nil: by reflection
	observed bool         // interceptors see the arguments and the result
}

// build lays out the frame and chooses how to decode and how to call.
func (p *funcPlan) build(observed bool) {
	p.observed = observed
	p.frame = newFrameType(p.inputs, p.result)
	if !observed { // whoever sees a frame may keep it
		p.frame.pool = &sync.Pool{}
	}
	p.record = p.makeRecord()
	p.validators = p.makeValidators()
	p.direct = direct(p.fn.Interface(), p.frame.at)
}

func (p *funcPlan) list() []Param {
	params := make([]Param, len(p.params))
	for i := range p.params {
		params[i] = p.params[i].Param
	}
	return params
}

func (p *funcPlan) call(ctx context.Context, c *call.Call) error {
	a, ok := c.In.(*args)
	if !ok || a.plan != p {
		return call.Errorf(call.Internal, "the arguments of %s were replaced", c.Method)
	}
	if err := p.run(ctx, a); err != nil {
		return err
	}
	switch {
	case p.result == nil:
	case p.observed:
		c.Out = a.memory.Field(len(p.inputs)).Interface()
	default:
		c.Out = a.result
	}
	return nil
}

func (p *funcPlan) run(ctx context.Context, a *args) error {
	if p.direct != nil {
		return p.direct(ctx, a.frame)
	}
	return a.reflected(ctx)
}

func (p *funcPlan) invoke(in []reflect.Value) []reflect.Value {
	if p.variadic {
		return p.fn.CallSlice(in)
	}
	return p.fn.Call(in)
}

func (p *funcPlan) release(c *call.Call) {
	a, ok := c.In.(*args)
	if !ok || p.observed {
		return
	}
	c.In, c.Out = nil, nil
	c.SetValues(nil)
	a.release()
}
