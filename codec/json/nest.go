package json

// kind is what a value can lie in.
type kind uint64

const (
	array  kind = 0
	object kind = 1
)

// nest is a stack of arrays and objects, one bit for each: ten thousand levels take 1.25 KB, and the first 64 nothing.
type nest struct {
	depth int
	last  uint64   // the innermost levels, the youngest in the lowest bit
	outer []uint64 // 64 levels each; kept for the next value
}

func (n *nest) reset() {
	n.depth, n.outer = 0, n.outer[:0]
}

func (n *nest) push(k kind) {
	if n.depth > 0 && n.depth%64 == 0 {
		n.outer = append(n.outer, n.last)
	}
	n.last = n.last<<1 | uint64(k)
	n.depth++
}

func (n *nest) pop() {
	n.depth--
	n.last >>= 1
	if n.depth > 0 && n.depth%64 == 0 {
		n.last = n.outer[len(n.outer)-1]
		n.outer = n.outer[:len(n.outer)-1]
	}
}

// top returns the innermost level. There must be one.
func (n *nest) top() kind { return kind(n.last & 1) }
