package demo

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire"
)

// client returns a client of a server with the demo's functions.
func client(t *testing.T, store Store) *anywire.Client {
	t.Helper()
	srv := anywire.NewServer(anywire.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	Register(srv, store)
	c := srv.Client()
	t.Cleanup(func() {
		c.Close()
		srv.Close()
	})
	return c
}

func TestResults(t *testing.T) {
	c := client(t, NewMemory(1))
	for _, tc := range []struct{ method, params, want string }{
		{"sum", `{"a":2,"b":3}`, `5`},
		{"sum", `[-9223372036854775808,9223372036854775807]`, `-1`},
		{"sum", `[9223372036854775807,0]`, `9223372036854775807`},
		{"sum", `[0,-9223372036854775808]`, `-9223372036854775808`},
		{"divide", `[7,2]`, `3.5`},
		{"divide", `{"a":-7,"b":2}`, `-3.5`},
		{"echo", `{"value":{"a":[1,null,"x"]}}`, `{"a":[1,null,"x"]}`},
		{"echo", `[null]`, `null`},
		{"hello", `{}`, `"hello, world"`},
		{"hello", `["Ada"]`, `"hello, Ada"`},
		{"hello_world", `[]`, `"hello world"`},
		{"math.add", `[1,2,3]`, `6`},
		{"math.add", `{"numbers":[4,5]}`, `9`},
		{"math.add", `[]`, `0`},
		{"auth", `["ada"]`, `{"token":"3df2ac050c0921fe58428a664c702af3","user":"ada"}`},
		{"sleep", `[0]`, `0`},
	} {
		var got json.RawMessage
		err := c.Call(t.Context(), tc.method, json.RawMessage(tc.params), &got)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s%s = %s, %v; want %s", tc.method, tc.params, got, err, tc.want)
		}
	}
}

func TestErrors(t *testing.T) {
	c := client(t, NewMemory(1))
	tooMany, tooLong := strings.Repeat(`"x",`, maxItems)+`"x"`, strings.Repeat("x", maxText+1)
	for _, tc := range []struct {
		method, params string
		want           anywire.Code
	}{
		{"sum", `[9223372036854775807,1]`, anywire.OutOfRange},
		{"sum", `[-9223372036854775808,-1]`, anywire.OutOfRange},
		{"sum", `[1]`, anywire.InvalidArgument},
		{"math.add", `[9223372036854775807,1,-1]`, anywire.OutOfRange},
		{"divide", `[1,0]`, anywire.InvalidArgument},
		{"divide", `[1e308,1e-308]`, anywire.OutOfRange},
		{"auth", `[""]`, anywire.Unauthenticated},
		{"sleep", `[-1]`, anywire.InvalidArgument},
		{"sleep", `[60001]`, anywire.InvalidArgument},
		{"panic", `[]`, anywire.Internal},
		{"order", `["none"]`, anywire.NotFound},
		{"save_order", `["1",[]]`, anywire.InvalidArgument},
		{"save_order", `["1",[` + tooMany + `]]`, anywire.InvalidArgument},
		{"save_order", `["1",["` + tooLong + `"]]`, anywire.InvalidArgument},
		{"save_order", `["` + tooLong + `",["x"]]`, anywire.InvalidArgument},
	} {
		if err := c.Call(t.Context(), tc.method, json.RawMessage(tc.params), nil); !errors.Is(err, tc.want) {
			t.Errorf("%s%.40s: %v, want %v", tc.method, tc.params, err, tc.want)
		}
	}
}

func TestSavedOrderIsFound(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			c := client(t, store)
			saved, err := anywire.Call[Order](t.Context(), c, "save_order", []any{"1", []string{"apple"}})
			if err != nil {
				t.Fatal(err)
			}
			found, err := anywire.Call[Order](t.Context(), c, "order", []any{saved.ID})
			if err != nil {
				t.Fatal(err)
			}
			if found.ID != saved.ID || found.Items[0] != "apple" || !found.CreatedAt.Equal(saved.CreatedAt) {
				t.Errorf("found %+v, saved %+v", found, saved)
			}
		})
	}
}

// failing is a Store that is out of order.
type failing struct{ Store }

func (failing) Save(context.Context, Order) error { return errors.New("secret host") }
func (failing) Load(context.Context, string) (Order, error) {
	return Order{}, errors.New("secret host")
}

func TestFailuresOfTheStoreStayInside(t *testing.T) {
	c := client(t, failing{})
	for method, params := range map[string]any{"save_order": []any{"1", []string{"x"}}, "order": []any{"x"}} {
		err := c.Call(t.Context(), method, params, nil)
		if !errors.Is(err, anywire.Unavailable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want unavailable without the cause", method, err)
		}
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := sleep(ctx, maxSleep.Milliseconds()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("sleep: %v, want the end of its context", err)
	}
}
