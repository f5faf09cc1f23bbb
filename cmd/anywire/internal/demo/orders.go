package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/anywire/anywire"
)

// The bounds of an order. Together with the capacity of Memory they bound what the demo can be made to hold.
const (
	maxItems = 100
	maxText  = 256 // bytes of an item or a user's id
)

// orders is the functions that need a Store.
type orders struct{ store Store }

func (s orders) save(ctx context.Context, userID string, items []string) (Order, error) {
	if err := checkOrder(userID, items); err != nil {
		return Order{}, err
	}
	now := time.Now().UTC()
	o := Order{ID: rand.Text(), UserID: userID, Items: items, Status: "initiated", CreatedAt: now, UpdatedAt: now}
	if err := s.store.Save(ctx, o); err != nil {
		return Order{}, anywire.Errorf(anywire.Unavailable, "the order could not be saved").WithCause(err)
	}
	return o, nil
}

func (s orders) load(ctx context.Context, id string) (Order, error) {
	o, err := s.store.Load(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return Order{}, anywire.Errorf(anywire.NotFound, "there is no order %q", id)
	}
	if err != nil {
		return Order{}, anywire.Errorf(anywire.Unavailable, "the order could not be loaded").WithCause(err)
	}
	return o, nil
}

func checkOrder(userID string, items []string) error {
	if len(userID) > maxText {
		return anywire.Errorf(anywire.InvalidArgument, "user_id is longer than %d bytes", maxText)
	}
	if len(items) == 0 || len(items) > maxItems {
		return anywire.Errorf(anywire.InvalidArgument, "an order has 1 to %d items", maxItems)
	}
	for i, item := range items {
		if len(item) > maxText {
			return anywire.Errorf(anywire.InvalidArgument, "items[%d] is longer than %d bytes", i, maxText)
		}
	}
	return nil
}
