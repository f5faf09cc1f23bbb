package json

import (
	"reflect"
	"sync"
	"unsafe"

	jsonv2 "github.com/go-json-experiment/json"
)

// Each Go type is compiled once into two programs, a decoder and an encoder: closures that know offsets and kinds, so that
// no call looks at a type again. They are made for what is usual and right. Whatever else they meet (another kind of value,
// an unknown or repeated member, a number that does not fit, a type with methods of its own in the way) they decline, and
// the library, which knows every rule, does the whole value anew. It alone finds mistakes, so there is one set of words for
// them, and the programs cannot differ from it in what they refuse.

// decoder reads the valid JSON value that begins at in[at] into the Go value at p and returns the index behind it, or
// declined. p is then half decoded.
type decoder func(in []byte, at int, p unsafe.Pointer) int

// encoder appends the Go value at p to dst. It returns nil when it declines. depth counts what lies in each other.
type encoder func(dst []byte, p unsafe.Pointer, depth int) []byte

const declined = -1

// maxNested is where encoders leave a value to the library, which finds values that contain themselves.
const maxNested = 500

// Programs of every type that Unmarshal and Append met; nil for a type that is left to the library at once.
var (
	decoders sync.Map // reflect.Type → decoder
	encoders sync.Map // reflect.Type → encoder
)

// A type that has to do with JSON by methods of its own is left to the library wherever it is: its methods may call
// Unmarshal and Append again, and if each level tried twice what fails, a value of depth n would be tried 2ⁿ times.

func decoderOf(t reflect.Type) decoder {
	if known, ok := decoders.Load(t); ok {
		return known.(decoder)
	}
	var d decoder
	if !isOpaque(t) && !reaches(t, readsJSON, map[reflect.Type]bool{}) {
		c := decoderCompiler{known: map[reflect.Type]*decoder{}}
		d = c.compile(t)
	}
	decoders.Store(t, d)
	return d
}

func encoderOf(t reflect.Type) encoder {
	if known, ok := encoders.Load(t); ok {
		return known.(encoder)
	}
	var e encoder
	if !reaches(t, writesJSON, map[reflect.Type]bool{}) {
		c := encoderCompiler{known: map[reflect.Type]*encoder{}}
		e = c.compile(t)
	}
	encoders.Store(t, e)
	return e
}

// empty makes zero the value of type t at p.
func empty(t reflect.Type, p unsafe.Pointer) { reflect.NewAt(t, p).Elem().SetZero() }

// library decodes as the library does. t must be of a kind whose decoding does not depend on what is around it.
func library(t reflect.Type) decoder {
	return func(in []byte, at int, p unsafe.Pointer) int {
		end := skipValue(in, at)
		if jsonv2.Unmarshal(in[at:end], reflect.NewAt(t, p).Interface(), decodeOptions) != nil {
			return declined
		}
		return end
	}
}

func decline([]byte, int, unsafe.Pointer) int { return declined }

// orNull lets d take null as the zero value of t.
func orNull(t reflect.Type, d decoder) decoder {
	return func(in []byte, at int, p unsafe.Pointer) int {
		if in[at] != 'n' {
			return d(in, at, p)
		}
		empty(t, p)
		return at + len("null")
	}
}

// notNull keeps null from d.
func notNull(d decoder) decoder {
	return func(in []byte, at int, p unsafe.Pointer) int {
		if in[at] == 'n' {
			return declined
		}
		return d(in, at, p)
	}
}

// to returns the index of the next byte that is not white space. In most JSON there is none.
func to(in []byte, at int) int {
	if in[at] > ' ' {
		return at
	}
	return skipSpace(in, at)
}
