//go:build !linux || anywire_net

package transport

import (
	"time"

	"github.com/anywire/anywire/mem"
)

// New returns the engine of that name; "" stands for the default, which is net here: on other systems, and where the build tag
// anywire_net leaves epoll out. ok is false when there is none.
func New(name string, budget *mem.Budget, _ time.Duration) (e Engine, ok bool) {
	if name == "net" || name == "" {
		return &Net{Budget: budget}, true
	}
	return nil, false
}
