package jsonrpc

import (
	"slices"
	"strconv"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/wire"
)

const notJSON = "Invalid JSON was received by the server."

// core is the protocol apart from how its values are framed: it turns values into frames and frames into answers. The
// stream machine and the HTTP exchange each put one into their framing.
type core struct {
	limits *wire.Limits
	duplex bool // the peer answers calls of ours on the same connection, and may cancel its own
	slots  slots
	issued uint64 // highest number of a call of ours

	held  int    // bytes of answers that wait for the rest of their batch
	batch *batch // the array that is being read; nil: none
	left  int    // bytes of it not yet read

	refuse *call.Error // set while draining: answers every new call
}

func newCore(l *wire.Limits, duplex bool) core {
	return core{limits: l, duplex: duplex, slots: newSlots(!duplex)}
}

// begin reads one valid JSON value: it fills f, or begins a batch, or returns an answer to write.
func (c *core) begin(v []byte, f *wire.Frame) (own []byte) {
	if json.Kind(v) != '[' {
		return c.request(v, f)
	}
	items := 0
	for range json.Items(v) {
		items++
	}
	switch {
	case items == 0:
		return refusal(null, invalidRequest, "The batch is empty.")
	case items > c.limits.BatchItems:
		text := "The batch has more than " + strconv.Itoa(c.limits.BatchItems) + " requests."
		return append(append([]byte{'['}, refusal(null, invalidRequest, text)...), ']')
	}
	c.batch = &batch{}
	c.left = len(v)
	return nil
}

// item reads the next request of the batch from in, which begins with what is left of the array, its opening bracket gone. It returns the bytes
// that it consumed; when they were the last ones, done is the batch if all its answers are in.
func (c *core) item(in []byte, f *wire.Frame) (n int, done *batch) {
	b := c.batch
	in = in[:c.left]
	start := 0
	for start < len(in)-1 && punctuation(in[start]) {
		start++
	}
	if in[start] == ']' {
		c.batch, c.left, b.read = nil, 0, true
		if b.done() {
			return len(in), b
		}
		return len(in), nil
	}
	end := json.End(in[start:])
	n = start + end
	c.left -= n
	if own := c.request(in[start:n], f); own != nil {
		c.keep(b, b.add(), own)
	}
	return n, nil
}

