// Package args reads the arguments of a call from a command line, in the grammar of UCall's command:
//
//	name[:type]=value     an argument by name: the name ends at the first "=", its type is after the last ":" before that
//	value[:type]          an argument by position: a last ":" counts only when a type follows it, so that URLs stay whole
//
// Without a type a value is JSON when it reads as a number, true, false (also True, False), null, an array or an object,
// and a string otherwise. The types are listed at Type.
package args

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ErrSyntax is in the chain of every error that the text of an argument caused; other errors come from reading files.
var ErrSyntax = errors.New("args: not an argument")

// Reader reads the file of a binary argument; os.ReadFile is one.
type Reader func(path string) ([]byte, error)

// Named returns a JSON object of arguments by name, in the order in which they came. A name may come only once.
func Named(args []string, read Reader) (json.RawMessage, error) {
	seen := make(map[string]bool, len(args))
	object := []byte{'{'}
	for i, arg := range args {
		name, typ, text, err := splitNamed(arg)
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, syntaxError(arg, "%q was given before", name)
		}
		seen[name] = true
		value, err := convert(typ, text, read)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(object, quote(name)...), ':')
		object = append(object, value...)
	}
	return append(object, '}'), nil
}

// Positional returns a JSON array of arguments by position.
func Positional(args []string, read Reader) (json.RawMessage, error) {
	array := []byte{'['}
	for i, arg := range args {
		typ, text := splitPositional(arg)
		value, err := convert(typ, text, read)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", arg, err)
		}
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, value...)
	}
	return append(array, ']'), nil
}

// File rewrites name=path as the Named argument that sends the file at path.
func File(arg string) (string, error) {
	name, path, ok := strings.Cut(arg, "=")
	if !ok || name == "" || path == "" {
		return "", syntaxError(arg, "a file is written name=path")
	}
	return name + ":" + string(Binary) + "=" + path, nil
}

func splitNamed(arg string) (name string, typ Type, text string, err error) {
	name, text, ok := strings.Cut(arg, "=")
	if !ok {
		return "", "", "", syntaxError(arg, "an argument by name is written name=value; values alone follow --positional")
	}
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		if typ, ok = parseType(name[i+1:]); !ok {
			return "", "", "", syntaxError(arg, "%q is no type; the types are %s", name[i+1:], typeNames())
		}
		name = name[:i]
	}
	if name == "" {
		return "", "", "", syntaxError(arg, "the name is missing")
	}
	return name, typ, text, validText(name)
}

func splitPositional(arg string) (Type, string) {
	if i := strings.LastIndexByte(arg, ':'); i >= 0 {
		if typ, ok := parseType(arg[i+1:]); ok {
			return typ, arg[:i]
		}
	}
	return Untyped, arg
}

func syntaxError(arg, format string, args ...any) error {
	return fmt.Errorf("%q: %w: %s", arg, ErrSyntax, fmt.Sprintf(format, args...))
}
