package anywire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/anywire/anywire"
	"github.com/anywire/anywire/wire/problem"
)

// errorsLog is a log that can be read while it is written.
type errorsLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *errorsLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *errorsLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *errorsLog) option() anywire.ServerOption {
	return anywire.WithLogger(slog.New(slog.NewJSONHandler(l, nil)))
}

var errorsMessages = []string{
	"plain", `quote " backslash \ slash / <&>`, "line\nbreak\r\n\ttab", "é 世 😀 \u2028\u2029\ufeff", "\x00\x01\x1f\x7f", strings.Repeat("long ", 2000),
}

// errorsAll returns every code with every kind of application code, details and message.
func errorsAll() (all []*anywire.Error) {
	for code := anywire.Canceled; code <= anywire.Unauthenticated; code++ {
		for _, app := range []int32{0, 1207, -1, -32000 - int32(code), -32005, -32602, -32600, -32700, 1<<31 - 1, -1 << 31} {
			for i, message := range errorsMessages {
				e := anywire.Errorf(code, "%s", message).WithApp(app)
				if i%2 == 0 {
					e = e.WithDetails(map[string]any{"order": 7, "text": message, "list": []any{1.5, nil, true}})
				}
				all = append(all, e)
			}
		}
	}
	return append(all, anywire.Errorf(anywire.NotFound, "x").WithDetails([]int{1}), anywire.Errorf(anywire.NotFound, "x").WithDetails("text"),
		anywire.Errorf(anywire.InvalidArgument, "x").WithDetails(map[string]any{"errors": []string{"a"}}))
}

func errorsSame(t *testing.T, got error, want *anywire.Error) {
	t.Helper()
	var e *anywire.Error
	if !errors.As(got, &e) {
		t.Errorf("got %v, want %v", got, want)
		return
	}
	if e.Code != want.Code || e.App != want.App || e.Message != want.Message || string(e.Details) != string(want.Details) {
		t.Errorf("got  {%v %d %.60q %.60s}\nwant {%v %d %.60q %.60s}",
			e.Code, e.App, e.Message, e.Details, want.Code, want.App, want.Message, want.Details)
	}
}

func TestErrorsTravel(t *testing.T) {
	all := errorsAll()
	srv := anywire.NewServer()
	srv.Handle("fail", func(i int) error { return all[i] }, anywire.Params("i"), anywire.ReadOnly())
	addr := serve(t, srv)
	for _, scheme := range []string{"tcp://", "http://"} {
		t.Run(scheme[:4], func(t *testing.T) {
			c := clientDial(t, scheme+addr)
			for i, want := range all {
				errorsSame(t, c.Call(clientContext(t), "fail", i, nil), want)
			}
		})
	}
	t.Run("rest", func(t *testing.T) {
		for i, want := range all {
			res, err := http.Get(fmt.Sprintf("http://%s/fail?i=%d", addr, i))
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			if res.StatusCode != problem.Status(want.Code) || res.Header.Get("Content-Type") != problem.MediaType {
				t.Errorf("%v: status %d, type %q", want, res.StatusCode, res.Header.Get("Content-Type"))
			}
			errorsSame(t, problem.Parse(body, res.StatusCode), want)
		}
	})
}

