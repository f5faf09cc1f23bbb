package json

import (
	"errors"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

var errDuration = errors.New("json: not a duration")

// writeDuration writes d as the JSON form of google.protobuf.Duration, which every client can read.
func writeDuration(enc *jsontext.Encoder, d time.Duration) error {
	return enc.WriteToken(jsontext.String(string(appendDuration(nil, d))))
}

// appendDuration appends d in seconds, with as many decimals as it needs: 1.5s.
func appendDuration(dst []byte, d time.Duration) []byte {
	nanos := uint64(d)
	if d < 0 {
		dst = append(dst, '-')
		nanos = -nanos
	}
	const second = uint64(time.Second)
	dst = strconv.AppendUint(dst, nanos/second, 10)
	if rest := nanos % second; rest > 0 {
		dst = appendDecimals(dst, rest)
	}
	return append(dst, 's')
}

// appendDecimals appends nanoseconds below one second as a decimal fraction.
func appendDecimals(dst []byte, nanos uint64) []byte {
	dst = append(dst, '.')
	for unit := uint64(time.Second) / 10; nanos > 0; unit /= 10 {
		dst = append(dst, '0'+byte(nanos/unit))
		nanos %= unit
	}
	return dst
}

// readDuration reads what time.ParseDuration understands; null is no time at all.
func readDuration(dec *jsontext.Decoder, d *time.Duration) (err error) {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch value.Kind() {
	case 'n':
		*d = 0
		return nil
	case '"':
		*d, err = time.ParseDuration(string(AppendUnquoted(nil, value)))
		return err
	}
	return errDuration
}
