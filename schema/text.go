package schema

import "github.com/anywire/anywire/codec/json"

// AppendText appends the JSON value that plain text stands for where a t is expected: path segments, query and form
// members. Types that travel as strings take the text as it is; all others read it as JSON. Text that is no JSON becomes a
// string, so that decoding it says what is wrong.
func AppendText(dst []byte, t *Type, text []byte) []byte {
	switch {
	case t.Kind == Optional:
		return AppendText(dst, t.Elem, text)
	case t.Kind == Bool && string(text) == "1":
		return append(dst, "true"...)
	case t.Kind == Bool && string(text) == "0":
		return append(dst, "false"...)
	case t.isText() || json.Valid(text, 0) != nil:
		return json.AppendStringBytes(dst, text)
	}
	return append(dst, text...)
}

// standard returns the JSON value of a default tag. There, text in quotes is JSON for types that travel as strings too.
func standard(t *Type, text string) []byte {
	raw := []byte(text)
	if t.isText() && json.Kind(raw) == '"' && json.Valid(raw, 0) == nil {
		return raw
	}
	return AppendText(nil, t, raw)
}

// isText reports whether values travel as JSON strings.
func (t *Type) isText() bool {
	switch t.Kind {
	case String, Bytes, Time, Duration:
		return true
	}
	return false
}
