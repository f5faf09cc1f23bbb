package method

import (
	"bytes"
	"reflect"
	"unicode/utf8"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
	"github.com/anywire/anywire/schema"
)

// text takes the arguments that came as text. From there on they are JSON, so that one path decodes all.
func (d *decoding) text(fields []call.Field) {
	for _, f := range fields {
		i := d.plan.find(string(f.Name))
		if i < 0 {
			d.unknown(string(f.Name))
			continue
		}
		if !utf8.Valid(f.Value) {
			d.problem(i, "want text in UTF-8")
			continue
		}
		d.fillText(i, f.Value)
	}
}

func (d *decoding) fillText(i int, text []byte) {
	t := d.plan.params[i].schema
	switch {
	case t.Kind == schema.List: // by repetition
		d.collect(i, schema.AppendText(nil, t.Elem, text), fromText)
	case d.slots[i].from == nowhere:
		d.slots[i] = slot{raw: schema.AppendText(nil, t, text), from: fromText}
	default:
		d.problem(i, "came more than once in the %v", fromText)
	}
}

// plain gives the undecoded body to the one parameter that can take it.
func (d *decoding) plain(body []byte) {
	taker := d.taker(bytesType, readerType)
	if taker == nobody {
		taker = d.taker(rawType, stringType)
	}
	switch {
	case taker >= 0:
		d.slots[taker] = slot{raw: body, from: fromPlain}
	case taker == several:
		d.problems.add(nil, "the body is plain bytes, and several parameters could take them; send JSON, or all but one as text")
	case len(body) > 0:
		d.problems.add(nil, "the body is plain bytes, and no parameter takes them; send JSON")
	}
}

const (
	nobody  = -1
	several = -2
)

// taker returns the only parameter of one of two types that did not come as text, or nobody, or several.
func (d *decoding) taker(one, other reflect.Type) int {
	found := nobody
	for i := range d.plan.params {
		if t := d.plan.params[i].Type; t != one && t != other || d.slots[i].from != nowhere {
			continue
		}
		if found != nobody {
			return several
		}
		found = i
	}
	return found
}

// take copies the undecoded body to dst, the place of parameter p.
func (d *decoding) take(p *param, body []byte, dst reflect.Value) {
	path := appendMember(nil, p.Name)
	switch p.Type {
	case bytesType:
		dst.SetBytes(append([]byte{}, body...))
	case readerType:
		dst.Set(reflect.ValueOf(bytes.NewReader(bytes.Clone(body))))
	case rawType:
		if err := json.Valid(body, d.plan.rawDepth); err != nil {
			d.problems.add(path, "want JSON: %s", reason(err))
		}
		dst.SetBytes(bytes.Clone(body))
	case stringType:
		if !utf8.Valid(body) {
			d.problems.add(path, "want text in UTF-8")
		}
		dst.SetString(string(body))
	}
}
