package http1

import (
	"fmt"
	"strings"

	"github.com/anywire/anywire/wire"
)

func response(status, body string, fields ...string) string {
	head := fmt.Sprintf("HTTP/1.1 %s\r\nContent-Length: %d\r\n", status, len(body))
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + "\r\n" + body
}

// ok is the response with body.
func ok(body string, fields ...string) string {
	return response("200 OK", body, fields...)
}

func problem(e *Error, fields ...string) string {
	body := string(appendProblem(nil, e))
	status := strings.TrimSuffix(strings.TrimPrefix(string(AppendStatus(nil, e.Status)), "HTTP/1.1 "), "\r\n")
	return response(status, body, append([]string{"Content-Type: application/problem+json"}, fields...)...)
}

func refused(e *Error) string { return problem(e, "Connection: close") }

const echo5 = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"

const chunked5 = "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"

var closes = "Connection: close"

// exchanges are bytes of a client and what the server answers, with how the connection is left.
var exchanges = []struct {
	name, in, out string
	err           error // of the last Recv; nil: the connection goes on
}{
	{"length", echo5, ok("hello"), nil},
	{"field", "POST /echo HTTP/1.1\r\nHOST: h\r\nX:\t v \r\ncontent-length: 1\r\n\r\n!", ok("v!"), nil},
	{"no body", "GET /echo HTTP/1.1\r\nHost: h\r\nX: 1\r\n\r\n", ok("1"), nil},
	{"pipelined", echo5 + echo5 + "GET /echo HTTP/1.1\r\nHost: h\r\n\r\n", ok("hello") + ok("hello") + ok(""), nil},
	{"heads like the last", echo5 + echo5 + "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nfour" + echo5[:len(echo5)-5] + "again",
		ok("hello") + ok("hello") + ok("four") + ok("again"), nil},
	{"chunked like the last", strings.Repeat(chunked5, 2) + echo5 + chunked5, strings.Repeat(ok("hello"), 4), nil},
	{"absolute target like the last", strings.Repeat("POST http://example.org:80/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1", 2),
		ok("1") + ok("1"), nil},
	{"head like the last, refused", echo5 + echo5 + "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n",
		ok("hello") + ok("hello") + refused(errLength), errLength},
	{"blank lines", "\r\n\r\n" + echo5 + "\r\n" + echo5, ok("hello") + ok("hello"), nil},
	{"batch", "POST /batch HTTP/1.1\r\nHost: h\r\nX: =\r\nContent-Length: 6\r\n\r\na,bb,c" + echo5,
		ok("=a,=bb,=c") + ok("hello"), nil},
	{"chunked", "POST /echo HTTP/1.1\r\nHost: h\r\nX: =\r\nTransfer-Encoding: Chunked\r\n\r\n" +
		"3;a=b\r\nabc\r\n0a ; c\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n" + echo5, ok("=abc0123456789") + ok("hello"), nil},
	{"chunked batch", "POST /batch HTTP/1.1\r\nHost: h\r\nX: =\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"2\r\na,\r\n2\r\nb,\r\n0\r\n\r\n", ok("=a,=b"), nil},
	{"absolute target", "POST http://example.org:80/echo?q HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1", ok("1"), nil},
	{"head", "HEAD /echo HTTP/1.1\r\nHost: h\r\nX: abc\r\n\r\n" + echo5, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + ok("hello"), nil},
	{"head of nothing", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", problem(errNotFound)[:len(problem(errNotFound))-len(appendProblem(nil, errNotFound))], nil},
	{"no content", "POST /empty HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1" + echo5,
		"HTTP/1.1 204 No Content\r\n\r\n" + ok("hello"), nil},
	{"unknown size", "POST /stream HTTP/1.1\r\nHost: h\r\nContent-Length: 18\r\n\r\n0123456789abcdef+-" + echo5,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n12\r\n0123456789abcdef+-\r\n0\r\n\r\n" + ok("hello"), nil},
	{"unknown size, 1.0", "POST /stream HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nab",
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nab", wire.ErrEnd},
	{"whole", "POST /whole HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}", ok("{}"), nil},
	{"whole, chunked", "POST /whole HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", ok("{}"), nil},
	{"whole, not its own", "POST /whole HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n[]" + echo5, problem(errNotFound) + ok("hello"), nil},
	{"not found", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n[]" + echo5, problem(errNotFound) + ok("hello"), nil},
	{"options", "OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n", problem(errNotFound), nil},

	{"1.0", "POST /echo HTTP/1.0\r\nContent-Length: 1\r\n\r\n1" + echo5, ok("1", closes), wire.ErrEnd},
	{"1.0 keep-alive", "POST /echo HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\n1" + echo5,
		ok("1", "Connection: keep-alive") + ok("hello"), nil},
	{"close", "POST /echo HTTP/1.1\r\nHost: h\r\nConnection: TE , Close\r\nContent-Length: 1\r\n\r\n1" + echo5, ok("1", closes), wire.ErrEnd},
	{"refused by the exchange", "POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1" + echo5,
		response("400 Bad Request", "") + ok("hello"), nil},
	{"serial", "POST /serial HTTP/1.1\r\nHost: h\r\nX: =\r\nContent-Length: 6\r\n\r\na,bb,c" + echo5, ok("=a,=bb,=c") + ok("hello"), nil},
	{"broken", "POST /broken HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1", refused(errNoAnswer), errFake},
	{"no answer", "POST /none HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1", refused(errNoAnswer), wire.ErrEnd},
	{"short answer", "POST /wrong HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n1", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1", wire.ErrEnd},

	{"bare LF", "POST /echo HTTP/1.1\nHost: h\n\n", refused(errLine), errLine},
	{"bare LF later", "POST /echo HTTP/1.1\r\nHost: h\n\r\n", refused(errLine), errLine},
	{"bare CR", "POST /echo HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", refused(errField), errField},
	{"folded", "POST /echo HTTP/1.1\r\nHost: h\r\n b\r\n\r\n", refused(errField), errField},
	{"space before colon", "POST /echo HTTP/1.1\r\nHost : h\r\n\r\n", refused(errField), errField},
	{"no colon", "POST /echo HTTP/1.1\r\nHost\r\n\r\n", refused(errField), errField},
	{"no name", "POST /echo HTTP/1.1\r\n: h\r\n\r\n", refused(errField), errField},
	{"control", "POST /echo HTTP/1.1\r\nHost: h\r\nA: \x01\r\n\r\n", refused(errField), errField},
	{"no host", "POST /echo HTTP/1.1\r\n\r\n", refused(errHost), errHost},
	{"two hosts", "POST /echo HTTP/1.1\r\nHost: h\r\nhost: h\r\n\r\n", refused(errHost), errHost},
	{"bad host", "POST /echo HTTP/1.1\r\nHost: a@b\r\n\r\n", refused(errHost), errHost},
	{"both framings", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", refused(errBoth), errBoth},
	{"lengths differ", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", refused(errLength), errLength},
	{"length twice", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", refused(errLength), errLength},
	{"length list", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\n", refused(errLength), errLength},
	{"length signed", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n", refused(errLength), errLength},
	{"length endless", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1111111111111111111\r\n\r\n", refused(errLength), errLength},
	{"coding", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", refused(errCoding), errCoding},
	{"coding twice", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", refused(errCoding), errCoding},
	{"coding in 1.0", "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", refused(errOldCoding), errOldCoding},
	{"version 2", "POST /echo HTTP/2.0\r\nHost: h\r\n\r\n", refused(errVersion), errVersion},
	{"version 1.2", "POST /echo HTTP/1.2\r\nHost: h\r\n\r\n", refused(errVersion), errVersion},
	{"no version", "GET /echo\r\n\r\n", refused(errRequest), errRequest},
	{"lower-case version", "GET /echo http/1.1\r\n\r\n", refused(errRequest), errRequest},
	{"two spaces", "GET  /echo HTTP/1.1\r\n\r\n", refused(errRequest), errRequest},
	{"bad method", "G(T /echo HTTP/1.1\r\n\r\n", refused(errRequest), errRequest},
	{"bad target", "GET echo HTTP/1.1\r\n\r\n", refused(errTarget), errTarget},
	{"star", "GET * HTTP/1.1\r\n\r\n", refused(errTarget), errTarget},
	{"fragment", "GET /#a HTTP/1.1\r\n\r\n", refused(errTarget), errTarget},
	{"bad escape", "GET /%4 HTTP/1.1\r\n\r\n", refused(errTarget), errTarget},
	{"user information", "GET http://u@h/ HTTP/1.1\r\n\r\n", refused(errTarget), errTarget},
	{"other scheme", "GET ftp://h/ HTTP/1.1\r\n\r\n", refused(errTarget), errTarget},
	{"too many blank lines", "\r\n\r\n\r\n\r\n\r\n", refused(errRequest), errRequest},
	{"connect", "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n", refused(errConnect), errConnect},
	{"expectation", "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: more\r\n\r\n", refused(errExpect), errExpect},
	{"chunk size", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", refused(errChunk), errChunk},
	{"chunk size, space", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\n", refused(errChunk), errChunk},
	{"chunk too long", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", refused(errChunk), errChunk},
	{"chunk line", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 300), refused(errChunk), errChunk},
	{"trailer", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA b\r\n", refused(errField), errField},
	{"many trailers", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("A: b\r\n", 13), refused(errLargeHead), errLargeHead},
	{"long trailer", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: " + strings.Repeat("b", 600), refused(errLargeHead), errLargeHead},
	{"large chunks", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nffc\r\n", refused(errLargeBody), errLargeBody},
	{"huge chunk", "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n", refused(errLargeBody), errLargeBody},
	{"large body", "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 4097\r\n\r\n", refused(errLargeBody), errLargeBody},
	{"large body expected", "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4097\r\n\r\n", refused(errLargeBody), errLargeBody},
	{"large body of nobody", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4097\r\n\r\n", refused(errNotFound), errNotFound},
	{"long line", "GET /" + strings.Repeat("x", 600), refused(errLongLine), errLongLine},
	{"large head", "GET / HTTP/1.1\r\nHost: h\r\nA: " + strings.Repeat("x", 600), refused(errLargeHead), errLargeHead},
	{"many fields", "GET / HTTP/1.1\r\nHost: h\r\n" + strings.Repeat("A: b\r\n", 12) + "\r\n", refused(errLargeHead), errLargeHead},
	{"head refused", "HEAD /echo HTTP/1.1\r\n\r\n", refused(errHost)[:len(refused(errHost))-len(appendProblem(nil, errHost))], errHost},
}
