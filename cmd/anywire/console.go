package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// The rules of output, the same for every subcommand:
//
//   - Results go to standard output and nothing else does, so that it can be piped. JSON is indented for a terminal and one
//     compact line otherwise; the text of a result is never changed.
//   - Errors and remarks go to standard error, each beginning with "anywire: "; what an error lists follows it, indented.
//   - The exit code is 0 for success and otherwise one of those in exit.go.

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // out is one
}

func stdConsole() *console {
	info, err := os.Stdout.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return &console{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: terminal}
}

// format is a way to print a result.
type format string

const (
	formatJSON  format = "json"  // the result as JSON
	formatRaw   format = "raw"   // a string as its text, anything else as JSON
	formatBytes format = "bytes" // the bytes that the result holds in base64, and no newline
)

func (c *console) print(result json.RawMessage, f format) error {
	var text string
	isString := json.Unmarshal(result, &text) == nil && bytes.HasPrefix(result, []byte{'"'})
	switch {
	case f == formatRaw && isString:
		return c.line([]byte(text))
	case f == formatBytes && isString:
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return fmt.Errorf("the result is not base64: %w", err)
		}
		_, err = c.out.Write(data)
		return err
	case f == formatBytes:
		return errors.New("the result is not base64: it is not a string")
	}
	return c.json(result)
}

func (c *console) json(value json.RawMessage) error {
	var b bytes.Buffer
	var err error
	if c.terminal {
		err = json.Indent(&b, value, "", "  ")
	} else {
		err = json.Compact(&b, value)
	}
	if err != nil {
		return fmt.Errorf("the result is not JSON: %w", err)
	}
	return c.line(b.Bytes())
}

func (c *console) line(text []byte) error {
	_, err := c.out.Write(append(text, '\n'))
	return err
}
