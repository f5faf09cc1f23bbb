package rest

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
)

// node is one position in the paths of a Router. Nodes are never changed once a Router has them.
type node struct {
	literals map[string]*node // the segment that follows, decoded
	one      *node            // {name}
	rest     *node            // {name...}
	leaves   []leaf           // routes that end here, a verb each
}

// leaf is the end of one route.
type leaf struct {
	verb   string
	method []byte
	names  [][]byte // of the wildcards passed on the way
}

// add returns a copy of n that has the route l below it.
func (n *node) add(path []segment, l leaf) (*node, error) {
	c := n.clone()
	if len(path) == 0 {
		if other := c.leaf([]byte(l.verb)); other != nil {
			return nil, fmt.Errorf("the route to %s has the same verb and paths", other.method)
		}
		c.leaves = append(slices.Clip(c.leaves), l)
		return c, nil
	}
	child, err := c.child(path[0]).add(path[1:], l)
	if err != nil {
		return nil, err
	}
	c.setChild(path[0], child)
	return c, nil
}

func (n *node) clone() *node {
	if n == nil {
		return &node{}
	}
	c := *n
	c.literals = maps.Clone(n.literals)
	return &c
}

func (n *node) child(seg segment) *node {
	switch seg.kind {
	case one:
		return n.one
	case rest:
		return n.rest
	}
	return n.literals[seg.text]
}

func (n *node) setChild(seg segment, child *node) {
	switch {
	case seg.kind == one:
		n.one = child
	case seg.kind == rest:
		n.rest = child
	case n.literals == nil:
		n.literals = map[string]*node{seg.text: child}
	default:
		n.literals[seg.text] = child
	}
}

// literal returns the node after a segment as sent, or nil.
func (n *node) literal(seg []byte) *node {
	if bytes.IndexByte(seg, '%') < 0 {
		return n.literals[string(seg)]
	}
	var short [64]byte
	text, _ := appendPercent(short[:0], seg)
	return n.literals[string(text)]
}

// leaf returns the route that ends at n for the verb, or nil.
func (n *node) leaf(verb []byte) *leaf {
	for i := range n.leaves {
		if n.leaves[i].verb == string(verb) {
			return &n.leaves[i]
		}
	}
	return nil
}
