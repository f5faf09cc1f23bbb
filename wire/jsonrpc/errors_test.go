package jsonrpc_test

import (
	"reflect"
	"testing"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire/jsonrpc"
)

// Every error comes back as it left, whatever its application code hides.
func TestErrorsTravelUnchanged(t *testing.T) {
	apps := []int32{0, 1, -1, 1234, -32700, -32600, -32601, -32602, -32603, -32000, -32001, -32005, -32016, -32017, -1 << 31, 1<<31 - 1}
	for code := call.Canceled; code <= call.Unauthenticated; code++ {
		for _, app := range apps {
			for _, details := range []string{"", "null", `{"a":[1,"\u00e9"]}`} {
				e := &call.Error{Code: code, App: app, Message: "a \"b\"\n\tc\x00 é"}
				if details != "" {
					e.Details = []byte(details)
				}
				got, ok := jsonrpc.ParseError(jsonrpc.AppendError(nil, e))
				if !ok || !reflect.DeepEqual(got, e) {
					t.Errorf("%+v came back as %+v from %s", e, got, jsonrpc.AppendError(nil, e))
				}
			}
		}
	}
}

func TestErrorNumbers(t *testing.T) {
	for _, test := range []struct {
		e    *call.Error
		want string
	}{
		{call.Errorf(call.InvalidArgument, "m"), `{"code":-32602,"message":"m"}`},
		{call.Errorf(call.Unimplemented, "m"), `{"code":-32601,"message":"m"}`},
		{call.Errorf(call.Internal, "m"), `{"code":-32603,"message":"m"}`},
		{call.Errorf(call.NotFound, "m"), `{"code":-32005,"message":"m"}`},
		{call.Errorf(call.Unknown, "m").WithApp(7), `{"code":7,"message":"m"}`},
		{call.Errorf(call.NotFound, "m").WithApp(7), `{"code":7,"message":"m","status":"not_found"}`},
		{&call.Error{}, `{"code":-32002,"message":"unknown"}`},
	} {
		if got := string(jsonrpc.AppendError(nil, test.e)); got != test.want {
			t.Errorf("%v: %s, want %s", test.e, got, test.want)
		}
	}
}

// What strangers send.
func TestParseError(t *testing.T) {
	for _, test := range []struct {
		in   string
		code call.Code
		app  int32
	}{
		{`{"code":-32700,"message":""}`, call.Internal, -32700},
		{`{"code":-32600,"message":""}`, call.InvalidArgument, -32600},
		{`{"code":-32099,"message":""}`, call.Unknown, -32099},
		{`{"code":99999999999,"message":""}`, call.Unknown, 0},
		{`{"code":5,"message":3,"status":"no_such"}`, call.Unknown, 5},
	} {
		e, ok := jsonrpc.ParseError([]byte(test.in))
		if !ok || e.Code != test.code || e.App != test.app {
			t.Errorf("%s: %+v", test.in, e)
		}
	}
}
