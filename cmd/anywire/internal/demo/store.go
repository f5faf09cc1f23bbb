package demo

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Order is what save_order keeps and order returns.
type Order struct {
	ID        string    `json:"order_id"`
	UserID    string    `json:"user_id"`
	Items     []string  `json:"items"`
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// ErrNotFound is what a Store answers for an order that it does not hold.
var ErrNotFound = errors.New("demo: no such order")

// Store keeps orders. It is safe for concurrent use.
type Store interface {
	// Save keeps o under o.ID, in place of an order that had the same ID.
	Save(ctx context.Context, o Order) error
	// Load returns the order with that ID, or ErrNotFound.
	Load(ctx context.Context, id string) (Order, error)
	// Close frees what the store holds open. No other method may be called afterwards.
	Close() error
}

// Memory is a Store in this process. It holds a fixed number of orders: a new one takes the place of the oldest.
type Memory struct {
	mu     sync.Mutex
	orders map[string]Order
	ring   []string // IDs in the order in which they came; next is the oldest once it is full
	next   int
}

// NewMemory returns an empty store for at most capacity orders, which must be positive.
func NewMemory(capacity int) *Memory {
	return &Memory{orders: make(map[string]Order), ring: make([]string, capacity)}
}

// Save implements Store. It never fails.
func (m *Memory) Save(_ context.Context, o Order) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.orders[o.ID]; !known {
		delete(m.orders, m.ring[m.next])
		m.ring[m.next] = o.ID
		m.next = (m.next + 1) % len(m.ring)
	}
	m.orders[o.ID] = o
	return nil
}

// Load implements Store.
func (m *Memory) Load(_ context.Context, id string) (Order, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.orders[id]
	if !ok {
		return Order{}, ErrNotFound
	}
	return o, nil
}

// Close implements Store.
func (m *Memory) Close() error { return nil }
