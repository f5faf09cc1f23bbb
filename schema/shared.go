package schema

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// isShared reports whether t becomes a schema that others refer to: a named struct, or a named type that contains itself.
// Every circle of Go types goes through a named one.
func isShared(t *Type) bool {
	return t.Go.Name() != "" && (t.Kind == Struct || reaches(t, t, map[*Type]bool{}))
}

// reaches reports whether target is below t.
func reaches(t, target *Type, seen map[*Type]bool) bool {
	for _, next := range t.parts() {
		if next == target {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if reaches(next, target, seen) {
				return true
			}
		}
	}
	return false
}

// parts returns the types that t is made of.
func (t *Type) parts() []*Type {
	var parts []*Type
	if t.Elem != nil {
		parts = append(parts, t.Elem)
	}
	for _, f := range t.Fields {
		parts = append(parts, f.Type)
	}
	return parts
}

// name chooses the name of a shared schema: that of the Go type, with a number behind it when another type has it.
func (r *renderer) name(t *Type) string {
	base := plainName(t)
	name := base
	for i := 2; r.taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	r.names[t.Go], r.taken[name] = name, true
	return name
}

// plainName returns the name of the Go type in the characters that components of OpenRPC may have: Page[example.com/x.Item]
// is Page_Item.
func plainName(t *Type) string {
	base, args, generic := strings.Cut(t.Go.Name(), "[")
	if generic {
		for arg := range strings.SplitSeq(strings.TrimSuffix(args, "]"), ",") {
			base += "_" + arg[strings.LastIndexAny(arg, "./")+1:]
		}
	}
	clean := strings.Map(func(c rune) rune {
		if c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			return c
		}
		return -1
	}, base)
	if clean == "" {
		return "Type"
	}
	return clean
}

// properties is an object of schemas that keeps its order.
type properties struct {
	names []string
	nodes []*node
}

func (p *properties) add(name string, n *node) { p.set(p.reserve(name), n) }

func (p *properties) reserve(name string) int {
	p.names, p.nodes = append(p.names, name), append(p.nodes, nil)
	return len(p.names) - 1
}

func (p *properties) set(i int, n *node) { p.nodes[i] = n }

// MarshalJSON writes the members in the order in which they were added.
func (p *properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range p.names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encode(name)
		if err != nil {
			return nil, err
		}
		value, err := encode(p.nodes[i])
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode is json.Marshal without escapes for HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
