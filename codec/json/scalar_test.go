package json

import (
	"math"
	"testing"
)

func TestInt64(t *testing.T) {
	for in, want := range map[string]int64{
		"0": 0, "-0": 0, "7": 7, "-7": -7, "1234567890123": 1234567890123,
		"9223372036854775807": math.MaxInt64, "-9223372036854775808": math.MinInt64,
	} {
		if got, ok := Int64([]byte(in)); !ok || got != want {
			t.Errorf("%s: %d, %t", in, got, ok)
		}
	}
	for _, in := range []string{
		"", "-", "2.0", "1e3", `"5"`, "null", "true", "[1]", "9223372036854775808", "-9223372036854775809",
		"18446744073709551616", "123456789012345678901234567890", "+1", "--1", "1_0",
	} {
		if got, ok := Int64([]byte(in)); ok {
			t.Errorf("%s: %d", in, got)
		}
	}
}

func TestUint64(t *testing.T) {
	for in, want := range map[string]uint64{"0": 0, "42": 42, "18446744073709551615": math.MaxUint64} {
		if got, ok := Uint64([]byte(in)); !ok || got != want {
			t.Errorf("%s: %d, %t", in, got, ok)
		}
	}
	for _, in := range []string{"", "-0", "-1", "1.0", "1e3", `"5"`, "18446744073709551616", "184467440737095516150", "99999999999999999999"} {
		if got, ok := Uint64([]byte(in)); ok {
			t.Errorf("%s: %d", in, got)
		}
	}
}

func TestFloat64(t *testing.T) {
	for in, want := range map[string]float64{
		"0": 0, "1": 1, "-1.5": -1.5, "1e3": 1000, "0.1": 0.1, "1e-400": 0, "1.7976931348623157e308": math.MaxFloat64,
	} {
		if got, ok := Float64([]byte(in)); !ok || got != want {
			t.Errorf("%s: %v, %t", in, got, ok)
		}
	}
	if got, ok := Float64([]byte("-0")); !ok || !math.Signbit(got) {
		t.Errorf("-0: %v, %t", got, ok)
	}
	for _, in := range []string{"", "1e400", "-1e400", `"5"`, "null", "NaN", "Infinity", "[1]", "true"} {
		if got, ok := Float64([]byte(in)); ok {
			t.Errorf("%s: %v", in, got)
		}
	}
}

func TestBool(t *testing.T) {
	for in, want := range map[string][2]bool{
		"true": {true, true}, "false": {false, true}, "": {}, "null": {}, `"true"`: {}, "1": {}, "True": {},
	} {
		if v, ok := Bool([]byte(in)); v != want[0] || ok != want[1] {
			t.Errorf("%s: %t, %t", in, v, ok)
		}
	}
}
