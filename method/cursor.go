package method

import "github.com/anywire/anywire/codec/json"

// cursor moves through one valid JSON value and passes each byte once, however deep the value is: json.Members would look
// for the end of each member before the member itself is looked at, and so on in every level.
type cursor struct{ rest []byte }

// kind returns the kind of the next value, as json.Kind does.
func (c *cursor) kind() byte { return json.Kind(c.rest) }

// value passes the next value and returns it.
func (c *cursor) value() []byte {
	var s json.Scanner
	end, err := s.Scan(c.rest, true)
	if err != nil {
		panic("method: the cursor is not in valid JSON: " + err.Error())
	}
	value := c.rest[s.Start():end]
	c.rest = c.rest[end:]
	return value
}

// name passes the name of a member, with the colon.
func (c *cursor) name() []byte {
	token := c.value()
	c.enter()
	return token
}

// enter passes one byte of structure: the beginning of an array or object, or a colon.
func (c *cursor) enter() {
	c.space()
	c.rest = c.rest[1:]
}

// next reports whether an element follows; otherwise it passes the end of the array or object.
func (c *cursor) next() bool {
	c.space()
	switch c.rest[0] {
	case ',':
		c.rest = c.rest[1:]
		return true
	case ']', '}':
		c.rest = c.rest[1:]
		return false
	}
	return true // the first one
}

func (c *cursor) space() {
	for c.rest[0] == ' ' || c.rest[0] == '\n' || c.rest[0] == '\r' || c.rest[0] == '\t' {
		c.rest = c.rest[1:]
	}
}
