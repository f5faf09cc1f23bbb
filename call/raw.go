package call

import (
	"unicode/utf8"

	"github.com/anywire/anywire/codec/base64"
	"github.com/anywire/anywire/codec/json"
)

// keepRaw bounds the memory for arguments that a Call keeps from one use to the next.
const keepRaw = 64 << 10

// rawArgs are the undecoded arguments of a raw call and how it went.
type rawArgs struct {
	mem   []byte  // what body and text point into; kept for the next call
	body  []byte  // a JSON array or object, or empty; with plain, anything
	plain bool    // body is no JSON
	text  []Field // arguments that came beside the body
	err   error   // the first failure
}

// SetRaw is for the package that decodes: it copies the arguments for the methods below into memory of the call. body must
// be valid JSON unless h says that it is plain.
func (c *Call) SetRaw(h *Head, body []byte) {
	r := &c.raw
	size := len(body)
	for _, f := range h.Text {
		size += len(f.Name) + len(f.Value)
	}
	if cap(r.mem) < size { // before the first copy, because a move would part the copies from their memory
		r.mem = make([]byte, 0, size)
	}
	r.mem, r.text, r.plain, r.err = r.mem[:0], r.text[:0], h.Codec == Raw, nil
	r.body = r.keep(body)
	for _, f := range h.Text {
		r.text = append(r.text, Field{r.keep(f.Name), r.keep(f.Value)})
	}
}

func (r *rawArgs) keep(b []byte) []byte {
	start := len(r.mem)
	r.mem = append(r.mem, b...)
	return r.mem[start:len(r.mem):len(r.mem)]
}

// keepBody bounds the memory for results that a Call keeps from one use to the next.
const keepBody = 4 << 10

// Reset makes c ready for another call: everything is empty, but small memory for raw arguments and results is kept.
func (c *Call) Reset() {
	c.resetBody()
	c.raw.reset()
	c.Method, c.Wire, c.Notify, c.Codec = "", "", false, JSON
	c.Peer, c.Meta, c.Trailer = nil, nil, nil
	c.In, c.Out, c.values = nil, nil, nil
}

// resetBody keeps the memory of Body for the next result, unless it is large or someone else holds it.
func (c *Call) resetBody() {
	b := c.Body
	c.Body = nil
	if b == nil {
		return
	}
	if c.spare != nil || cap(b.B) > keepBody || b.Shared() {
		b.Release()
		return
	}
	b.B = b.B[:0]
	c.spare = b
}

func (r *rawArgs) reset() {
	if cap(r.mem) > keepRaw {
		r.mem = nil
	}
	r.mem, r.text, r.body, r.plain, r.err = r.mem[:0], r.text[:0], nil, false, nil
}

// The arguments of a raw call are asked for by name and by position, from 0, whichever the caller used; a negative position
// stands for none. The first one that is missing or of another type makes the call fail: Err tells it, what follows returns
// zero values, and no reply is kept. They serve functions given to HandleRaw alone.

// Int64 returns an integer.
func (c *Call) Int64(name string, pos int) int64 {
	value, _, ok := c.need(name, pos, "integer")
	if !ok {
		return 0
	}
	v, ok := json.Int64(value)
	c.check(ok, name, "integer", value)
	return v
}

// Float64 returns a number.
func (c *Call) Float64(name string, pos int) float64 {
	value, text, ok := c.need(name, pos, "number")
	if !ok {
		return 0
	}
	v, ok := json.Float64(value)
	c.check(ok && (!text || json.Valid(value, 0) == nil), name, "number", value)
	return v
}

// Bool returns a truth value. As text, 1 and 0 will do.
func (c *Call) Bool(name string, pos int) bool {
	value, text, ok := c.need(name, pos, "boolean")
	if !ok {
		return false
	}
	if text && len(value) == 1 && (value[0] == '0' || value[0] == '1') {
		return value[0] == '1'
	}
	v, ok := json.Bool(value)
	c.check(ok, name, "boolean", value)
	return v
}

// String returns a string.
func (c *Call) String(name string, pos int) string { return string(c.unquoted(name, pos, "string")) }

