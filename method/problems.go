package method

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
)

// Bounds of what an error repeats of what strangers sent.
const (
	maxProblems = 100
	maxName     = 64
	maxPath     = 512
)

// problems gathers all that is wrong with the arguments of one call.
type problems struct {
	list []call.Violation
	more int // that are not in the list
}

func (p *problems) add(path []byte, format string, args ...any) {
	if len(p.list) == maxProblems {
		p.more++
		return
	}
	if len(path) > maxPath {
		path = append([]byte(strings.ToValidUTF8(string(path[:maxPath]), "")), "…"...)
	}
	p.list = append(p.list, call.Violation{Path: string(path), Message: fmt.Sprintf(format, args...)})
}

// mistake adds what decoding the value at path met, unless that place has a problem already.
func (p *problems) mistake(path []byte, err error) {
	if err == nil {
		return
	}
	told := &json.Mistake{Message: "unacceptable value"}
	errors.As(err, &told)
	at := slices.Clone(path)
	if told.Path != "" && told.Path[0] != '[' {
		at = append(at, '.')
	}
	if at = append(at, told.Path...); !p.told(at) {
		p.add(at, "%s", told.Message)
	}
}

// told reports whether path has a problem already.
func (p *problems) told(path []byte) bool {
	for i := range p.list {
		if p.list[i].Path == string(path) {
			return true
		}
	}
	return false
}

// err returns the answer to the call, or nil.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	if p.more > 0 {
		p.list = append(p.list, call.Violation{Message: strconv.Itoa(p.more) + " more problems"})
	}
	return call.InvalidParams(p.list...)
}

// appendMember appends one step of a path: .price or, for a name that is more than a word, ["unit price"].
func appendMember(path []byte, name string) []byte {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "") + "…"
	}
	switch {
	case !isWord(name):
		path = append(path, '[')
		return append(json.AppendString(path, name), ']')
	case len(path) > 0:
		path = append(path, '.')
	}
	return append(path, name...)
}

func appendIndex(path []byte, i int) []byte {
	path = append(path, '[')
	path = strconv.AppendInt(path, int64(i), 10)
	return append(path, ']')
}

func isWord(s string) bool {
	strange := func(r rune) bool {
		return r != '_' && r != '-' && r != '$' && r != '…' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return s != "" && !strings.ContainsFunc(s, strange)
}
