package json

// DefaultDepth is how deeply arrays and objects may lie in each other when nobody says otherwise.
const DefaultDepth = 10000

// Scanner finds the end of one JSON value in bytes that arrive bit by bit, and checks it against RFC 8259. It is as strict
// as that document allows: invalid UTF-8, halves of surrogate pairs and a byte order mark are errors. Member names may
// repeat; whoever gives them a meaning decides about that.
//
// The zero value is ready for use. A Scanner keeps no reference to the bytes and allocates only for values that are nested
// more than 64 deep. It is not safe for concurrent use.
type Scanner struct {
	MaxDepth int // how deeply arrays and objects may lie in each other; 0: DefaultDepth

	pos    int    // in[:pos] is understood
	start  int    // where the value begins
	state  state  // what may come at pos
	number number // how far the number at pos has come, in state inNumber
	nest   nest   // the arrays and objects around pos
	err    error  // what is wrong, for ever
}

// state says what may come next.
type state uint8

const (
	wantValue     state = iota
	wantFirstItem       // a value or the end of the array
	wantFirstName       // a member name or the end of the object
	wantName            // a member name
	wantColon           // between name and value
	wantComma           // after a value inside of an array or object, or the end of that
	inNumber
	inString // of a value
	inName   // of a member
	done
)

// Reset makes s ready for another value, which may begin at another place. MaxDepth stays.
func (s *Scanner) Reset() {
	s.pos, s.start, s.state, s.err = 0, 0, wantValue, nil
	s.nest.reset()
}

// Start returns where the value begins, after white space. Before the value's first byte came it is the number of bytes
// seen, so after ErrUnexpectedEnd a Start of len(in) means that there was no value at all.
func (s *Scanner) Start() int { return s.start }

// Scan goes on. in holds all bytes since Reset: it may lie elsewhere at each call, but begins with the same bytes, of which
// s looks only at those that are new. eof says that no more will follow.
//
// When end > 0 the value is in[s.Start():end]. When end is 0 without an error more bytes are needed. A number that nothing
// surrounds ends at the first byte that cannot continue it, or at eof. Anything else that eof cuts off is ErrUnexpectedEnd;
// the other errors are ErrDepth and *SyntaxError, and they stay until Reset.
func (s *Scanner) Scan(in []byte, eof bool) (end int, err error) {
	if s.pos == 0 && s.state == wantValue && s.err == nil {
		s.quickly(in)
	}
	for going := s.err == nil && s.state != done; going; going = s.step(in) {
	}
	switch {
	case s.err != nil:
		return 0, s.err
	case s.state == done:
		return s.pos, nil
	case !eof:
		return 0, nil
	case s.state == inNumber && s.nest.depth == 0 && s.number.whole():
		s.state = done
		return s.pos, nil
	}
	return 0, ErrUnexpectedEnd
}

// step understands one token, and a comma or colon right behind it. It returns false when it cannot go on: the value is
// whole, bytes are wanting, or s.err says what is wrong.
func (s *Scanner) step(in []byte) bool {
	switch s.state {
	case inString, inName:
		return s.scanString(in)
	case inNumber:
		return s.scanNumber(in)
	}
	if !s.skipSpace(in) {
		return false
	}
	c := in[s.pos]
	switch s.state {
	case wantValue:
		return s.beginValue(in, c)
	case wantFirstItem:
		if c == ']' {
			return s.leave(in)
		}
		return s.beginValue(in, c)
	case wantFirstName:
		if c == '}' {
			return s.leave(in)
		}
		return s.beginName(in, c)
	case wantName:
		return s.beginName(in, c)
	case wantColon:
		if c != ':' {
			return s.fail(s.pos, "want a colon after the member name")
		}
		return s.advance(wantValue)
	}
	return s.afterValue(in, c)
}

// skipSpace moves to the next byte that is not white space and reports whether there is one.
func (s *Scanner) skipSpace(in []byte) bool {
	for s.pos < len(in) && isSpace(in[s.pos]) {
		s.pos++
	}
	if s.nest.depth == 0 {
		s.start = s.pos
	}
	return s.pos < len(in)
}

// advance accepts the byte at pos.
func (s *Scanner) advance(next state) bool {
	s.pos++
	s.state = next
	return true
}

func (s *Scanner) beginValue(in []byte, c byte) bool {
	switch c {
	case '"':
		s.advance(inString)
		return s.scanString(in)
	case '{':
		return s.enter(object)
	case '[':
		return s.enter(array)
	case 't':
		return s.scanWord(in, "true")
	case 'f':
		return s.scanWord(in, "false")
	case 'n':
		return s.scanWord(in, "null")
	}
	if c == '-' || isDigit(c) {
		s.state, s.number = inNumber, begun
		return s.scanNumber(in)
	}
	return s.fail(s.pos, "want a value")
}

func (s *Scanner) beginName(in []byte, c byte) bool {
	if c != '"' {
		return s.fail(s.pos, "want a member name in quotes")
	}
	s.advance(inName)
	return s.scanString(in)
}

// afterValue accepts what follows a value inside of an array or object.
func (s *Scanner) afterValue(in []byte, c byte) bool {
	inside := s.nest.top()
	switch {
	case c == ',' && inside == object:
		return s.advance(wantName)
	case c == ',':
		return s.advance(wantValue)
	case c == '}' && inside == object, c == ']' && inside == array:
		return s.leave(in)
	case inside == object:
		return s.fail(s.pos, "want a comma or the end of the object")
	}
	return s.fail(s.pos, "want a comma or the end of the array")
}

func (s *Scanner) enter(k kind) bool {
	limit := s.MaxDepth
	if limit == 0 {
		limit = DefaultDepth
	}
	if s.nest.depth >= limit {
		s.err = ErrDepth
		return false
	}
	s.nest.push(k)
	if k == object {
		return s.advance(wantFirstName)
	}
	return s.advance(wantFirstItem)
}

func (s *Scanner) leave(in []byte) bool {
	s.nest.pop()
	s.pos++
	return s.valueDone(in)
}

// valueDone goes on behind a value that ends at pos. A comma mostly follows at once: taking it here saves a step.
func (s *Scanner) valueDone(in []byte) bool {
	switch {
	case s.nest.depth == 0:
		s.state = done
		return false
	case s.pos < len(in) && in[s.pos] == ',':
		return s.afterValue(in, ',')
	default:
		s.state = wantComma
	}
	return true
}

// scanWord accepts true, false or null. What came of the word is looked at anew when more comes: it is that short.
func (s *Scanner) scanWord(in []byte, word string) bool {
	came := in[s.pos:min(s.pos+len(word), len(in))]
	for i, c := range came {
		if c != word[i] {
			return s.fail(s.pos+i, "want "+word)
		}
	}
	if len(came) < len(word) {
		return false
	}
	s.pos += len(word)
	return s.valueDone(in)
}

func (s *Scanner) fail(offset int, reason string) bool {
	s.err = &SyntaxError{Offset: offset, Reason: reason}
	return false
}

func isSpace(c byte) bool { return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t') }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
