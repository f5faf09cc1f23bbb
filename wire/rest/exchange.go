package rest

import (
	"errors"
	"sync"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/wire"
)

// ErrStream is returned for a frame that a plain HTTP exchange cannot carry: it has one request and one answer.
var ErrStream = errors.New("rest: an exchange carries one answer and no other messages")

// callID is the ID of the one call of an exchange.
const callID = 1

// Memory that a pooled exchange may keep; what one large request needed goes back to the garbage collector.
const (
	keepMem     = 16 << 10
	keepMembers = 256
)

// exchange is one call by HTTP.
type exchange struct {
	head   call.Head
	mem    []byte       // what the slices below point into
	params []call.Field // what the router found; a scratch list
	fields []call.Field // head.Fields
	text   []call.Field // head.Text
	body   bodyKind
	size   int64 // of the body as announced; -1: not told
	limit  int   // bytes of the body
	over   bool  // the whole request was read, or refused

	start wire.Start   // of the response
	cors  []call.Field // fields of every response to this request
	reply []call.Field // fields of the response
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange() *exchange { return exchanges.Get().(*exchange) }

// Release empties e for its next use.
func (e *exchange) Release() {
	mem := e.mem[:0]
	if cap(mem) > keepMem {
		mem = nil
	}
	*e = exchange{
		mem: mem, params: emptied(e.params), fields: emptied(e.fields), text: emptied(e.text), reply: emptied(e.reply),
	}
	exchanges.Put(e)
}

func emptied(list []call.Field) []call.Field {
	clear(list)
	if cap(list) > keepMembers {
		return nil
	}
	return list[:0]
}

// Recv waits for the whole body and then opens the call, whose Body points into in.
func (e *exchange) Recv(in []byte, end bool, w wire.Writer, f *wire.Frame) (n, want int, err error) {
	if e.over {
		return len(in), 0, nil
	}
	why := e.tooLarge(int64(len(in)))
	if why == nil && !end {
		return 0, max(int(e.size), len(in)+1), nil
	}
	if why == nil && e.body == formBody {
		why = e.addText("form", in)
	}
	e.over = true
	if why != nil {
		why.write(w, e.cors)
		return len(in), 0, nil
	}
	f.Kind, f.End, f.ID, f.Head = wire.Open, true, callID, &e.head
	if e.body != formBody {
		f.Body = in
	}
	return len(in), 0, nil
}

// Send answers by the reply. Nothing else can be sent.
func (e *exchange) Send(f *wire.Frame, w wire.Writer) error {
	switch f.Kind {
	case wire.Reply:
		e.answer(f, w)
		return nil
	case wire.Credit, wire.Cancel:
		return nil
	}
	return ErrStream
}
