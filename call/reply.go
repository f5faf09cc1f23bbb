package call

import (
	"math"
	"strconv"

	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/mem"
)

// The methods below encode the result of a call into Body; a second reply replaces the first. They do nothing once the call
// failed.

// ReplyInt64 replies with an integer.
func (c *Call) ReplyInt64(v int64) {
	if b := c.reply(); b != nil {
		b.B = strconv.AppendInt(b.B, v, 10)
	}
}

// ReplyFloat64 replies with a number. NaN and the infinities have no JSON form: they make the call fail.
func (c *Call) ReplyFloat64(v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		_ = c.Reply(v) // fails, and Err tells it
		return
	}
	if b := c.reply(); b != nil {
		b.B = json.AppendFloat64(b.B, v)
	}
}

// ReplyBool replies with a truth value.
func (c *Call) ReplyBool(v bool) {
	if b := c.reply(); b != nil {
		b.B = strconv.AppendBool(b.B, v)
	}
}

// ReplyString replies with a string. Bytes that are not UTF-8 become U+FFFD.
func (c *Call) ReplyString(s string) {
	if b := c.reply(); b != nil {
		b.B = json.AppendString(b.B, s)
	}
}

// ReplyJSON replies with a copy of raw. What is not one valid JSON value makes the call fail.
func (c *Call) ReplyJSON(raw []byte) {
	if err := json.Valid(raw, 0); err != nil {
		c.Fail(unencodable(err))
		return
	}
	if b := c.reply(); b != nil {
		b.B = append(b.B, raw...)
	}
}

// Reply replies with v as package codec/json encodes it. What has no JSON form makes the call fail with an Internal error,
// which is returned.
func (c *Call) Reply(v any) error {
	b := c.reply()
	if b == nil {
		return c.raw.err
	}
	out, err := json.Append(b.B, v)
	if err != nil {
		c.Fail(unencodable(err))
		return c.raw.err
	}
	b.B = out
	return nil
}

func unencodable(cause error) error {
	return Errorf(Internal, "the result cannot be encoded").WithCause(cause)
}

// reply returns the empty Body, or nil when the call failed.
func (c *Call) reply() *mem.Buf {
	if c.raw.err != nil {
		return nil
	}
	if c.Body == nil {
		c.Body, c.spare = c.spare, nil
	}
	if c.Body == nil {
		c.Body = mem.Get(256)
	}
	c.Body.B = c.Body.B[:0]
	return c.Body
}
