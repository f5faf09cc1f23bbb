package method

import (
	"context"
	"reflect"
	"strconv"
	"sync"
	"unsafe"
)

// frameType describes the memory that one call of a function needs: a place for each argument and one for the result, laid
// out once so that decoders, callers and encoders know offsets instead of looking at types.
type frameType struct {
	memory reflect.Type // a struct: the inputs in order, then the result
	at     places
	pool   *sync.Pool // of *args; nil: each call gets a new one
}

// places are offsets in a frame.
type places struct {
	in  []uintptr
	out uintptr
}

func newFrameType(inputs []reflect.Type, result reflect.Type) frameType {
	all := inputs
	if result != nil {
		all = append(inputs[:len(inputs):len(inputs)], result)
	}
	fields := make([]reflect.StructField, len(all))
	for i, t := range all {
		fields[i] = reflect.StructField{Name: "F" + strconv.Itoa(i), Type: t}
	}
	f := frameType{memory: reflect.StructOf(fields)}
	for i := range inputs {
		f.at.in = append(f.at.in, f.memory.Field(i).Offset)
	}
	if result != nil {
		f.at.out = f.memory.Field(len(inputs)).Offset
	}
	return f
}

// args is the frame of one call, in its In, with views of its memory. It is call.Values too.
//
// No function gets a pointer into a frame: arguments are copied when it is called, and a pointer argument points to memory
// of its own. So a frame can serve one call after the other; it is emptied in between.
type args struct {
	plan   *funcPlan
	memory reflect.Value
	frame  unsafe.Pointer  // memory's address
	inputs []reflect.Value // its fields
	base   unsafe.Pointer  // what the offsets of parameters count from: frame, or the struct that the argument points to
	result any             // a pointer to the place of the result; nil: none
	passed []reflect.Value // to reflect.Call
}

// newArgs returns an empty frame.
func (p *funcPlan) newArgs() *args {
	var a *args
	if p.frame.pool != nil {
		a, _ = p.frame.pool.Get().(*args)
	}
	if a == nil {
		a = p.makeArgs()
	}
	a.prepare()
	return a
}

func (p *funcPlan) makeArgs() *args {
	m := reflect.New(p.frame.memory).Elem()
	a := &args{plan: p, memory: m, frame: m.Addr().UnsafePointer()}
	for i := range p.inputs {
		a.inputs = append(a.inputs, m.Field(i))
	}
	if p.result != nil {
		a.result = m.Field(len(p.inputs)).Addr().Interface()
	}
	return a
}

// prepare makes what a pointer to a struct of parameters points to: the function may keep it.
func (a *args) prepare() {
	a.base = a.frame
	if a.plan.fields && a.inputs[0].Kind() == reflect.Pointer {
		made := reflect.New(a.plan.inputs[0].Elem())
		a.inputs[0].Set(made)
		a.base = made.UnsafePointer()
	}
}

// clear empties a.
func (a *args) clear() {
	a.memory.SetZero()
	a.base = nil
}

// release gives a back, whose call is over.
func (a *args) release() {
	if pool := a.plan.frame.pool; pool != nil {
		a.clear()
		pool.Put(a)
	}
}

// caller runs a function on the arguments in a frame and leaves its result there.
type caller func(ctx context.Context, frame unsafe.Pointer) error

// reflected calls the function of a's plan by reflection.
func (a *args) reflected(ctx context.Context) error {
	p := a.plan
	in := a.passed[:0]
	if p.context {
		in = append(in, reflect.ValueOf(ctx))
	}
	in = append(in, a.inputs...)
	out := p.invoke(in)
	clear(in) // the context is not a's to keep
	a.passed = in
	if p.fails {
		if err := out[len(out)-1]; !err.IsNil() {
			return err.Interface().(error)
		}
	}
	if p.result != nil {
		a.memory.Field(len(p.inputs)).Set(out[0])
	}
	return nil
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
