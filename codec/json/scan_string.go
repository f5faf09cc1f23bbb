package json

import "unicode/utf8"

// scanString accepts what came of a string, from behind its opening quote. An escape or a character that is cut off is
// looked at anew when more comes.
func (s *Scanner) scanString(in []byte) bool {
	for {
		s.pos += plain(in[s.pos:])
		if s.pos == len(in) {
			return false
		}
		switch c := in[s.pos]; {
		case c == '"':
			return s.endString(in)
		case c < ' ':
			return s.fail(s.pos, "control character in a string")
		case c == '\\':
			if !s.scanEscape(in) {
				return false
			}
		default:
			if !s.scanRunes(in) {
				return false
			}
		}
	}
}

// endString accepts the closing quote, and the colon that mostly follows a name at once.
func (s *Scanner) endString(in []byte) bool {
	s.pos++
	switch {
	case s.state == inString:
		return s.valueDone(in)
	case s.pos < len(in) && in[s.pos] == ':':
		return s.advance(wantValue)
	}
	s.state = wantColon
	return true
}

// scanRunes accepts characters outside of ASCII, as many as follow each other.
func (s *Scanner) scanRunes(in []byte) bool {
	for s.pos < len(in) && in[s.pos] >= utf8.RuneSelf {
		r, size := utf8.DecodeRune(in[s.pos:])
		if r != utf8.RuneError || size > 1 {
			s.pos += size
			continue
		}
		if utf8.FullRune(in[s.pos:]) {
			return s.fail(s.pos, "invalid UTF-8")
		}
		return false
	}
	return true
}

// scanEscape accepts one escape; two halves of a surrogate pair count as one (RFC 8259 section 7).
func (s *Scanner) scanEscape(in []byte) bool {
	rest := in[s.pos:]
	if len(rest) < 2 {
		return false
	}
	if rest[1] != 'u' {
		if unescaped[rest[1]] == 0 {
			return s.fail(s.pos+1, "unknown escape")
		}
		s.pos += 2
		return true
	}
	r, ok := s.scanHex(rest, 0)
	switch {
	case !ok:
		return false
	case isLowSurrogate(r):
		return s.fail(s.pos, "second half of a surrogate pair without the first")
	case !isHighSurrogate(r):
		s.pos += 6
		return true
	}
	return s.scanLowHalf(rest)
}

// scanLowHalf accepts a surrogate pair whose first half is at rest[:6].
func (s *Scanner) scanLowHalf(rest []byte) bool {
	const lone = "first half of a surrogate pair without the second"
	for i, want := range []byte(`\u`) {
		switch {
		case 6+i == len(rest):
			return false
		case rest[6+i] != want:
			return s.fail(s.pos, lone)
		}
	}
	r, ok := s.scanHex(rest, 6)
	switch {
	case !ok:
		return false
	case !isLowSurrogate(r):
		return s.fail(s.pos, lone)
	}
	s.pos += 12
	return true
}

// scanHex returns the four hexadecimal digits of the escape at rest[at:], whose \u is there.
func (s *Scanner) scanHex(rest []byte, at int) (r rune, ok bool) {
	for i := at + 2; i < at+6; i++ {
		if i == len(rest) {
			return 0, false
		}
		d := hexDigit(rest[i])
		if d < 0 {
			return 0, s.fail(s.pos+i, "want four hexadecimal digits")
		}
		r = r<<4 | d
	}
	return r, true
}

func isHighSurrogate(r rune) bool { return 0xd800 <= r && r < 0xdc00 }

func isLowSurrogate(r rune) bool { return 0xdc00 <= r && r < 0xe000 }
