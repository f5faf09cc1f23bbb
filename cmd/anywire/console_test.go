package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/anywire/anywire"
)

func TestPrint(t *testing.T) {
	for _, tc := range []struct {
		result   string
		format   format
		terminal bool
		want     string
	}{
		{`{"a": [1]}`, formatJSON, false, "{\"a\":[1]}\n"},
		{`{"a": [1]}`, formatJSON, true, "{\n  \"a\": [\n    1\n  ]\n}\n"},
		{`"<a>\u00e9"`, formatJSON, false, "\"<a>\\u00e9\"\n"},
		{`1.50`, formatJSON, false, "1.50\n"},
		{`"a\nb"`, formatRaw, false, "a\nb\n"},
		{`null`, formatRaw, false, "null\n"},
		{`["a"]`, formatRaw, false, "[\"a\"]\n"},
		{`"aGVsbG8hIQ=="`, formatBytes, false, "hello!!"},
		{`""`, formatBytes, false, ""},
	} {
		var out bytes.Buffer
		con := &console{out: &out, terminal: tc.terminal}
		if err := con.print(json.RawMessage(tc.result), tc.format); err != nil || out.String() != tc.want {
			t.Errorf("print(%s, %s) wrote %q, %v; want %q", tc.result, tc.format, out.String(), err, tc.want)
		}
	}
}

func TestFail(t *testing.T) {
	invalid := anywire.Errorf(anywire.InvalidArgument, "Invalid method param(s).")
	for _, tc := range []struct {
		err  error
		code int
		want string
	}{
		{nil, 0, ""},
		{errors.New("broken"), exitFailed, "anywire: broken\n"},
		{errors.New("red \x1b[31m\nanywire: forged"), exitFailed, "anywire: red  [31m anywire: forged\n"},
		{usageError{errors.New("what?")}, exitUsage, "anywire: what?\n"},
		{fmt.Errorf("dial: %w", unreachableError{errors.New("refused")}), exitUnreachable, "anywire: dial: refused\n"},
		{anywire.Errorf(anywire.NotFound, "gone").WithApp(7), exitFailed, "anywire: not_found (7): gone\n"},
		{invalid.WithDetails(map[string]int{"left": 3}), exitFailed,
			"anywire: invalid_argument: Invalid method param(s).\n  {\"left\":3}\n"},
		{invalid.WithDetails(json.RawMessage(`{"errors":[{"path":"a","message":"is missing"},{"path":"","message":"no"}]}`)),
			exitFailed, "anywire: invalid_argument: Invalid method param(s).\n  a: is missing\n  no\n"},
	} {
		var out bytes.Buffer
		if code := (&console{err: &out}).fail(tc.err); code != tc.code || out.String() != tc.want {
			t.Errorf("fail(%v) = %d and wrote %q; want %d and %q", tc.err, code, out.String(), tc.code, tc.want)
		}
	}
}
