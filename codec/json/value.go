package json

import (
	"bytes"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	decodeOptions = jsonv2.JoinOptions(
		jsonv2.RejectUnknownMembers(true),
		jsonv2.WithUnmarshalers(jsonv2.UnmarshalFromFunc(readDuration)),
	)
	encodeOptions = jsonv2.JoinOptions(
		jsonv2.Deterministic(true),
		jsontext.PreserveRawStrings(true),
		jsonv2.WithMarshalers(jsonv2.MarshalToFunc(writeDuration)),
	)
)

// Unmarshal decodes value into v, a pointer that is not nil. It follows encoding/json/v2: names match in their exact case,
// null makes a zero value. It refuses unknown members, members that appear twice, invalid UTF-8, and numbers that do not
// fit. A duration is what time.ParseDuration reads, a time is RFC 3339, bytes are base64 with padding.
//
// The error is a *Mistake, and what v points to may then be half decoded. v keeps no part of value.
func Unmarshal(value []byte, v any) error {
	if unmarshal(value, v) {
		return nil
	}
	if err := jsonv2.Unmarshal(value, v, decodeOptions); err != nil {
		return mistakeOf(value, err)
	}
	return nil
}

// unmarshal decodes by the program of v's type, where there is one and it does not decline.
func unmarshal(value []byte, v any) bool {
	to := reflect.ValueOf(v)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return false
	}
	d := decoderOf(to.Type().Elem())
	if d == nil || Valid(value, 0) != nil {
		return false
	}
	return d(value, skipSpace(value, 0), to.UnsafePointer()) >= 0
}

// Append appends v as JSON without white space. A nil slice becomes [] and a nil map {}; the members of a map are sorted by
// name; a duration becomes seconds as protobuf writes them, such as "1.5s"; a json.RawMessage stays as it is but for white
// space. What JSON cannot express is an error, which is about the program and not for the wire: NaN, infinities, channels,
// functions, strings that are not UTF-8. Then dst comes back as it was.
func Append(dst []byte, v any) ([]byte, error) {
	if out := appendAny(dst, v, 0); out != nil {
		return out, nil
	}
	out := bytes.NewBuffer(dst)
	if err := jsonv2.MarshalWrite(out, v, encodeOptions); err != nil {
		return dst, err
	}
	return out.Bytes(), nil
}