// errorsTell calls the method of that name in every way and returns all that came back, by way.
func errorsTell(t *testing.T, addr, method string) map[string]string {
	t.Helper()
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q}`, method)
	told := map[string]string{"stream": exchange(t, addr, request)}
	for way, path := range map[string]string{"http": "/", "rest": "/" + method} {
		body := request
		if way == "rest" {
			body = ""
		}
		res, err := http.Post("http://"+addr+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		told[way] = string(text)
	}
	return told
}

// errorsSecret is a text that must not travel.
const errorsSecret = "password hunter2"

func errorsLeaky(opts ...anywire.ServerOption) *anywire.Server {
	srv := anywire.NewServer(opts...)
	plain := errors.New(errorsSecret)
	srv.Handle("plain", func() error { return plain })
	srv.Handle("wrapped", func() (int, error) { return 5, fmt.Errorf("reading %s: %w", errorsSecret, plain) })
	srv.Handle("joined", func() error { return errors.Join(plain, io.EOF) })
	srv.Handle("panic", func() int { panic(plain) })
	var nilMap map[string]int
	srv.Handle("nilmap", func() { nilMap[errorsSecret] = 1 })
	srv.HandleRaw("raw", func(c *anywire.CallInfo) { c.Fail(plain) })
	srv.Handle("intercepted", func() {}, anywire.Use(func(anywire.Handler) anywire.Handler {
		return func(context.Context, *anywire.CallInfo) error { return plain }
	}))
	return srv
}

func TestErrorsDoNotLeak(t *testing.T) {
	var log errorsLog
	addr := serve(t, errorsLeaky(log.option()))
	id := regexp.MustCompile(`id ([0-9a-f]{16})`)
	for _, method := range []string{"plain", "wrapped", "joined", "panic", "raw", "intercepted"} {
		for way, told := range errorsTell(t, addr, method) {
			if strings.Contains(told, "hunter2") || strings.Contains(told, "goroutine") {
				t.Errorf("%s by %s leaks: %s", method, way, told)
			}
			found := id.FindStringSubmatch(told)
			if found == nil {
				t.Errorf("%s by %s tells no id: %s", method, way, told)
				continue
			}
			line := errorsLine(log.String(), found[1])
			if !strings.Contains(line, errorsSecret) || !strings.Contains(line, method) {
				t.Errorf("%s by %s: the log says under the id %q", method, way, line)
			}
		}
	}
	for way, told := range errorsTell(t, addr, "nilmap") {
		if strings.Contains(told, "nil map") || !id.MatchString(told) {
			t.Errorf("nilmap by %s: %s", way, told)
		}
	}
	if !strings.Contains(log.String(), `"stack":`) {
		t.Error("the log has no stack of a panic")
	}
}

func errorsLine(log, id string) string {
	for line := range strings.Lines(log) {
		if strings.Contains(line, id) {
			return line
		}
	}
	return ""
}

func TestErrorsCodesOfPlainOnes(t *testing.T) {
	var log errorsLog
	c := clientDial(t, serve(t, errorsLeaky(log.option())))
	for method, code := range map[string]anywire.Code{
		"plain": anywire.Unknown, "wrapped": anywire.Unknown, "panic": anywire.Internal, "nilmap": anywire.Internal, "raw": anywire.Unknown,
	} {
		clientWant(t, c.Call(clientContext(t), method, nil, nil), code)
	}
}

func TestExposeErrors(t *testing.T) {
	var log errorsLog
	addr := serve(t, errorsLeaky(log.option(), anywire.ExposeErrors()))
	for _, method := range []string{"plain", "wrapped", "panic", "raw"} {
		for way, told := range errorsTell(t, addr, method) {
			if !strings.Contains(told, "hunter2") {
				t.Errorf("%s by %s: %s", method, way, told)
			}
		}
	}
}

// TestErrorsWrapped has errors made for the wire below texts that are not.
func TestErrorsWrapped(t *testing.T) {
	made := anywire.Errorf(anywire.NotFound, "no order 7").WithApp(3).WithDetails(map[string]int{"order": 7})
	srv := anywire.NewServer()
	srv.Handle("wrapped", func() error { return fmt.Errorf("%s: %w", errorsSecret, made) })
	srv.Handle("caused", func() error { return made.WithCause(errors.New(errorsSecret)) })
	srv.Handle("code", func() error { return anywire.NotFound })
	srv.Handle("wrappedcode", func() error { return fmt.Errorf("%s: %w", errorsSecret, anywire.NotFound) })
	srv.Handle("late", func() error { return context.DeadlineExceeded })
	srv.Handle("left", func() error { return fmt.Errorf("%s: %w", errorsSecret, context.Canceled) })
	addr := serve(t, srv)
	for method, code := range map[string]anywire.Code{
		"wrapped": anywire.NotFound, "caused": anywire.NotFound, "code": anywire.NotFound, "wrappedcode": anywire.NotFound,
		"late": anywire.DeadlineExceeded, "left": anywire.Canceled,
	} {
		for way, told := range errorsTell(t, addr, method) {
			if strings.Contains(told, "hunter2") {
				t.Errorf("%s by %s leaks: %s", method, way, told)
			}
		}
		for _, scheme := range []string{"tcp://", "http://"} {
			clientWant(t, clientDial(t, scheme+addr).Call(clientContext(t), method, nil, nil), code)
		}
	}
	errorsSame(t, clientDial(t, addr).Call(clientContext(t), "wrapped", nil, nil), made)
}

func TestErrorsIsAndAs(t *testing.T) {
	srv := anywire.NewServer()
	srv.Handle("fail", func() error {
		return anywire.Errorf(anywire.FailedPrecondition, "not yet").WithApp(4).WithDetails(map[string]int{"wait": 9})
	})
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		err := fmt.Errorf("calling: %w", c.Call(clientContext(t), "fail", nil, nil))
		if !errors.Is(err, anywire.FailedPrecondition) || errors.Is(err, anywire.NotFound) {
			t.Errorf("errors.Is: %v", err)
		}
		var e *anywire.Error
		var details struct{ Wait int }
		if !errors.As(err, &e) || e.App != 4 || e.Message != "not yet" || e.Decode(&details) != nil || details.Wait != 9 {
			t.Errorf("errors.As: %+v, %+v", e, details)
		}
	})
}

// TestErrorsPanic calls on after panics, those of types that decode and encode themselves among them.
func TestErrorsPanic(t *testing.T) {
	var log errorsLog
	srv := sumServer(log.option())
	srv.Handle("panic", func() { panic("boom") })
	srv.Handle("goexit", func() { panic(http.ErrAbortHandler) })
	srv.Handle("decode", func(errorsBomb) {})
	srv.Handle("encode", func() errorsBomb { return errorsBomb{} })
	srv.Handle("admit", func() {}, anywire.Admit(func(*anywire.Head) error { panic("boom") }))
	clientEach(t, srv, func(t *testing.T, c *anywire.Client) {
		for _, method := range []string{"panic", "goexit", "decode", "encode", "admit"} {
			clientWant(t, c.Call(clientContext(t), method, []int{1}[:errorsArity(method)], nil), anywire.Internal, "id")
		}
		if n, err := anywire.Call[int](clientContext(t), c, "sum", []int{1, 2}); n != 3 || err != nil {
			t.Errorf("after the panics: %d, %v", n, err)
		}
	})
}

func errorsArity(method string) int {
	if method == "decode" {
		return 1
	}
	return 0
}

// errorsBomb panics whenever it meets JSON.
type errorsBomb struct{}

func (errorsBomb) MarshalJSON() ([]byte, error)  { panic("boom") }
func (*errorsBomb) UnmarshalJSON(b []byte) error { panic("boom") }

var _ json.Marshaler = errorsBomb{}
