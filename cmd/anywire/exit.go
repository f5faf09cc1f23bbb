package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/anywire/anywire"
)

// The exit codes besides 0.
const (
	exitFailed      = 1 // the call answered an error, or the command failed in another way
	exitUsage       = 2 // the command line is wrong; nothing was sent
	exitUnreachable = 3 // no connection, or no answer in time
)

// usageError says that the command line is wrong.
type usageError struct{ error }

// unreachableError says that a server did not answer.
type unreachableError struct{ error }

func (e usageError) Unwrap() error       { return e.error }
func (e unreachableError) Unwrap() error { return e.error }

// fail reports err, unless it is nil, and returns the exit code for it.
func (c *console) fail(err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(c.err, "anywire: %s\n", printable(err.Error()))
	for _, line := range details(err) {
		fmt.Fprintf(c.err, "  %s\n", printable(line))
	}
	return exitCode(err)
}

func exitCode(err error) int {
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[unreachableError](err); ok {
		return exitUnreachable
	}
	return exitFailed
}

// details returns what an answered error carries beside its message: each violation, or else the JSON in one line.
func details(err error) []string {
	answer, ok := errors.AsType[*anywire.Error](err)
	if !ok || answer.Details == nil {
		return nil
	}
	var d struct {
		Errors []struct{ Path, Message string }
	}
	if json.Unmarshal(answer.Details, &d) != nil || d.Errors == nil {
		return []string{string(answer.Details)}
	}
	lines := make([]string, len(d.Errors))
	for i, v := range d.Errors {
		lines[i] = strings.TrimPrefix(v.Path+": "+v.Message, ": ")
	}
	return lines
}

// printable replaces control characters: the text of another's error must neither steer the terminal nor start a line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
