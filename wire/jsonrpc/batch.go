package jsonrpc

// batch collects the answers of one received array until the last is in. They leave in the order of the requests, as
// users expect, though the specification allows any.
type batch struct {
	answers [][]byte // by request; nil where none is due or not in yet
	waiting int      // calls without an answer
	read    bool     // every request was read
	size    int      // bytes of the array, but for the closing bracket
	held    int      // bytes of the answers
}

// add reserves the place of the next answer.
func (b *batch) add() int {
	b.answers = append(b.answers, nil)
	return len(b.answers) - 1
}

// set puts an answer into its place.
func (b *batch) set(i int, answer []byte) {
	b.answers[i] = answer
	b.size += len(answer) + 1
	b.held += len(answer)
}

func (b *batch) done() bool { return b.read && b.waiting == 0 }

// array renders the answers, or nil when none is due: a batch of notifications gets nothing back (section 6).
func (b *batch) array() []byte {
	if b.size == 0 {
		return nil
	}
	dst := make([]byte, 0, b.size+2)
	for _, a := range b.answers {
		if a == nil {
			continue
		}
		if len(dst) == 0 {
			dst = append(dst, '[')
		} else {
			dst = append(dst, ',')
		}
		dst = append(dst, a...)
	}
	return append(dst, ']')
}
