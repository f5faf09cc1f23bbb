package anywire_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// foreignServer runs answer for each connection, as a server that is not ours.
func foreignServer(t *testing.T, answer func(nc net.Conn, in *bufio.Reader)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer nc.Close()
				answer(nc, bufio.NewReader(nc))
			}()
		}
	}()
	return l.Addr().String()
}

// foreignStream reads one JSON value, writes text and leaves the connection open until the client closes it, unless cut.
func foreignStream(t *testing.T, text string, cut bool) (addr string) {
	return foreignServer(t, func(nc net.Conn, in *bufio.Reader) {
		var request json.RawMessage
		d := json.NewDecoder(in)
		if d.Decode(&request) != nil {
			return
		}
		io.WriteString(nc, text)
		for !cut && d.Decode(&request) == nil {
		}
	})
}

// foreignHTTP reads one request, writes text and leaves the connection open until the client closes it, unless cut.
func foreignHTTP(t *testing.T, text string, cut bool) (addr string) {
	return foreignServer(t, func(nc net.Conn, in *bufio.Reader) {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		io.Copy(io.Discard, r.Body)
		io.WriteString(nc, text)
		if !cut {
			io.Copy(io.Discard, in)
		}
	})
}

func foreignResponse(status int, mediaType, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		status, http.StatusText(status), mediaType, len(body), body)
}

// foreignCall calls a method that the server at addr answers wrongly, and wants an error in no time.
func foreignCall(t *testing.T, addr string) (any, error) {
	t.Helper()
	c := clientDial(t, addr)
	start := time.Now()
	out, err := anywire.Call[any](clientContext(t), c, "m", nil)
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("the error took %v", took)
	}
	return out, err
}

func TestForeignStream(t *testing.T) {
	tests := []struct {
		name, answer string
		cut          bool
		code         anywire.Code
		words        []string
	}{
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":5,"error":{"code":1,"message":"x"}}`, false,
			anywire.Internal, []string{"both a result and an error"}},
		{"neither", `{"jsonrpc":"2.0","id":1}`, false, anywire.Internal, []string{"neither"}},
		{"error no object", `{"jsonrpc":"2.0","id":1,"error":"bad"}`, false, anywire.Internal, []string{"error is no object"}},
		{"error without code", `{"jsonrpc":"2.0","id":1,"error":{"message":"x"}}`, false, anywire.Internal, []string{"numeric code"}},
		{"huge code", `{"jsonrpc":"2.0","id":1,"error":{"code":5000000000,"message":"x"}}`, false, anywire.Unknown, []string{"x"}},
		{"code of its own", `{"jsonrpc":"2.0","id":1,"error":{"code":1207,"message":"sold out"}}`, false, anywire.Unknown, []string{"1207", "sold out"}},
		{"unknown id", `{"jsonrpc":"2.0","id":77,"result":5}`, false, anywire.Unavailable, nil},
		{"text id", `{"jsonrpc":"2.0","id":"1","result":5}`, false, anywire.Unavailable, nil},
		{"null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}`, false, anywire.Unavailable, nil},
		{"garbage", "hello\n", false, anywire.Unavailable, nil},
		{"binary garbage", "\x00\xff\x00\xff", false, anywire.Unavailable, nil},
		{"HTTP", foreignResponse(400, "text/plain", "what?"), false, anywire.Unavailable, nil},
		{"closing", "", true, anywire.Unavailable, []string{"lost"}},
		{"closing mid-answer", `{"jsonrpc":"2.0","id":1,"resu`, true, anywire.Unavailable, []string{"lost"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := foreignCall(t, "tcp://"+foreignStream(t, tt.answer, tt.cut))
			if err == nil {
				t.Fatalf("no error, but %v", out)
			}
			clientWant(t, err, tt.code, tt.words...)
		})
	}
}

