package json

import (
	"math"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/anywire/anywire/codec/base64"
)

var numberEncoders = map[reflect.Kind]encoder{
	reflect.Int: encodeInt[int], reflect.Int8: encodeInt[int8], reflect.Int16: encodeInt[int16],
	reflect.Int32: encodeInt[int32], reflect.Int64: encodeInt[int64],
	reflect.Uint: encodeUint[uint], reflect.Uint8: encodeUint[uint8], reflect.Uint16: encodeUint[uint16],
	reflect.Uint32: encodeUint[uint32], reflect.Uint64: encodeUint[uint64], reflect.Uintptr: encodeUint[uintptr],
	reflect.Float32: encodeFloat32, reflect.Float64: encodeFloat64,
}

func encodeInt[T ~int | ~int8 | ~int16 | ~int32 | ~int64](dst []byte, p unsafe.Pointer, _ int) []byte {
	return strconv.AppendInt(dst, int64(*(*T)(p)), 10)
}

func encodeUint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](dst []byte, p unsafe.Pointer, _ int) []byte {
	return strconv.AppendUint(dst, uint64(*(*T)(p)), 10)
}

func encodeFloat64(dst []byte, p unsafe.Pointer, _ int) []byte {
	return AppendFloat64(dst, *(*float64)(p))
}

// AppendFloat64 appends f as Append does. It returns nil for NaN and the infinities, which have no JSON form.
func AppendFloat64(dst []byte, f float64) []byte {
	if n := int64(f); float64(n) == f && -1<<53 < n && n < 1<<53 && (n != 0 || !math.Signbit(f)) {
		return strconv.AppendInt(dst, n, 10)
	}
	return appendFloat(dst, f, 64)
}

func encodeFloat32(dst []byte, p unsafe.Pointer, _ int) []byte {
	return appendFloat(dst, float64(*(*float32)(p)), 32)
}

// appendFloat appends f as ECMAScript writes numbers, except that zero keeps its sign. NaN and infinities it declines.
func appendFloat(dst []byte, f float64, bits int) []byte {
	size := math.Abs(f)
	small, large := 1e-6, 1e21
	if bits == 32 {
		small, large = float64(float32(1e-6)), float64(float32(1e21))
	}
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return nil
	case size == 0 || small <= size && size < large:
		return strconv.AppendFloat(dst, f, 'f', -1, bits)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
	if n := len(dst); n >= 4 && string(dst[n-4:n-1]) == "e-0" { // one digit will do
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

func encodeBool(dst []byte, p unsafe.Pointer, _ int) []byte {
	return strconv.AppendBool(dst, *(*bool)(p))
}

func encodeString(dst []byte, p unsafe.Pointer, _ int) []byte {
	return appendValidString(dst, *(*string)(p))
}

// appendValidString is AppendString, but declines what is not UTF-8.
func appendValidString(dst []byte, s string) []byte {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	if n := plain(b); n == len(b) {
		return append(append(append(dst, '"'), s...), '"')
	}
	if !utf8.Valid(b) {
		return nil
	}
	return AppendStringBytes(dst, b)
}

func encodeBytes(dst []byte, p unsafe.Pointer, _ int) []byte {
	return append(base64.AppendEncode(append(dst, '"'), *(*[]byte)(p)), '"')
}

func encodeDuration(dst []byte, p unsafe.Pointer, _ int) []byte {
	return append(appendDuration(append(dst, '"'), *(*time.Duration)(p)), '"')
}

// encodeTime writes RFC 3339. Times that this cannot tell, and those of other zones, are the library's.
func encodeTime(dst []byte, p unsafe.Pointer, _ int) []byte {
	t := *(*time.Time)(p)
	if t.Location() != time.UTC || t.Year() < 0 || t.Year() > 9999 {
		return libraryTime(dst, p, 0)
	}
	return append(t.AppendFormat(append(dst, '"'), time.RFC3339Nano), '"')
}

var libraryTime = libraryEncoder(timeType)

func encodeAny(dst []byte, p unsafe.Pointer, depth int) []byte {
	if depth > maxNested {
		return nil
	}
	return appendAny(dst, *(*any)(p), depth+1)
}

// appendAny is an encoder for the value that v holds.
func appendAny(dst []byte, v any, depth int) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return appendValidString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		return AppendFloat64(dst, v)
	}
	if out := appendPointed(dst, v); out != nil {
		return out
	}
	held := reflect.ValueOf(v)
	if held.Kind() != reflect.Pointer || held.IsNil() {
		place := reflect.New(held.Type())
		place.Elem().Set(held)
		held = place
	}
	if e := encoderOf(held.Type().Elem()); e != nil {
		return e(dst, held.UnsafePointer(), depth)
	}
	return nil
}

// appendPointed appends what a pointer to a usual scalar points to, without looking for a program.
func appendPointed(dst []byte, v any) []byte {
	switch v := v.(type) {
	case *string:
		if v != nil {
			return appendValidString(dst, *v)
		}
	case *bool:
		if v != nil {
			return strconv.AppendBool(dst, *v)
		}
	case *int:
		if v != nil {
			return strconv.AppendInt(dst, int64(*v), 10)
		}
	case *int64:
		if v != nil {
			return strconv.AppendInt(dst, *v, 10)
		}
	case *float64:
		if v != nil {
			return AppendFloat64(dst, *v)
		}
	}
	return nil
}
