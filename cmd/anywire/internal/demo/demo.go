// Package demo is the functions that "anywire demo" serves, the stores in which they keep orders, and the commands that
// show how to call them.
package demo

import (
	"context"
	"time"

	"github.com/anywire/anywire"
)

// SampleID is the order that SaveSample puts into a store, so that there is one to ask for.
const SampleID = "sample"

// SaveSample saves one order under SampleID.
func SaveSample(ctx context.Context, s Store) error {
	now := time.Now().UTC()
	return s.Save(ctx, Order{ID: SampleID, UserID: "1", Items: []string{"apple", "python"}, Status: "initiated", CreatedAt: now, UpdatedAt: now})
}

// Register makes the functions callable on srv. Orders go to store, which stays the caller's.
func Register(srv *anywire.Server, store Store) {
	srv.Handle("sum", sum, anywire.Params("a", "b"), anywire.ReadOnly(), anywire.Doc("Adds two integers."))
	srv.Handle("divide", divide, anywire.Params("a", "b"), anywire.ReadOnly(), anywire.Doc("Divides a by b."))
	srv.Handle("echo", echo, anywire.Params("value"), anywire.ReadOnly(), anywire.Doc("Answers any JSON value as it came."))
	srv.Handle("hello", hello, anywire.Params("name"), anywire.Default("name", "world"), anywire.ReadOnly(),
		anywire.Doc("Greets somebody."))
	srv.Handle("hello_world", helloWorld, anywire.ReadOnly(), anywire.Doc("Greets everybody."))
	srv.Handle("math.add", add, anywire.Params("numbers"), anywire.ReadOnly(), anywire.Doc("Adds any number of integers."))
	srv.Handle("auth", auth, anywire.Params("id"), anywire.Doc("Logs a user in, for show."))
	srv.Handle("sleep", sleep, anywire.Params("ms"), anywire.Doc("Answers after so many milliseconds, at most a minute."))
	srv.Handle("panic", panics, anywire.Doc("Panics, which the server survives."))

	o := orders{store}
	srv.Handle("save_order", o.save, anywire.Params("user_id", "items"), anywire.Doc("Keeps an order."))
	srv.Handle("order", o.load, anywire.Params("order_id"), anywire.ReadOnly(), anywire.Route("GET /orders/{order_id}"),
		anywire.Doc("Answers an order that was kept."))
}
