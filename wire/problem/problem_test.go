package problem

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
	"github.com/anywire/anywire/wire"
)

func TestAppend(t *testing.T) {
	const notFound = `{"type":"about:blank","title":"Not Found","status":404`
	for _, test := range []struct {
		name   string
		status int
		e      *call.Error
		want   string
	}{
		{"plain", 404, call.Errorf(call.NotFound, "no %q", "x"), notFound + `,"detail":"no \"x\"","code":"not_found"}`},
		{"no message", 404, &call.Error{Code: call.NotFound}, notFound + `,"code":"not_found"}`},
		{"no code", 500, &call.Error{}, `{"type":"about:blank","title":"Internal Server Error","status":500,"code":"unknown"}`},
		{"odd status", 599, &call.Error{Code: call.Internal}, `{"type":"about:blank","status":599,"code":"internal"}`},
		{"canceled", 499, &call.Error{Code: call.Canceled},
			`{"type":"about:blank","title":"Client Closed Request","status":499,"code":"canceled"}`},
		{"application code", 404, (&call.Error{Code: call.NotFound}).WithApp(-7), notFound + `,"code":"not_found","app_code":-7}`},
		{"details", 404, (&call.Error{Code: call.NotFound}).WithDetails([]int{1}), notFound + `,"code":"not_found","details":[1]}`},
		{"violations", 400, call.InvalidParams(call.Violation{Path: "a", Message: "m"}),
			`{"type":"about:blank","title":"Bad Request","status":400,"detail":"Invalid method param(s).",` +
				`"code":"invalid_argument","errors":[{"path":"a","message":"m"}]}`},
		{"errors and more", 404, &call.Error{Code: call.NotFound, Details: []byte(`{"errors":[],"x":1}`)},
			notFound + `,"code":"not_found","details":{"errors":[],"x":1}}`},
		{"errors twice", 404, &call.Error{Code: call.NotFound, Details: []byte(`{"errors":[],"errors":[]}`)},
			notFound + `,"code":"not_found","details":{"errors":[],"errors":[]}}`},
		{"spaced", 404, &call.Error{Code: call.NotFound, Details: []byte(` {"errors": []} `)},
			notFound + `,"code":"not_found","details":{"errors": []}}`},
		{"details that are no JSON", 404, &call.Error{Code: call.NotFound, Details: []byte(`{"a":`)}, notFound + `,"code":"not_found"}`},
		{"message that is not UTF-8", 404, &call.Error{Code: call.NotFound, Message: "a\xff"},
			notFound + `,"detail":"a` + "\ufffd" + `","code":"not_found"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(Append([]byte("> "), test.status, test.e)); got != "> "+test.want {
				t.Errorf("got  %s\nwant > %s", got, test.want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, body string
		status     int
		want       call.Error
	}{
		{"empty", "", 404, call.Error{Code: call.NotFound, Message: "Not Found"}},
		{"line", "404 page not found\n", 404, call.Error{Code: call.NotFound, Message: "404 page not found"}},
		{"page", "<html><p>Bad gateway", 502, call.Error{Code: call.Unavailable, Message: "Bad Gateway"}},
		{"long text", strings.Repeat("x", maxText+1), 503, call.Error{Code: call.Unavailable, Message: "Service Unavailable"}},
		{"lines", "a\nb", 401, call.Error{Code: call.Unauthenticated, Message: "Unauthorized"}},
		{"binary", "a\xff", 403, call.Error{Code: call.PermissionDenied, Message: "Forbidden"}},
		{"array", " [1] ", 429, call.Error{Code: call.ResourceExhausted, Message: "Too Many Requests", Details: []byte("[1]")}},
		{"foreign problem", `{"type":"https://a.example/p","title":"T","detail":"D","balance":30}`, 403, call.Error{
			Code: call.PermissionDenied, Message: "D", Details: []byte(`{"type":"https://a.example/p","title":"T","detail":"D","balance":30}`)}},
		{"title alone", `{"title":"T"}`, 400, call.Error{Code: call.InvalidArgument, Message: "T", Details: []byte(`{"title":"T"}`)}},
		{"message", `{"message":"M"}`, 500, call.Error{Code: call.Unknown, Message: "M", Details: []byte(`{"message":"M"}`)}},
		{"error", `{"error":"E","code":"E17"}`, 409, call.Error{Code: call.Aborted, Message: "E", Details: []byte(`{"error":"E","code":"E17"}`)}},
		{"error object", `{"error":{"code":5}}`, 418, call.Error{
			Code: call.InvalidArgument, Message: "I'm a teapot", Details: []byte(`{"error":{"code":5}}`)}},
		{"foreign violations", `{"detail":"D","errors": [1] }`, 422, call.Error{
			Code: call.InvalidArgument, Message: "D", Details: []byte(`{"errors":[1]}`)}},
		{"ok is no code", `{"code":"ok","detail":"D"}`, 500, call.Error{
			Code: call.Unknown, Message: "D", Details: []byte(`{"code":"ok","detail":"D"}`)}},
		{"ours, other status", `{"code":"unimplemented","detail":"D"}`, 404, call.Error{Code: call.Unimplemented, Message: "D"}},
		{"ours, spaced", "{ \"code\" : \"not_found\" ,\n\"details\" : { } }", 404, call.Error{Code: call.NotFound, Details: []byte("{ }")}},
		{"application code out of range", `{"code":"aborted","app_code":2147483648}`, 409, call.Error{Code: call.Aborted}},
		{"application code of another kind", `{"code":"aborted","app_code":"7"}`, 409, call.Error{Code: call.Aborted}},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := []byte(test.body)
			got := Parse(body, test.status)
			for i := range body {
				body[i] = '!'
			}
			if !same(got, &test.want) {
				t.Errorf("got  %+v, details %s\nwant %+v, details %s", got, got.Details, &test.want, test.want.Details)
			}
		})
	}
}

func same(a, b *call.Error) bool {
	return a.Code == b.Code && a.App == b.App && a.Message == b.Message && string(a.Details) == string(b.Details)
}

func TestStatus(t *testing.T) {
	want := map[call.Code]int{
		call.Canceled: 499, call.Unknown: 500, call.InvalidArgument: 400, call.DeadlineExceeded: 504, call.NotFound: 404,
		call.AlreadyExists: 409, call.PermissionDenied: 403, call.ResourceExhausted: 429, call.FailedPrecondition: 400,
		call.Aborted: 409, call.OutOfRange: 400, call.Unimplemented: 501, call.Internal: 500, call.Unavailable: 503,
		call.DataLoss: 500, call.Unauthenticated: 401, 0: 500, 200: 500,
	}
	for code, status := range want {
		if got := Status(code); got != status {
			t.Errorf("Status(%s) = %d, want %d", code, got, status)
		}
	}
}

func TestCodeOf(t *testing.T) {
	want := map[int]call.Code{
		400: call.InvalidArgument, 401: call.Unauthenticated, 403: call.PermissionDenied, 404: call.NotFound,
		405: call.Unimplemented, 408: call.DeadlineExceeded, 409: call.Aborted, 413: call.ResourceExhausted,
		415: call.InvalidArgument, 429: call.ResourceExhausted, 499: call.Canceled, 500: call.Unknown,
		501: call.Unimplemented, 502: call.Unavailable, 503: call.Unavailable, 504: call.DeadlineExceeded,
		599: call.Unknown, 302: call.Unknown, 0: call.Unknown,
	}
	for status, code := range want {
		if got := CodeOf(status); got != code {
			t.Errorf("CodeOf(%d) = %s, want %s", status, got, code)
		}
	}
}

// response is a Writer that keeps what it gets.
type response struct {
	start wire.Start
	body  []byte
	ended bool
}

func (w *response) Begin(s *wire.Start)           { w.start = *s }
func (w *response) WriteBuf(p []byte, _ *mem.Buf) { w.body = append(w.body, p...) }
func (w *response) End(...call.Field)             { w.ended = true }
func (w *response) Write(p []byte) (int, error) {
	w.body = append(w.body, p...)
	return len(p), nil
}

func TestWrite(t *testing.T) {
	own := call.Field{Name: []byte("retry-after"), Value: []byte("9")}
	for _, test := range []struct {
		status int
		fields []call.Field
		want   string
	}{
		{404, nil, "[Content-Type: application/problem+json]"},
		{401, nil, "[Content-Type: application/problem+json WWW-Authenticate: Bearer]"},
		{429, nil, "[Content-Type: application/problem+json Retry-After: 1]"},
		{503, []call.Field{own}, "[Content-Type: application/problem+json retry-after: 9]"},
	} {
		w, e := new(response), call.Errorf(call.Aborted, "why")
		Write(w, test.status, e, test.fields...)
		var fields []string
		for _, f := range w.start.Fields {
			fields = append(fields, fmt.Sprintf("%s: %s", f.Name, f.Value))
		}
		if got := fmt.Sprint(fields); got != test.want {
			t.Errorf("%d: %s, want %s", test.status, got, test.want)
		}
		if w.start.Status != test.status || w.start.Size != len(w.body) || !w.ended || !same(Parse(w.body, test.status), e) {
			t.Errorf("%d: %+v with %s, ended %t", test.status, w.start, w.body, w.ended)
		}
	}
}

// FuzzProblem goes from an error to its document and back, and reads the document with encoding/json too.
func FuzzProblem(f *testing.F) {
	f.Add(404, uint8(5), int32(0), "no order 7", `{"order":7}`)
	f.Add(400, uint8(3), int32(-1), "", `{"errors":[{"path":"a"}]}`)
	f.Add(500, uint8(0), int32(7), "\u2028\"\\\n", `{"errors": 1}`)
	f.Add(0, uint8(16), int32(1<<31-1), "m", `null`)
	f.Add(200, uint8(99), int32(1), "m", `{"errors":1,"errors":2}`)
	f.Add(200, uint8(1), int32(1), "m", ` "x" `)
	f.Fuzz(func(t *testing.T, status int, code uint8, app int32, message, details string) {
		e := &call.Error{Code: call.Code(code), App: app, Message: message, Details: []byte(details)}
		doc := Append(nil, status, e)
		var members map[string]any
		if err := json.Unmarshal(doc, &members); err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		got := Parse(doc, status)
		if again := Append(nil, status, got); string(again) != string(doc) {
			t.Errorf("%s\nread and written again: %s", doc, again)
		}
		if got.Message != message && utf8.ValidString(message) || got.App != app || got.Code.String() != codeName(e.Code) {
			t.Errorf("%+v came back as %+v", e, got)
		}
		if got.Details != nil && string(got.Details) != strings.Trim(details, " \t\r\n") {
			t.Errorf("details %q came back as %q", details, got.Details)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "x", "{}", `{"code":"not_found","details":{}}`, `{"errors":[1]}`, `{"detail":1}`, "[", "\xff"} {
		f.Add([]byte(seed), http.StatusNotFound)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		e := Parse(body, status)
		if got := Parse(Append(nil, status, e), status); !reflect.DeepEqual(got, e) {
			t.Errorf("%q: %+v came back as %+v", body, e, got)
		}
	})
}
