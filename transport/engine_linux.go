//go:build !anywire_net

package transport

import (
	"time"

	"github.com/anywire/anywire/mem"
)

// New returns the engine of that name; "" stands for the default, which is epoll here. ok is false when there is none.
// spin is for epoll; see NewEpoll.
func New(name string, budget *mem.Budget, spin time.Duration) (e Engine, ok bool) {
	switch name {
	case "epoll", "":
		return NewEpoll(budget, spin), true
	case "net":
		return &Net{Budget: budget}, true
	}
	return nil, false
}
