package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/anywire/anywire"
	"github.com/anywire/anywire/cmd/anywire/internal/args"
)

// callCommand is "anywire call". It takes the command lines of UCall's command as they are.
type callCommand struct {
	Method     string   `arg:"" help:"Name of the method."`
	Arguments  []string `arg:"" optional:"" name:"name[:type]=value" help:"Arguments by name. Types: int, float, str, bool, json, binary (a file)."`
	Positional values   `placeholder:"VALUE[:TYPE] …" help:"Arguments by position instead."`
	File       values   `short:"f" placeholder:"NAME=PATH …" help:"Arguments that are files, sent in base64."`
	Image      values   `short:"i" placeholder:"NAME=PATH …" help:"The same as --file."`
	Data       string   `short:"d" placeholder:"JSON" help:"All arguments as one JSON array or object; @PATH reads a file, - standard input."`
	Format     format   `enum:"json,raw,bytes" default:"json" help:"Print the result as JSON, as raw text (a string without its quotes), or as the bytes that it holds in base64."`

	server `embed:""`
}

// Run makes the call and prints its result.
func (c *callCommand) Run(con *console) error {
	params, err := c.params(con.in)
	if err != nil {
		return usageError{err}
	}
	var result json.RawMessage
	err = c.do(func(ctx context.Context, client *anywire.Client) error {
		return client.Call(ctx, c.Method, params, &result)
	})
	if err != nil {
		return err
	}
	return con.print(result, c.Format)
}

// params returns the arguments as a JSON array or object, or nil when there are none.
func (c *callCommand) params(stdin io.Reader) (any, error) {
	files := slices.Concat(c.File, c.Image)
	named := len(c.Arguments) + len(files)
	switch {
	case named > 0 && c.Positional != nil:
		return nil, errors.New("arguments go by name or by position, not both")
	case c.Data != "" && (named > 0 || c.Positional != nil):
		return nil, errors.New("--data holds all arguments; no others may be given")
	case c.Data != "":
		return readData(c.Data, stdin)
	case c.Positional != nil:
		return args.Positional(c.Positional, os.ReadFile)
	case named > 0:
		return namedParams(c.Arguments, files)
	}
	return nil, nil
}

func namedParams(arguments, files []string) (json.RawMessage, error) {
	for _, f := range files {
		argument, err := args.File(f)
		if err != nil {
			return nil, err
		}
		arguments = append(arguments, argument)
	}
	return args.Named(arguments, os.ReadFile)
}

func readData(data string, stdin io.Reader) (json.RawMessage, error) {
	raw, err := []byte(data), error(nil)
	if data == "-" {
		raw, err = io.ReadAll(stdin)
	} else if path, isFile := strings.CutPrefix(data, "@"); isFile {
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	raw = bytes.TrimSpace(raw)
	if !json.Valid(raw) {
		return nil, errors.New("--data is not JSON")
	}
	if raw[0] != '{' && raw[0] != '[' {
		return nil, errors.New("--data must be a JSON array or object")
	}
	return raw, nil
}
