package rest

import (
	"bytes"
	"errors"

	"github.com/anywire/anywire/call"
)

// maxMembers bounds the members of one query or form: each costs more memory than the two bytes that ask for it.
const maxMembers = 10_000

// Errors of a query or form.
var (
	errPercent = errors.New("a percent sign is not followed by two hexadecimal digits")
	errMembers = errors.New("there are more than 10000 members")
)

// appendQuery appends the members of q, decoded into mem, and returns both grown. The rules are those by which browsers
// read application/x-www-form-urlencoded (https://url.spec.whatwg.org section 5.1): members are separated by '&' alone,
// empty ones do not count, and one without '=' has an empty value. A ';' is an ordinary character, unlike in net/url.
func appendQuery(dst []call.Field, mem, q []byte) ([]call.Field, []byte, error) {
	for n := 0; len(q) > 0; {
		var member []byte
		member, q, _ = bytes.Cut(q, []byte("&"))
		if len(member) == 0 {
			continue
		}
		if n++; n > maxMembers {
			return dst, mem, errMembers
		}
		name, value, _ := bytes.Cut(member, []byte("="))
		var f call.Field
		var nameOK, valueOK bool
		f.Name, mem, nameOK = decodeForm(mem, name)
		f.Value, mem, valueOK = decodeForm(mem, value)
		if !nameOK || !valueOK {
			return dst, mem, errPercent
		}
		dst = append(dst, f)
	}
	return dst, mem, nil
}

// decodeForm decodes s at the end of mem and returns the result and mem grown by it.
func decodeForm(mem, s []byte) (text, grown []byte, ok bool) {
	start := len(mem)
	mem, ok = appendForm(mem, s)
	return mem[start:len(mem):len(mem)], mem, ok
}
