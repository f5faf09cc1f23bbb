package json

import "math/bits"

// decimal is a number as it was written: mantissa · 10^power.
type decimal struct {
	mantissa uint64
	power    int
	negative bool
	long     bool // the mantissa has more digits than fit
}

// readDecimal reads the number at in[at] and returns the index behind it, or declined for what is no number.
func readDecimal(in []byte, at int) (d decimal, end int) {
	if in[at] == '-' {
		d.negative = true
		at++
	}
	start := at
	at = d.digits(in, at)
	count := at - start
	if count == 0 {
		return d, declined
	}
	if at < len(in) && in[at] == '.' {
		start = at + 1
		at = d.digits(in, start)
		d.power = start - at
		count += at - start
	}
	d.long = count > 19
	if at < len(in) && in[at]|0x20 == 'e' {
		return d.exponent(in, at+1)
	}
	return d, at
}

func (d *decimal) digits(in []byte, at int) int {
	for at < len(in) && isDigit(in[at]) {
		d.mantissa = d.mantissa*10 + uint64(in[at]-'0')
		at++
	}
	return at
}

func (d decimal) exponent(in []byte, at int) (decimal, int) {
	negative := at < len(in) && in[at] == '-'
	if negative || at < len(in) && in[at] == '+' {
		at++
	}
	e := 0
	for at < len(in) && isDigit(in[at]) {
		e = min(e*10+int(in[at]-'0'), 1e6) // far past any float
		at++
	}
	if negative {
		e = -e
	}
	d.power += e
	return d, at
}

// Powers of ten that floats have exactly.
var (
	tens64 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	tens32 = [...]float32{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}
)

// float64 returns the nearest number when one operation on exact numbers gives it, which rounds once.
func (d decimal) float64() (f float64, ok bool) {
	power := max(d.power, -d.power)
	if d.long || bits.Len64(d.mantissa) > 53 || power >= len(tens64) {
		return 0, false
	}
	f = float64(d.mantissa)
	if d.negative {
		f = -f
	}
	if d.power < 0 {
		return f / tens64[power], true
	}
	return f * tens64[power], true
}

func (d decimal) float32() (f float32, ok bool) {
	power := max(d.power, -d.power)
	if d.long || bits.Len64(d.mantissa) > 24 || power >= len(tens32) {
		return 0, false
	}
	f = float32(d.mantissa)
	if d.negative {
		f = -f
	}
	if d.power < 0 {
		return f / tens32[power], true
	}
	return f * tens32[power], true
}
