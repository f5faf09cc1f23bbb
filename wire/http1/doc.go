// Package http1 is HTTP/1.1 (RFC 9112, RFC 9110) as a pure machine, in both roles. NewServer gives each request to a
// wire.Binding, which reads it as calls; NewClient makes each call or batch one request. The functions ParseX and AppendX
// are the pieces they are built of.
//
// # One exchange at a time
//
// While a request is unanswered the server returns wire.Hold for the bytes behind it. Replies have to keep the order of
// the requests, and an unsafe request must not overlap the one before it (RFC 9112 section 9.3.2), so reading ahead would
// gain nothing but memory to bound. A batch, which is one request, runs its calls concurrently.
//
// # Where the bytes stay
//
// A message stays in front of the received bytes until its exchange has read all of it, then head and body are consumed
// together. So the fields of a head are valid in every frame of the exchange, a body that came with Content-Length is
// never copied, and a connection can be handed to net/http with nothing taken from it. Only a chunked body is copied, since
// its parts have to be joined. Whoever keeps wire.Request.Fields sees valid bytes in every Exchange.Recv: when the driver
// moved the received bytes, the fields are moved along in place.
//
// # What is refused
//
// The parsers are strict where leniency lets two readers of the same bytes disagree: line ends are CRLF, a field is never
// folded, no space stands before its colon, Content-Length and Transfer-Encoding exclude each other and come once. What
// breaks a rule is answered with a problem document (RFC 9457), and the connection ends.
package http1
