package lines

import (
	"context"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/mem"
)

// Method is a function from text to text made callable.
type Method struct {
	Is call.Traits
	F  func(ctx context.Context, arg string) (string, error)
}

// Admit implements call.Method.
func (m *Method) Admit(*call.Head) error { return nil }

// Decode implements call.Method.
func (m *Method) Decode(c *call.Call, _ *call.Head, body []byte) error {
	c.In = string(body)
	return nil
}

// Serve implements call.Method.
func (m *Method) Serve(ctx context.Context, c *call.Call) error {
	result, err := m.F(ctx, c.In.(string))
	if err != nil {
		return err
	}
	c.Body = mem.Get(len(result))
	c.Body.B = append(c.Body.B, result...)
	return nil
}

// Traits implements call.Method.
func (m *Method) Traits() *call.Traits { return &m.Is }

// Methods finds methods by name.
type Methods map[string]call.Method

// Find implements call.Dispatcher.
func (m Methods) Find(name []byte) call.Method {
	if found, ok := m[string(name)]; ok {
		return found
	}
	return nil
}
