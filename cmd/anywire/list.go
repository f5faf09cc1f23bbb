package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/anywire/anywire"
	"github.com/anywire/anywire/cmd/anywire/internal/openrpc"
)

// listCommand is "anywire list".
type listCommand struct {
	Format string `enum:"text,json" default:"text" help:"Print one line a method, or the OpenRPC document (json)."`

	server `embed:""`
}

// Run asks the server for its OpenRPC document and prints it.
func (l *listCommand) Run(con *console) error {
	var document json.RawMessage
	err := l.do(func(ctx context.Context, client *anywire.Client) error {
		return client.Call(ctx, "rpc.discover", nil, &document)
	})
	if err != nil {
		return err
	}
	if l.Format == "json" {
		return con.json(document)
	}
	return con.methods(document)
}

// methods prints a line for each method of an OpenRPC document: its signature, then what it does.
func (c *console) methods(document json.RawMessage) error {
	doc, err := openrpc.Parse(document)
	if err != nil {
		return err
	}
	for i := range doc.Methods {
		m := &doc.Methods[i]
		line := m.Signature()
		if about := m.Doc(); about != "" {
			line += "  # " + about
		}
		if _, err := fmt.Fprintln(c.out, printable(line)); err != nil {
			return err
		}
	}
	return nil
}
