package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Of returns the model of t. It never fails: parts that have no JSON form are of Kind Invalid. Within one call each Go
// type has one Type, so types that contain themselves end in a circle.
func Of(t reflect.Type) *Type { return builder{}.of(t) }

// builder holds the types of one graph.
type builder map[reflect.Type]*Type

func (b builder) of(t reflect.Type) *Type {
	if known := b[t]; known != nil {
		return known
	}
	m := &Type{Go: t, Len: -1}
	b[t] = m
	if !wellKnown(m) {
		b.fill(m)
	}
	return m
}

var (
	timeType     = reflect.TypeFor[time.Time]()
	durationType = reflect.TypeFor[time.Duration]()
	readerType   = reflect.TypeFor[io.Reader]()
)

// wellKnown sets the kind of types whose JSON form does not follow from their structure.
func wellKnown(m *Type) bool {
	switch {
	case m.Go == timeType:
		m.Kind = Time
	case m.Go == durationType:
		m.Kind = Duration
	case m.Go == readerType:
		m.Kind = Bytes
	case m.Go.Kind() == reflect.Pointer || m.Go.Kind() == reflect.Interface:
		return false // methods count on what is behind them
	case m.Go == reflect.TypeFor[jsontext.Value]() || ownJSON(m.Go):
		m.Kind = Any
	case ownText(m.Go):
		m.Kind = String
	default:
		return false
	}
	return true
}

func ownJSON(t reflect.Type) bool {
	return has[json.Marshaler](t) || has[json.Unmarshaler](t) || has[jsonv2.MarshalerTo](t) || has[jsonv2.UnmarshalerFrom](t)
}

func ownText(t reflect.Type) bool {
	return has[encoding.TextMarshaler](t) || has[encoding.TextUnmarshaler](t) || has[encoding.TextAppender](t)
}

func has[I any](t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[I]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

func (b builder) fill(m *Type) {
	switch t := m.Go; t.Kind() {
	case reflect.Bool:
		m.Kind = Bool
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		m.Kind, m.Bits = Int, t.Bits()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		m.Kind, m.Bits = Uint, t.Bits()
	case reflect.Float32, reflect.Float64:
		m.Kind, m.Bits = Float, t.Bits()
	case reflect.String:
		m.Kind = String
	case reflect.Interface:
		m.Kind = Any
	case reflect.Pointer:
		m.Kind, m.Elem = Optional, b.of(t.Elem())
	case reflect.Slice, reflect.Array:
		b.list(m)
	case reflect.Map:
		b.table(m)
	case reflect.Struct:
		b.object(m)
	default:
		m.Reason = formless(t)
	}
}

func (b builder) list(m *Type) {
	if m.Go.Kind() == reflect.Array {
		m.Len = m.Go.Len()
	}
	if e := m.Go.Elem(); e.Kind() == reflect.Uint8 && e.PkgPath() == "" {
		m.Kind = Bytes
		return
	}
	m.Kind, m.Elem = List, b.of(m.Go.Elem())
}

func (b builder) table(m *Type) {
	m.Key = b.of(m.Go.Key())
	switch m.Key.Kind {
	case String, Int, Uint, Float, Time:
		m.Kind, m.Elem = Map, b.of(m.Go.Elem())
	default:
		m.Reason = fmt.Sprintf("its keys are of type %s, which JSON cannot have there; take keys of type string or an integer", m.Go.Key())
	}
}

func formless(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Chan:
		return "a channel has no JSON form; take a slice, or call back through the session"
	case reflect.Func:
		if isIterator(t) {
			return "a stream (iter.Seq) cannot be carried yet; take a slice"
		}
		return "a func has no JSON form; take the data that it would give"
	case reflect.Complex64, reflect.Complex128:
		return "a complex number has no JSON form; take two floats or a struct of two"
	default:
		return fmt.Sprintf("%s has no JSON form; take the data that it stands for", t.Kind())
	}
}

// isIterator reports whether t looks like iter.Seq or iter.Seq2: func(yield func(…) bool).
func isIterator(t reflect.Type) bool {
	if t.NumIn() != 1 || t.NumOut() != 0 || t.In(0).Kind() != reflect.Func {
		return false
	}
	yield := t.In(0)
	return yield.NumOut() == 1 && yield.Out(0).Kind() == reflect.Bool && (yield.NumIn() == 1 || yield.NumIn() == 2)
}