// TestForeignStreamGood has answers that are unusual and right.
func TestForeignStreamGood(t *testing.T) {
	for _, answer := range []string{
		`{"id":1,"result":5,"jsonrpc":"2.0","extra":[1]}`,
		` {"jsonrpc":"2.0","result":5,"error":null,"id":1}`,
		`{"jsonrpc":"2.0","method":"note","params":[1]}{"jsonrpc":"2.0","id":1,"result":5}`,
		`{"jsonrpc":"2.0","id":9,"method":"ask"}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":5}`,
		`[{"jsonrpc":"2.0","id":1,"result":5}]`,
	} {
		if out, err := foreignCall(t, "tcp://"+foreignStream(t, answer, false)); out != 5.0 || err != nil {
			t.Errorf("%s: %v, %v", answer, out, err)
		}
	}
}

func TestForeignHTTP(t *testing.T) {
	const jsonType = "application/json"
	tests := []struct {
		name, answer string
		cut          bool
		code         anywire.Code
		words        []string
	}{
		{"problem", foreignResponse(503, "application/problem+json", `{"title":"Down","status":503,"detail":"back soon","code":"unavailable","app_code":9}`),
			false, anywire.Unavailable, []string{"(9)", "back soon"}},
		{"foreign problem", foreignResponse(404, "application/problem+json", `{"title":"Nope","detail":"no page"}`), false, anywire.NotFound, []string{"no page"}},
		{"text", foreignResponse(403, "text/plain", "keep out"), false, anywire.PermissionDenied, []string{"keep out"}},
		{"page", foreignResponse(502, "text/html", "<html>Bad Gateway</html>"), false, anywire.Unavailable, []string{"Bad Gateway"}},
		{"empty 500", foreignResponse(500, "text/plain", ""), false, anywire.Unknown, []string{"Internal Server Error"}},
		{"redirect", foreignResponse(302, "text/plain", ""), false, anywire.Unknown, []string{"Found"}},
		{"no JSON", foreignResponse(200, jsonType, "hello"), false, anywire.Internal, []string{"200", "no JSON"}},
		{"empty", foreignResponse(200, jsonType, ""), false, anywire.Internal, []string{"no answer"}},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\n", false, anywire.Internal, []string{"no answer"}},
		{"scalar", foreignResponse(200, jsonType, "5"), false, anywire.Internal, []string{"no answer"}},
		{"other id", foreignResponse(200, jsonType, `{"jsonrpc":"2.0","id":77,"result":5}`), false, anywire.Internal, []string{"no answer"}},
		{"null id", foreignResponse(200, jsonType, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad JSON"}}`),
			false, anywire.Internal, []string{"bad JSON"}},
		{"both", foreignResponse(200, jsonType, `{"jsonrpc":"2.0","id":1,"result":5,"error":{"code":1,"message":"x"}}`),
			false, anywire.Internal, []string{"both a result and an error"}},
		{"neither", foreignResponse(200, jsonType, `{"jsonrpc":"2.0","id":1}`), false, anywire.Internal, []string{"neither"}},
		{"garbage", "hello world\r\n\r\n", false, anywire.Unavailable, nil},
		{"garbled length", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", false, anywire.Unavailable, nil},
		{"closing", "", true, anywire.Unavailable, []string{"lost"}},
		{"closing in the head", "HTTP/1.1 200 OK\r\nContent-", true, anywire.Unavailable, []string{"lost"}},
		{"closing in the body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", true, anywire.Unavailable, []string{"lost"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := foreignCall(t, "http://"+foreignHTTP(t, tt.answer, tt.cut)+"/rpc")
			if err == nil {
				t.Fatalf("no error, but %v", out)
			}
			clientWant(t, err, tt.code, tt.words...)
		})
	}
}

func TestForeignHTTPGood(t *testing.T) {
	const answer = `{"jsonrpc":"2.0","id":1,"result":5}`
	for _, response := range []string{
		foreignResponse(200, "application/json", answer),
		foreignResponse(202, "text/plain; charset=utf-8", " "+answer+"\n"),
		"HTTP/1.1 100 Continue\r\n\r\n" + foreignResponse(200, "application/json", answer),
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n" + answer[:5] + "\r\n1e\r\n" + answer[5:] + "\r\n0\r\n\r\n",
	} {
		if out, err := foreignCall(t, "http://"+foreignHTTP(t, response, false)); out != 5.0 || err != nil {
			t.Errorf("%q: %v, %v", response, out, err)
		}
	}
	const untilClose = "HTTP/1.0 200 OK\r\n\r\n" + answer
	if out, err := foreignCall(t, "http://"+foreignHTTP(t, untilClose, true)); out != 5.0 || err != nil {
		t.Errorf("%q: %v, %v", untilClose, out, err)
	}
}

// TestForeignBatch looks at the bytes of a batch, and leaves answers out.
func TestForeignBatch(t *testing.T) {
	const answer = `[{"jsonrpc":"2.0","id":2,"result":"second"},{"jsonrpc":"2.0","id":99,"result":"nobody's"}]`
	requests := make(chan string, 9)
	stream := foreignServer(t, func(nc net.Conn, in *bufio.Reader) {
		var request json.RawMessage
		for d := json.NewDecoder(in); d.Decode(&request) == nil; {
			requests <- string(request)
			io.WriteString(nc, answer)
		}
	})
	web := foreignServer(t, func(nc net.Conn, in *bufio.Reader) {
		for {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(r.Body)
			requests <- string(body)
			io.WriteString(nc, foreignResponse(200, "application/json", answer))
		}
	})
	for _, addr := range []string{"tcp://" + stream, "http://" + web} {
		t.Run(addr[:4], func(t *testing.T) {
			c := clientDial(t, addr)
			batch := make([]*anywire.Request, 3)
			for i := range batch {
				batch[i] = &anywire.Request{Method: "m", In: i, Out: new(string), Notify: i == 1}
			}
			if err := c.Batch(clientContext(t), batch...); err == nil {
				t.Error("an answer is missing, yet there is no error")
			}
			foreignBatchBytes(t, <-requests)
			if len(requests) > 0 {
				t.Errorf("more was sent: %s", <-requests)
			}
			foreignBatchAnswers(t, batch)
		})
	}
}

func foreignBatchBytes(t *testing.T, sent string) {
	t.Helper()
	var array []struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal([]byte(sent), &array); err != nil || len(array) != 3 {
		t.Fatalf("sent %s: %v", sent, err)
	}
	notifications := 0
	for _, r := range array {
		if r.ID == nil {
			notifications++
		}
	}
	if notifications != 1 || strings.Count(sent, `"jsonrpc":"2.0"`) != 3 {
		t.Errorf("sent %s", sent)
	}
}

// foreignBatchAnswers wants one answer, one error and nothing for the notification.
func foreignBatchAnswers(t *testing.T, batch []*anywire.Request) {
	t.Helper()
	answers, failures := 0, 0
	for _, r := range batch {
		switch {
		case r.Notify && r.Err != nil:
			t.Errorf("the notification: %v", r.Err)
		case r.Notify:
		case r.Err != nil:
			failures++
		case *r.Out.(*string) == "second":
			answers++
		}
	}
	if answers != 1 || failures != 1 {
		t.Errorf("%d answers and %d failures, want one each", answers, failures)
	}
}

// TestForeignSilence has a server that never answers: only the caller's context ends the call.
func TestForeignSilence(t *testing.T) {
	for _, addr := range []string{"tcp://" + foreignStream(t, "", false), "http://" + foreignHTTP(t, "", false)} {
		c := clientDial(t, addr)
		done := make(chan *anywire.Request, 1)
		c.Go(clientContext(t), &anywire.Request{Method: "m"}, done)
		select {
		case r := <-done:
			t.Errorf("%s: ended with %v", addr, r.Err)
		case <-time.After(50 * time.Millisecond):
		}
		c.Close()
		if r := <-done; !errors.Is(r.Err, anywire.Unavailable) {
			t.Errorf("%s: Close ended the call with %v", addr, r.Err)
		}
	}
}
