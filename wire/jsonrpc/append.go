package jsonrpc

import (
	"strconv"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

var null = []byte("null")

// answer is a response in three pieces, so that a large result is never copied to join them.
type answer struct {
	head []byte
	body []byte // the result; borrowed or counted by the frame's Buf
	tail []byte
}

func (a *answer) size() int { return len(a.head) + len(a.body) + len(a.tail) }

// bytes joins the pieces in memory of their own.
func (a *answer) bytes() []byte {
	dst := make([]byte, 0, a.size())
	dst = append(dst, a.head...)
	dst = append(dst, a.body...)
	return append(dst, a.tail...)
}

// render makes the answer that f gives to the call with that id. Head and tail lie in the scratch memory of f.
func render(id []byte, meta bool, f *wire.Frame) answer {
	w := f.Scratch()
	head := appendResponse(w.Out[:0], id)
	if f.Err != nil {
		head = append(head, `"error":`...)
		head = AppendError(head, f.Err)
	} else {
		head = append(head, `"result":`...)
	}
	tail := head[len(head):]
	if meta && len(f.Meta) > 0 {
		tail = append(tail, `,"meta":`...)
		tail = appendMeta(tail, 0, f.Meta)
	}
	tail = append(tail, '}')
	w.Out = head
	a := answer{head: head, tail: tail}
	if f.Err == nil {
		a.body = f.Body
		if len(a.body) == 0 {
			a.body = null
		}
	}
	return a
}

func appendResponse(dst, id []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = append(dst, id...)
	return append(dst, ',')
}

// refusal renders the error response with one of the specification's own numbers.
func refusal(id []byte, number int, message string) []byte {
	dst := appendResponse(make([]byte, 0, 128), id)
	dst = append(dst, `"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(number), 10)
	dst = append(dst, `,"message":`...)
	dst = json.AppendString(dst, message)
	return append(dst, "}}"...)
}

// appendRequest appends the request that an Open frame of ours makes: a notification where its ID is 0.
func appendRequest(dst []byte, f *wire.Frame) []byte {
	dst = append(dst, `{"jsonrpc":"2.0",`...)
	if f.ID != 0 {
		dst = append(dst, `"id":`...)
		dst = strconv.AppendUint(dst, f.ID, 10)
		dst = append(dst, ',')
	}
	dst = append(dst, `"method":`...)
	dst = json.AppendStringBytes(dst, f.Head.Method)
	if len(f.Body) > 0 {
		dst = append(dst, `,"params":`...)
		dst = append(dst, f.Body...)
	}
	if f.Head.Timeout > 0 || len(f.Meta) > 0 {
		dst = append(dst, `,"meta":`...)
		dst = appendMeta(dst, roundUp(f.Head.Timeout), f.Meta)
	}
	return append(dst, '}')
}

// roundUp keeps a deadline readable on the wire: whole milliseconds, never earlier than meant.
func roundUp(d time.Duration) time.Duration {
	return (d + time.Millisecond - 1) / time.Millisecond * time.Millisecond
}

func appendCancel(dst []byte, id uint64) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":`...)
	dst = strconv.AppendUint(dst, id, 10)
	return append(dst, "}}"...)
}

// received turns a response into the Reply frame of the call it answers; id is that call's number.
func received(m *Message, id uint64, f *wire.Frame) {
	f.Kind, f.Ours, f.End, f.ID = wire.Reply, true, true, id
	switch {
	case m.Error != nil && m.Result != nil && json.Kind(m.Error) != 'n':
		f.Err = call.Errorf(call.Internal, "the answer breaks JSON-RPC 2.0: it has both a result and an error")
	case m.Error == nil && m.Result == nil:
		f.Err = call.Errorf(call.Internal, "the answer breaks JSON-RPC 2.0: it has neither a result nor an error")
	case m.Result == nil:
		f.Err, _ = ParseError(m.Error)
		if f.Err == nil {
			f.Err = call.Errorf(call.Internal, "the answer breaks JSON-RPC 2.0: its error is no object with a numeric code")
		}
	default:
		f.Body = m.Result
	}
	if m.Meta != nil {
		var w wire.Scratch
		readMeta(&w, m.Meta)
		f.Meta = call.MetaOf(w.Fields)
	}
}
