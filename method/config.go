// Package method makes Go functions callable: New looks at a function once, when it is registered, and compiles a plan that
// decodes the arguments of a call, runs the function and encodes its result. Everything that can be wrong with a function is
// found there, so no call meets it.
package method

import (
	"fmt"

	"github.com/anywire/anywire/call"
)

// Config is what the options of a registration add to a function.
type Config struct {
	Params       []string           // names of the plain parameters, in order
	Defaults     map[string]any     // values of parameters that a caller may leave out
	Constraints  map[string]string  // on parameters, as struct tags: min:"1" max:"10"; see schema.Constraint
	ReadOnly     bool               // the function changes nothing; see call.Traits
	Idempotent   bool               // running it twice is like running it once
	Ordered      bool               // its calls on one connection run one after another
	Concurrent   bool               // its notifications need not run in order, which they do otherwise
	Mode         call.Mode          // where it runs
	MaxMessage   int                // bytes of one message to the method; 0: the server's limit
	RawDepth     int                // nesting allowed in json.RawMessage parameters and raw calls; 0: 64
	Doc          string             // a sentence or more for documents
	Interceptors []call.Interceptor // outermost first: the server's, then the method's
	Admits       []call.Admit       // in the order in which they run

	// Report decides what to send for an error that was not made for the wire, a *Panic among them. It may run concurrently.
	// Without it, and when it returns nil, an Unknown error without text is sent.
	Report func(m *Method, c *call.Call, err error) *call.Error
}

const defaultRawDepth = 64

func (cfg Config) withDefaults() Config {
	if cfg.RawDepth == 0 {
		cfg.RawDepth = defaultRawDepth
	}
	if cfg.Report == nil {
		cfg.Report = func(*Method, *call.Call, error) *call.Error { return nil }
	}
	return cfg
}

// Panic is the error that a panic in a function, an interceptor or a type's own decoding becomes.
type Panic struct {
	Value any    // what panic was called with
	Stack []byte // of the goroutine, as debug.Stack prints it
}

// Error returns the value, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }
