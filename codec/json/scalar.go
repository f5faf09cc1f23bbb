package json

import (
	"bytes"
	"math"
	"math/bits"
	"unsafe"
)

// Int64 returns the integer that a valid value is. 2.0 and 1e3 are no integers here, "5" is a string, and what does not
// fit is not rounded: ok is false for all of them.
func Int64(value []byte) (n int64, ok bool) {
	digits, negative := bytes.CutPrefix(value, []byte("-"))
	u, ok := parseDigits(digits)
	switch {
	case !ok:
		return 0, false
	case negative && u <= -math.MinInt64:
		return -int64(u), true
	case !negative && u <= math.MaxInt64:
		return int64(u), true
	}
	return 0, false
}

// Uint64 returns the integer that a valid value is, if it is one from 0 to 2⁶⁴-1, written without fraction and exponent.
func Uint64(value []byte) (n uint64, ok bool) { return parseDigits(value) }

// Float64 returns the number nearest to the one that a valid value is. It is not ok for a number whose magnitude is too
// large, and for what is no number.
func Float64(value []byte) (f float64, ok bool) {
	if Kind(value) != '0' {
		return 0, false
	}
	end := decodeFloat64(value, 0, unsafe.Pointer(&f))
	return f, end == len(value)
}

// Bool returns the truth value that a valid value is, if it is one.
func Bool(value []byte) (v, ok bool) {
	switch string(value) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

// parseDigits reads a number of digits alone.
func parseDigits(b []byte) (n uint64, ok bool) {
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		high, low := bits.Mul64(n, 10)
		sum, carry := bits.Add64(low, uint64(c-'0'), 0)
		if high|carry != 0 {
			return 0, false
		}
		n = sum
	}
	return n, len(b) > 0
}
