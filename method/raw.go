package method

import (
	"bytes"
	"context"
	"strings"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
)

// rawPlan serves a function that asks the call for its arguments.
type rawPlan struct {
	fn       func(*call.Call)
	maxDepth int
}

func (p *rawPlan) decode(c *call.Call, h *call.Head, body []byte) error {
	known := h.Valid && (json.Kind(body) == '[' || json.Kind(body) == '{') && json.Depth(body) <= p.maxDepth
	if h.Codec != call.Raw && !known {
		if err := checkBody(body, p.maxDepth); err != nil {
			return err
		}
	}
	c.SetRaw(h, body)
	return nil
}

func (p *rawPlan) call(_ context.Context, c *call.Call) error {
	p.fn(c)
	return c.Err()
}

func (p *rawPlan) release(*call.Call) {}

// checkBody refuses what is neither arguments by position nor by name, nor nothing.
func checkBody(body []byte, maxDepth int) error {
	if isBlank(body) {
		return nil
	}
	if err := json.Valid(body, maxDepth); err != nil {
		return call.InvalidParams(call.Violation{Message: reason(err)})
	}
	switch json.Kind(body) {
	case '[', '{', 'n':
		return nil
	}
	return call.InvalidParams(call.Violation{Message: "want the parameters in an array by position or in an object by name"})
}

// isBlank reports whether there is only white space, which stands for no arguments.
func isBlank(body []byte) bool { return len(bytes.TrimLeft(body, " \t\r\n")) == 0 }

// reason returns why bytes are not JSON, in words for those who sent them.
func reason(err error) string { return strings.TrimPrefix(err.Error(), "json: ") }
