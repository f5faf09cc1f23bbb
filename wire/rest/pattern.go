package rest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxWildcards bounds the wildcards of one pattern, so that matching needs no memory of its own.
const maxWildcards = 16

// pattern is a parsed pattern: "GET /orders/{id}".
type pattern struct {
	verb     string
	segments []segment
}

// segment is one part of a pattern's path.
type segment struct {
	kind segmentKind
	text string // the literal, or the wildcard's name
}

type segmentKind uint8

const (
	literal segmentKind = iota
	one                 // {name}: one segment
	rest                // {name...}: all that follows, be it nothing
)

// parsePattern reads a pattern; its errors say what is wrong with it.
func parsePattern(s string) (pattern, error) {
	verb, path, _ := strings.Cut(s, " ")
	if !isToken([]byte(verb)) {
		return pattern{}, fmt.Errorf("%q is no verb", verb)
	}
	if !strings.HasPrefix(path, "/") || path == "/" {
		return pattern{}, fmt.Errorf("the path %q names nothing below /", path)
	}
	p := pattern{verb: verb}
	for _, text := range strings.Split(path[1:], "/") {
		seg, err := parseSegment(text)
		if err != nil {
			return pattern{}, err
		}
		p.segments = append(p.segments, seg)
	}
	return p, p.check()
}

func parseSegment(s string) (segment, error) {
	inner, opens := strings.CutPrefix(s, "{")
	inner, closes := strings.CutSuffix(inner, "}")
	switch {
	case s == "":
		return segment{}, fmt.Errorf("a segment is empty")
	case !opens && !closes:
		return segment{literal, s}, literalError(s)
	case !opens || !closes:
		return segment{}, fmt.Errorf("the segment %q is a wildcard in part only", s)
	}
	if name, all := strings.CutSuffix(inner, "..."); all {
		return segment{rest, name}, nameError(name)
	}
	return segment{one, inner}, nameError(inner)
}

func literalError(s string) error {
	if strings.ContainsAny(s, "{}%?# ") {
		return fmt.Errorf("the segment %q holds one of {}%%?# or a space; write what it is after decoding", s)
	}
	return nil
}

func nameError(name string) error {
	odd := func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if name == "" || strings.ContainsFunc(name, odd) {
		return fmt.Errorf("%q is no name for a wildcard", name)
	}
	return nil
}

// check looks at what no segment shows alone.
func (p *pattern) check() error {
	var names []string
	for i, seg := range p.segments {
		switch {
		case seg.kind == literal:
			continue
		case seg.kind == rest && i < len(p.segments)-1:
			return fmt.Errorf("{%s...} is not the last segment", seg.text)
		case slices.Contains(names, seg.text):
			return fmt.Errorf("two wildcards are named %q", seg.text)
		}
		names = append(names, seg.text)
	}
	if len(names) > maxWildcards {
		return fmt.Errorf("there are more than %d wildcards", maxWildcards)
	}
	return nil
}

// names returns the names of the wildcards in order.
func (p *pattern) names() (names [][]byte) {
	for _, seg := range p.segments {
		if seg.kind != literal {
			names = append(names, []byte(seg.text))
		}
	}
	return names
}

// isToken reports whether s is a token (RFC 9110 section 5.6.2).
func isToken(s []byte) bool {
	return len(s) > 0 && bytes.IndexFunc(s, func(r rune) bool { return !isTokenRune(r) }) < 0
}

func isTokenRune(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return true
	}
	return strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
