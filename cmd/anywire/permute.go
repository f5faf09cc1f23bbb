package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// values is a flag that takes every value up to the next flag, as in "--positional 2 3".
type values []string

// Decode implements kong.MapperValue.
func (v *values) Decode(ctx *kong.DecodeContext) error {
	tokens := ctx.Scan.PopWhile(func(t kong.Token) bool { return !t.IsEOL() && (t.IsValue() || !isFlag(t.String())) })
	if len(tokens) == 0 {
		return errors.New("needs a value")
	}
	for _, t := range tokens {
		*v = append(*v, t.String())
	}
	return nil
}

// permute moves the arguments of a subcommand behind its flags. Kong takes arguments only where they stand together, but
// people write "sum a=2 --uri host b=3".
func permute(app *kong.Application, line []string) []string {
	i := slices.IndexFunc(app.Children, func(n *kong.Node) bool { return len(line) > 0 && n.Name == line[0] })
	if i < 0 {
		return line
	}
	var flags, arguments []string
	for rest := line[1:]; len(rest) > 0; {
		n := 1
		switch {
		case rest[0] == "--":
			arguments, n = append(arguments, rest[1:]...), len(rest)
		case isFlag(rest[0]):
			n += countValues(findFlag(app.Children[i], rest[0]), rest[1:])
			flags = append(flags, rest[:n]...)
		default:
			arguments = append(arguments, rest[0])
		}
		rest = rest[n:]
	}
	return slices.Concat(line[:1], flags, []string{"--"}, arguments)
}

// countValues says how many words of rest belong to the flag before them.
func countValues(flag *kong.Flag, rest []string) int {
	if flag == nil || flag.IsBool() || len(rest) == 0 {
		return 0
	}
	if _, greedy := flag.Target.Addr().Interface().(*values); !greedy {
		return 1
	}
	if next := slices.IndexFunc(rest, func(word string) bool { return word == "--" || isFlag(word) }); next >= 0 {
		return next
	}
	return len(rest)
}

// findFlag returns the flag that a word names when its value is not in the same word ("--port=1", "-p1"), else nil.
func findFlag(command *kong.Node, word string) *kong.Flag {
	for _, flag := range slices.Concat(command.AllFlags(false)...) {
		if word == "--"+flag.Name || (flag.Short != 0 && word == "-"+string(flag.Short)) {
			return flag
		}
	}
	return nil
}

// isFlag reports whether a word is a flag: it begins with "-" and is neither "-" itself nor a negative number.
func isFlag(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	return !strings.ContainsRune(".0123456789", rune(word[1]))
}