func punctuation(c byte) bool {
	return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

// request reads one request or response: it fills f or returns an answer to write.
func (c *core) request(v []byte, f *wire.Frame) (own []byte) {
	if json.Kind(v) != '{' {
		return refusal(null, invalidRequest, "The JSON sent is not a valid request object.")
	}
	m := ParseMessage(v)
	return c.message(&m, f)
}

// message acts on the object m.
func (c *core) message(m *Message, f *wire.Frame) (own []byte) {
	if c.duplex && (m.response() || m.Method == nil && c.ours(m.ID) != 0) {
		c.response(m, f)
		return nil
	}
	if why := m.check(); why != "" {
		return refusal(m.answerID(), invalidRequest, why)
	}
	name := methodName(f.Scratch(), m)
	if c.duplex && isCancel(name) {
		return c.cancel(m, f)
	}
	return c.open(m, name, f)
}

// methodName decodes the method's token without copying where it has no escapes.
func methodName(w *wire.Scratch, m *Message) []byte {
	w.Text = w.Text[:0]
	inner := m.Method[1 : len(m.Method)-1]
	for _, b := range inner {
		if b == '\\' {
			w.Text = json.AppendUnquoted(slices.Grow(w.Text, len(m.Method)+len(m.Meta)), m.Method)
			return w.Text
		}
	}
	return inner
}

func isCancel(name []byte) bool {
	return string(name) == "$/cancelRequest" || string(name) == "rpc.cancel"
}

// open fills f with the call that m makes.
func (c *core) open(m *Message, name []byte, f *wire.Frame) (own []byte) {
	if m.ID != nil && c.duplex && c.batch == nil && c.slots.find(m.ID) != 0 {
		return refusal(m.ID, invalidRequest, "A request with this id is being answered already.")
	}
	if c.refuse != nil {
		if m.ID == nil {
			return nil
		}
		a := render(m.ID, false, &wire.Frame{Err: c.refuse})
		return a.bytes()
	}
	w := f.Scratch()
	w.Fields = w.Fields[:0]
	w.Head = call.Head{Method: name, Wire: "jsonrpc", Codec: call.JSON, Valid: true}
	if m.Meta != nil {
		w.Head.Timeout = readMeta(w, m.Meta)
		w.Head.Fields = w.Fields
	}
	f.Kind, f.End, f.Head, f.Body = wire.Open, true, &w.Head, m.Params
	if m.ID == nil {
		return nil
	}
	id, s := c.slots.open(m.ID)
	s.meta = m.Meta != nil
	if c.batch != nil {
		s.batch, s.index = c.batch, c.batch.add()
		c.batch.waiting++
	}
	f.ID = id
	return nil
}

// response fills f with the answer that m brings to a call of ours. One without an id of ours speaks of the whole
// connection: ID 0.
func (c *core) response(m *Message, f *wire.Frame) {
	n := c.ours(m.ID)
	received(m, n, f)
	if n == 0 && f.Err == nil {
		f.Err = call.Errorf(call.Internal, "the peer answered a call that was never made")
		f.Body = nil
	}
}

// ours returns the number of the call of ours that id names, or 0.
func (c *core) ours(id []byte) uint64 {
	n, ok := json.Uint64(id)
	if !ok || n > c.issued {
		return 0
	}
	return n
}

// cancel reads {"id": X} or [X] and fills f. Sent as a call it is answered with whether X was in flight.
func (c *core) cancel(m *Message, f *wire.Frame) (own []byte) {
	found := false
	if id := cancelID(m.Params); id != nil {
		if n := c.slots.find(id); n != 0 {
			f.Kind, f.ID = wire.Cancel, n
			found = true
		}
	}
	if m.ID == nil {
		return nil
	}
	dst := append(appendResponse(nil, m.ID), `"result":`...)
	return append(strconv.AppendBool(dst, found), '}')
}

func cancelID(params []byte) (id []byte) {
	switch json.Kind(params) {
	case '{':
		for key, value := range json.Members(params) {
			if json.KeyIs(key, "id") {
				return value
			}
		}
	case '[':
		for value := range json.Items(params) {
			return value
		}
	}
	return nil
}

// answer takes the Reply f. It returns the answer of a single call, or the batch that f completed, or neither. The
// answer's pieces are valid as long as the scratch memory of f.
func (c *core) answer(f *wire.Frame) (a answer, done *batch) {
	s := c.slots.get(f.ID)
	if s == nil {
		return answer{}, nil
	}
	a = render(s.id, s.meta, f)
	if b := s.batch; b != nil {
		c.collect(b, s, &a)
		a = answer{}
		if b.done() {
			done = b
		}
	}
	c.slots.close(f.ID)
	return a, done
}

// collect keeps an answer for its batch, or a short refusal once the batch has grown past its limit.
func (c *core) collect(b *batch, s *slot, a *answer) {
	b.waiting--
	if b.size+a.size() <= c.limits.BatchReplyBytes {
		c.keep(b, s.index, a.bytes())
		return
	}
	large := wire.Frame{Err: call.Errorf(call.ResourceExhausted,
		"the answers of the batch exceed %d bytes; ask for less in one batch", c.limits.BatchReplyBytes)}
	short := render(s.id, false, &large)
	c.keep(b, s.index, short.bytes())
}

// keep puts an answer into its place in a batch.
func (c *core) keep(b *batch, i int, answer []byte) {
	b.set(i, answer)
	c.held += len(answer)
}

// array ends a batch and returns its answers.
func (c *core) array(b *batch) []byte {
	c.held -= b.held
	return b.array()
}

// idle reports whether the peer has no call without an answer.
func (c *core) idle() bool { return c.slots.used == 0 && c.batch == nil }