// Bytes returns the bytes that a base64 string stands for, or, when the call came with a plain body, that body. The caller
// owns them.
func (c *Call) Bytes(name string, pos int) []byte {
	const want = "base64 string"
	if c.raw.plain && c.raw.err == nil && !c.raw.inText(name) {
		return append([]byte{}, c.raw.body...)
	}
	encoded := c.unquoted(name, pos, want)
	out, ok := base64.AppendDecode([]byte{}, encoded)
	if !ok {
		c.refuse(name, "want "+want)
		return nil
	}
	return out
}

// Raw returns the JSON value itself. It is valid until the call ends. Text that is no JSON is returned as a JSON string.
func (c *Call) Raw(name string, pos int) []byte {
	value, text, ok := c.need(name, pos, "any value")
	if ok && text && json.Valid(value, 0) != nil {
		return json.AppendStringBytes(nil, value)
	}
	return value
}

// Has reports whether the argument came and is not null.
func (c *Call) Has(name string, pos int) bool {
	value, text, problem := c.raw.find(name, pos)
	return problem == "" && value != nil && (text || json.Kind(value) != 'n')
}

// Err returns why the raw call failed: the first argument that was not there or of another type, or what Fail got.
func (c *Call) Err() error { return c.raw.err }

// Fail makes the raw call fail with err, unless it failed before.
func (c *Call) Fail(err error) {
	if c.raw.err == nil {
		c.raw.err = err
	}
}

// unquoted returns the bytes that a string means, borrowed from the call where they stand there as they are.
func (c *Call) unquoted(name string, pos int, want string) []byte {
	value, text, ok := c.need(name, pos, want)
	switch {
	case !ok:
		return nil
	case text && utf8.Valid(value):
		return value
	case !text && json.Kind(value) == '"':
		return json.Unquoted(value)
	}
	c.check(false, name, want, value)
	return nil
}

// need finds an argument that must be there.
func (c *Call) need(name string, pos int, want string) (value []byte, text, ok bool) {
	if c.raw.err != nil {
		return nil, false, false
	}
	value, text, problem := c.raw.find(name, pos)
	switch {
	case problem != "":
		c.refuse(name, problem)
	case value == nil:
		c.refuse(name, "missing, want "+want)
	default:
		return value, text, true
	}
	return nil, false, false
}

// check makes the call fail unless the value was what it should be.
func (c *Call) check(ok bool, name, want string, value []byte) {
	if !ok {
		c.refuse(name, "want "+want+", got "+excerpt(value))
	}
}

// excerpt shows what came, as far as it is short and readable.
func excerpt(value []byte) string {
	const longest = 40
	if len(value) > longest || !utf8.Valid(value) {
		return "something else"
	}
	return string(value)
}

func (c *Call) refuse(name, message string) {
	c.Fail(InvalidParams(Violation{Path: name, Message: message}))
}

// find returns the argument, nil when it did not come, or the problem with finding it.
func (r *rawArgs) find(name string, pos int) (value []byte, text bool, problem string) {
	found := 0
	for _, f := range r.text {
		if string(f.Name) == name {
			value, text = f.Value, true
			found++
		}
	}
	if v, n := r.inBody(name, pos); n > 0 {
		value, found = v, found+n
	}
	if found > 1 {
		return nil, false, "came more than once"
	}
	return value, text, ""
}

func (r *rawArgs) inText(name string) bool {
	for _, f := range r.text {
		if string(f.Name) == name {
			return true
		}
	}
	return false
}

// inBody returns the last value of that name or position, and how many there are.
func (r *rawArgs) inBody(name string, pos int) (value []byte, n int) {
	if r.plain {
		return nil, 0
	}
	switch json.Kind(r.body) {
	case '[':
		i := 0
		for item := range json.Items(r.body) {
			if i == pos {
				return item, 1
			}
			i++
		}
	case '{':
		for token, v := range json.Members(r.body) {
			if json.KeyIs(token, name) {
				value = v
				n++
			}
		}
	}
	return value, n
}
