package method

import (
	"context"
	"reflect"

	"github.com/anywire/anywire/call"
)

// reflectPlan serves any function by reflection. It is read only once it is compiled.
type reflectPlan struct {
	fn       reflect.Value
	context  bool           // the function takes a context first
	variadic bool           // its last input takes any number of values
	fields   bool           // the parameters are the fields of the only input
	inputs   []reflect.Type // without the context
	params   []param
	result   reflect.Type // nil: none
	fails    bool         // the last result is an error
	rawDepth int
}

func (p *reflectPlan) list() []Param {
	params := make([]Param, len(p.params))
	for i := range p.params {
		params[i] = p.params[i].Param
	}
	return params
}

func (p *reflectPlan) call(ctx context.Context, c *call.Call) error {
	a, ok := c.In.(*args)
	if !ok {
		return call.Errorf(call.Internal, "the arguments of %s were replaced", c.Method)
	}
	in := a.inputs
	if p.context {
		in = append([]reflect.Value{reflect.ValueOf(ctx)}, in...)
	}
	var out []reflect.Value
	if p.variadic {
		out = p.fn.CallSlice(in)
	} else {
		out = p.fn.Call(in)
	}
	if p.fails {
		if err, _ := out[len(out)-1].Interface().(error); err != nil {
			return err
		}
	}
	if p.result != nil {
		c.Out = out[0].Interface()
	}
	return nil
}

// args are the decoded arguments of one call, in its In. They are call.Values too.
type args struct {
	plan   *reflectPlan
	inputs []reflect.Value
}

func (p *reflectPlan) newArgs() *args {
	a := &args{plan: p, inputs: make([]reflect.Value, len(p.inputs))}
	for i, t := range p.inputs {
		a.inputs[i] = reflect.New(t).Elem()
	}
	if p.fields && a.inputs[0].Kind() == reflect.Pointer {
		a.inputs[0].Set(reflect.New(p.inputs[0].Elem()))
	}
	return a
}

// place returns where argument i is kept, making the embedded structs on the way.
func (a *args) place(i int) reflect.Value {
	if !a.plan.fields {
		return a.inputs[i]
	}
	v := reflect.Indirect(a.inputs[0])
	for _, x := range a.plan.params[i].index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v
}

// Len implements call.Values.
func (a *args) Len() int { return len(a.plan.params) }

// Name implements call.Values.
func (a *args) Name(i int) string { return a.plan.params[i].Name }

// Value implements call.Values. The copy is shallow: what the argument points to is shared.
func (a *args) Value(i int) any {
	if !a.plan.fields {
		return a.inputs[i].Interface()
	}
	v, err := reflect.Indirect(a.inputs[0]).FieldByIndexErr(a.plan.params[i].index)
	if err != nil { // in an embedded struct of which nothing came
		return reflect.Zero(a.plan.params[i].Type).Interface()
	}
	return v.Interface()
}
