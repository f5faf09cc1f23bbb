//go:build !anywire_net

package transport

import "github.com/anywire/anywire/mem"

// New returns the engine of that name; "" stands for the default, which is epoll here. ok is false when there is none.
func New(name string, budget *mem.Budget) (e Engine, ok bool) {
	switch name {
	case "epoll", "":
		return NewEpoll(budget), true
	case "net":
		return &Net{Budget: budget}, true
	}
	return nil, false
}
