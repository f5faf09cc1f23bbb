package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	redisPrefix = "anywire:demo:order:" // keeps a shared Redis tidy
	redisTTL    = 24 * time.Hour        // so that a forgotten demo leaves nothing behind
)

// Redis is a Store in a Redis server: one JSON value for each order, which expires after a day.
type Redis struct{ client *redis.Client }

// OpenRedis connects to the Redis at addr, "host:port", and fails at once when nobody answers there within ctx.
func OpenRedis(ctx context.Context, addr string) (*Redis, error) {
	client := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1, DialerRetries: 1})
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		return nil, fmt.Errorf("redis at %s: %w", addr, err)
	}
	return &Redis{client: client}, nil
}

// Save implements Store.
func (r *Redis) Save(ctx context.Context, o Order) error {
	value, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return r.client.Set(ctx, redisPrefix+o.ID, value, redisTTL).Err()
}

// Load implements Store.
func (r *Redis) Load(ctx context.Context, id string) (Order, error) {
	value, err := r.client.Get(ctx, redisPrefix+id).Bytes()
	if errors.Is(err, redis.Nil) {
		return Order{}, ErrNotFound
	}
	if err != nil {
		return Order{}, err
	}
	var o Order
	if err := json.Unmarshal(value, &o); err != nil {
		return Order{}, fmt.Errorf("redis key %s%s: %w", redisPrefix, id, err)
	}
	return o, nil
}

// Close closes the connections to Redis.
func (r *Redis) Close() error { return r.client.Close() }
