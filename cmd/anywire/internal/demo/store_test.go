package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
)

func stores(t *testing.T) map[string]Store {
	t.Helper()
	r, err := OpenRedis(t.Context(), miniredis.RunT(t).Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return map[string]Store{"memory": NewMemory(8), "redis": r}
}

func order(id string) Order {
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	return Order{ID: id, UserID: "1", Items: []string{"apple", "python"}, Status: "initiated", CreatedAt: now, UpdatedAt: now}
}

func TestStore(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			if _, err := s.Load(t.Context(), "a"); !errors.Is(err, ErrNotFound) {
				t.Fatalf("Load of an unknown order: %v, want ErrNotFound", err)
			}
			for _, id := range []string{"a", "b"} {
				if err := s.Save(t.Context(), order(id)); err != nil {
					t.Fatal(err)
				}
			}
			changed := order("a")
			changed.Status = "shipped"
			if err := s.Save(t.Context(), changed); err != nil {
				t.Fatal(err)
			}
			for _, want := range []Order{changed, order("b")} {
				got, err := s.Load(t.Context(), want.ID)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("Load(%q) = %+v, %v; want %+v", want.ID, got, err, want)
				}
			}
		})
	}
}

func TestStoreConcurrently(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					o := order(fmt.Sprint(i))
					for range 50 {
						if err := s.Save(t.Context(), o); err != nil {
							t.Error(err)
						}
						if got, err := s.Load(t.Context(), o.ID); err != nil || got.ID != o.ID {
							t.Errorf("Load(%q) = %+v, %v", o.ID, got, err)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

func TestMemoryForgetsTheOldest(t *testing.T) {
	m := NewMemory(2)
	for _, id := range []string{"a", "b", "a", "c"} {
		m.Save(t.Context(), order(id))
	}
	for id, want := range map[string]error{"a": ErrNotFound, "b": nil, "c": nil} {
		if _, err := m.Load(t.Context(), id); err != want {
			t.Errorf("Load(%q): %v, want %v", id, err, want)
		}
	}
	if len(m.orders) != 2 {
		t.Errorf("holds %d orders, want 2", len(m.orders))
	}
}

func TestRedisExpires(t *testing.T) {
	server := miniredis.RunT(t)
	r, err := OpenRedis(t.Context(), server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Save(t.Context(), order("a")); err != nil {
		t.Fatal(err)
	}
	if got := server.TTL(redisPrefix + "a"); got != redisTTL {
		t.Errorf("time to live %v, want %v", got, redisTTL)
	}
}

func TestRedisErrors(t *testing.T) {
	server := miniredis.RunT(t)
	r, err := OpenRedis(t.Context(), server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()

	server.Set(redisPrefix+"odd", "not JSON")
	if _, err := r.Load(t.Context(), "odd"); err == nil || !strings.Contains(err.Error(), redisPrefix+"odd") {
		t.Errorf("Load of a value that is no order: %v, want an error with its key", err)
	}
	server.SetError("LOADING")
	if err := r.Save(t.Context(), order("a")); err == nil {
		t.Error("Save did not report the server's error")
	}
	if _, err := r.Load(t.Context(), "a"); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("Load: %v, want the server's error", err)
	}
}

func TestOpenRedisWithoutServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := OpenRedis(ctx, addr); err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("OpenRedis: %v, want an error with the address %s", err, addr)
	}
}
