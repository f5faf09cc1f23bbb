package json

import (
	"reflect"
	"strconv"
	"time"
	"unsafe"

	"github.com/anywire/anywire/codec/base64"
)

var numberDecoders = map[reflect.Kind]decoder{
	reflect.Int: decodeInt[int], reflect.Int8: decodeInt[int8], reflect.Int16: decodeInt[int16],
	reflect.Int32: decodeInt[int32], reflect.Int64: decodeInt[int64],
	reflect.Uint: decodeUint[uint], reflect.Uint8: decodeUint[uint8], reflect.Uint16: decodeUint[uint16],
	reflect.Uint32: decodeUint[uint32], reflect.Uint64: decodeUint[uint64], reflect.Uintptr: decodeUint[uintptr],
	reflect.Float32: decodeFloat32, reflect.Float64: decodeFloat64,
}

func decodeInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64](in []byte, at int, p unsafe.Pointer) int {
	negative := in[at] == '-'
	if negative {
		at++
	}
	u, end := digits(in, at)
	n := int64(u)
	if negative {
		n = -n
	}
	if v := T(n); end >= 0 && int64(v) == n && (n < 0 == negative || n == 0) {
		*(*T)(p) = v
		return end
	}
	return declined
}

func decodeUint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](in []byte, at int, p unsafe.Pointer) int {
	u, end := digits(in, at)
	if v := T(u); end >= 0 && uint64(v) == u {
		*(*T)(p) = v
		return end
	}
	return declined
}

// digits reads a number of digits alone and returns the index behind it, or declined for one that has anything else or
// does not fit.
func digits(in []byte, at int) (n uint64, end int) {
	end = at
	for end < len(in) && isDigit(in[end]) {
		n = n*10 + uint64(in[end]-'0')
		end++
	}
	const surely = 19 // digits always fit
	if size := end - at; size == 0 || size > surely {
		var ok bool
		if n, ok = parseDigits(in[at:end]); !ok {
			return 0, declined
		}
	}
	if end < len(in) && (in[end] == '.' || in[end]|0x20 == 'e') {
		return 0, declined
	}
	return n, end
}

func decodeFloat64(in []byte, at int, p unsafe.Pointer) int {
	d, end := readDecimal(in, at)
	if end < 0 {
		return declined
	}
	if f, ok := d.float64(); ok {
		*(*float64)(p) = f
		return end
	}
	f, err := strconv.ParseFloat(view(in[at:end]), 64)
	if err != nil {
		return declined
	}
	*(*float64)(p) = f
	return end
}

func decodeFloat32(in []byte, at int, p unsafe.Pointer) int {
	d, end := readDecimal(in, at)
	if end < 0 {
		return declined
	}
	if f, ok := d.float32(); ok {
		*(*float32)(p) = f
		return end
	}
	f, err := strconv.ParseFloat(view(in[at:end]), 32)
	if err != nil {
		return declined
	}
	*(*float32)(p) = float32(f)
	return end
}

func decodeBool(in []byte, at int, p unsafe.Pointer) int {
	switch in[at] {
	case 't':
		*(*bool)(p) = true
		return at + len("true")
	case 'f':
		*(*bool)(p) = false
		return at + len("false")
	}
	return declined
}

func decodeString(in []byte, at int, p unsafe.Pointer) int {
	body, end := stringAt(in, at)
	if end >= 0 {
		*(*string)(p) = string(body)
		return end
	}
	if in[at] != '"' {
		return declined
	}
	end = skipString(in, at)
	text := AppendUnquoted(make([]byte, 0, end-at-2), in[at:end])
	*(*string)(p) = view(text)
	return end
}

// stringAt returns what is between the quotes of the string at in[at] and the index behind it. It declines what is no
// string, and a string with escapes.
func stringAt(in []byte, at int) (body []byte, end int) {
	if in[at] != '"' {
		return nil, declined
	}
	rest := in[at+1:]
	n := plain(rest)
	for n < len(rest) && rest[n] >= 0x80 { // of no meaning to the end
		n++
		n += plain(rest[n:])
	}
	if n == len(rest) || rest[n] != '"' {
		return nil, declined
	}
	return rest[:n], at + n + 2
}

// decodeTime reads times in UTC; others are the library's. The two bytes are what UnmarshalText passes over: an hour of one
// digit and a comma before the fraction.
func decodeTime(in []byte, at int, p unsafe.Pointer) int {
	const hour, fraction = len("2006-01-02T"), len("2006-01-02T15:04:05")
	text, end := stringAt(in, at)
	if end < 0 || len(text) <= fraction || text[len(text)-1] != 'Z' || text[hour+1] == ':' || text[fraction] == ',' {
		return declined
	}
	if (*time.Time)(p).UnmarshalText(text) != nil {
		return declined
	}
	return end
}

func decodeDuration(in []byte, at int, p unsafe.Pointer) int {
	text, end := stringAt(in, at)
	if end < 0 {
		return declined
	}
	d, err := time.ParseDuration(view(text))
	if err != nil {
		return declined
	}
	*(*time.Duration)(p) = d
	return end
}

func decodeBytes(in []byte, at int, p unsafe.Pointer) int {
	dst := (*[]byte)(p)
	if in[at] == 'n' {
		*dst = nil
		return at + len("null")
	}
	text, end := stringAt(in, at)
	if end < 0 {
		return declined
	}
	out, ok := base64.AppendDecode((*dst)[:0], text)
	if !ok {
		return declined
	}
	if out == nil {
		out = []byte{}
	}
	*dst = out
	return end
}

// decodeAny makes scalars itself. What holds other values is the library's, and so is a value that would be merged into
// what is there.
func decodeAny(in []byte, at int, p unsafe.Pointer) int {
	dst := (*any)(p)
	if in[at] == 'n' {
		*dst = nil
		return at + len("null")
	}
	if *dst != nil {
		return libraryAny(in, at, p)
	}
	switch in[at] {
	case '"':
		var s string
		end := decodeString(in, at, unsafe.Pointer(&s))
		*dst = s
		return end
	case 't', 'f':
		*dst = in[at] == 't'
		return skipValue(in, at)
	case '{', '[':
		return libraryAny(in, at, p)
	}
	var f float64
	end := decodeFloat64(in, at, unsafe.Pointer(&f))
	*dst = f
	return end
}

var libraryAny = library(anyType)

// raw returns the decoder of raw values. The library looks for members that appear twice.
func (c *decoderCompiler) raw(t reflect.Type) decoder {
	copied := library(t)
	return func(in []byte, at int, p unsafe.Pointer) int {
		if in[at] != '{' && in[at] != '[' {
			end := skipValue(in, at)
			*(*[]byte)(p) = append((*(*[]byte)(p))[:0], in[at:end]...)
			return end
		}
		end := copied(in, at, p)
		if end >= 0 && c.strict != nil && Depth(in[at:end]) > c.strict.RawDepth {
			return declined
		}
		return end
	}
}

// view returns b as a string that shares its memory: for calls that keep nothing of it, and for memory nobody else has.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
