package method

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Bound is one method of a service.
type Bound struct {
	Name   string // to register it by
	GoName string // of the Go method
	Fn     any    // the method as a function, for New
}

// Service lists the exported methods of v as functions, in the order of their Go names, each named by mapper from prefix and
// the Go name; nil stands for SnakeCase. v is a value or a pointer, which then serves all calls, or a func() that returns a
// fresh one for each call. It panics when there is nothing to call.
func Service(prefix string, v any, mapper func(prefix, name string) string) []Bound {
	if mapper == nil {
		mapper = SnakeCase
	}
	value := reflect.ValueOf(v)
	bind, owner := bindTo(prefix, value), serviceType(value)
	if owner.NumMethod() == 0 {
		panic(fmt.Sprintf("anywire: service %q: %s has no exported method; %s", prefix, owner, cure(owner)))
	}
	if p := reflect.PointerTo(owner); owner.Kind() != reflect.Interface && p.NumMethod() > owner.NumMethod() {
		panic(fmt.Sprintf("anywire: service %q: some methods belong to *%s; pass a pointer", prefix, owner))
	}
	var all []Bound
	for i := range owner.NumMethod() {
		name := owner.Method(i).Name
		all = append(all, Bound{mapper(prefix, name), name, bind(i)})
	}
	return all
}

func cure(t reflect.Type) string {
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface && reflect.PointerTo(t).NumMethod() > 0 {
		return "those of its pointer count for pointers alone, so pass one"
	}
	return "start their names with a capital letter"
}

func serviceType(v reflect.Value) reflect.Type {
	if isFactory(v.Type()) {
		return v.Type().Out(0)
	}
	return v.Type()
}

// isFactory reports whether t is a func() that returns one value. A func type with methods is a service itself.
func isFactory(t reflect.Type) bool {
	return t.Kind() == reflect.Func && t.NumMethod() == 0 && t.NumIn() == 0 && t.NumOut() == 1
}

// bindTo returns a function that gives method i of the service.
func bindTo(prefix string, v reflect.Value) func(i int) any {
	switch {
	case !v.IsValid(), canBeNil(v.Kind()) && v.IsNil():
		panic(fmt.Sprintf("anywire: service %q is nil; pass a value, a pointer or a func that makes one", prefix))
	case !isFactory(v.Type()):
		return func(i int) any { return v.Method(i).Interface() }
	}
	return func(i int) any { return fresh(v, i) }
}

func canBeNil(k reflect.Kind) bool {
	return k == reflect.Pointer || k == reflect.Func || k == reflect.Map
}

// fresh returns a function of the type of method i that calls it on a new value from factory.
func fresh(factory reflect.Value, i int) any {
	made := factory.Type().Out(0)
	t := made.Method(i).Type
	var in, out []reflect.Type
	first := 1 // behind the receiver
	if made.Kind() == reflect.Interface {
		first = 0
	}
	for j := first; j < t.NumIn(); j++ {
		in = append(in, t.In(j))
	}
	for j := range t.NumOut() {
		out = append(out, t.Out(j))
	}
	run := func(args []reflect.Value) []reflect.Value {
		method := factory.Call(nil)[0].Method(i)
		if t.IsVariadic() {
			return method.CallSlice(args)
		}
		return method.Call(args)
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, t.IsVariadic()), run).Interface()
}

// SnakeCase joins prefix and the Go name in snake case by a dot: math and AddTwo give math.add_two. Runs of capitals are one
// word: UserID is user_id, HTTPServer2 is http_server2.
func SnakeCase(prefix, name string) string {
	var b strings.Builder
	if prefix != "" {
		b.WriteString(prefix + ".")
	}
	letters := []rune(name)
	for i, c := range letters {
		if i > 0 && beginsWord(letters, i) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// beginsWord reports whether a word begins at letter i: a capital behind something else, or the last of a run of capitals
// when a small letter follows.
func beginsWord(letters []rune, i int) bool {
	before := letters[i-1]
	if !unicode.IsUpper(letters[i]) || before == '_' {
		return false
	}
	followed := i+1 < len(letters) && unicode.IsLower(letters[i+1])
	return !unicode.IsUpper(before) || followed
}
