package json

// Walker goes through the members of an object, validating and splitting it in one pass. It is for the objects that most
// messages are: small, whole, no escapes in names. Anything else it declines, and the caller takes the long way by Scanner
// and Members. It allocates nothing.
type Walker struct {
	Key   []byte // of the member, a raw string token without escapes
	Value []byte // of the member, valid JSON

	in     []byte
	at     int // behind the member
	end    int // behind the object; declined: it is none that the Walker can read
	levels int // that values may be deep
}

// Walk begins at the object that in begins with; white space in front of it is declined, and so is nesting of more than
// maxDepth levels.
func Walk(in []byte, maxDepth int) Walker {
	w := Walker{in: in, end: declined, levels: min(quickLevels, maxDepth-1)}
	if len(in) > 0 && in[0] == '{' {
		w.at = 1
	}
	return w
}

// Next goes to the next member and reports whether there is one. Behind the last, or when the object is declined, there is
// none.
func (w *Walker) Next() bool {
	in := w.in
	at := quickSpace(in, w.at)
	switch {
	case w.at == 0 || at == len(in):
		return false
	case in[at] == '}':
		w.end = at + 1
		return false
	case in[at] == ',' && w.at > 1:
		if at = quickSpace(in, at+1); at == len(in) {
			return false
		}
	case w.at > 1:
		return false
	}
	return w.member(at)
}

func (w *Walker) member(at int) bool {
	in := w.in
	if in[at] != '"' {
		return false
	}
	behind := quickName(in, at+1)
	if behind < 0 {
		return false
	}
	key := in[at:behind]
	if at = quickSpace(in, behind); at == len(in) || in[at] != ':' {
		return false
	}
	at = quickSpace(in, at+1)
	if behind = quickValue(in, at, w.levels); behind < 0 {
		return false
	}
	w.Key, w.Value = key, in[at:behind]
	w.at = behind
	return true
}

// End returns where the object ends, once Next has returned false; ok is false when it was declined.
func (w *Walker) End() (end int, ok bool) { return w.end, w.end >= 0 }

// quickName begins behind the opening quote of a name and declines escapes and other than ASCII.
func quickName(in []byte, at int) int {
	for ; at < len(in); at++ {
		switch c := in[at]; {
		case c == '"':
			return at + 1
		case c < ' ' || c == '\\' || c >= 0x7F:
			return declined
		}
	}
	return declined
}

// QuickEnd returns where the value ends that begins at in[at], when it is whole, valid and simple; 0: it has to be looked at
// properly.
func QuickEnd(in []byte, at, maxDepth int) int {
	return max(0, quickValue(in, at, min(quickLevels, maxDepth)))
}
