package method

import (
	"bytes"
	"reflect"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/codec/json"
)

// source says where an argument came from.
type source uint8

const (
	nowhere source = iota
	fromText
	fromBody
	fromPlain // the body itself, undecoded
)

// String names the source for people.
func (s source) String() string {
	if s == fromText {
		return "path, query or form"
	}
	return "body"
}

// slot is what came for one parameter.
type slot struct {
	raw  []byte // JSON; with fromPlain anything
	from source
	list bool // raw is an array that is not closed yet
}

// decoding is the work on the arguments of one call: first all slots are filled, then they are decoded.
type decoding struct {
	plan     *funcPlan
	slots    []slot
	problems problems
}

func (p *funcPlan) decode(c *call.Call, h *call.Head, body []byte) error {
	a := p.newArgs()
	if !p.quick(a, h, body) {
		a.clear()
		a.prepare()
		if err := p.slow(a, h, body); err != nil {
			a.release()
			return err
		}
	}
	if p.validators != nil {
		if err := p.validate(a); err != nil {
			a.release()
			return err
		}
	}
	c.In = a
	c.SetValues(a)
	return nil
}

// slow decodes arguments from anywhere into a, and finds everything that is wrong with them.
func (p *funcPlan) slow(a *args, h *call.Head, body []byte) error {
	d := decoding{plan: p, slots: make([]slot, len(p.params))}
	d.text(h.Text)
	if h.Codec == call.Raw {
		d.plain(body)
	} else if err := d.json(body); err != nil {
		return err
	}
	for i := range p.params {
		d.decode(a, i)
	}
	return d.problems.err()
}

func (d *decoding) json(body []byte) error {
	if err := checkBody(body, 0); err != nil {
		return err
	}
	switch json.Kind(body) {
	case '[':
		d.byPosition(body)
	case '{':
		d.byName(body)
	}
	return nil
}

func (d *decoding) byPosition(body []byte) {
	n := 0
	params := d.plan.params
	last := len(params) - 1
	for item := range json.Items(body) {
		switch {
		case n < last, n == last && !d.plan.variadic:
			d.fill(n, item)
		case d.plan.variadic:
			d.collect(last, item, fromBody)
		}
		n++
	}
	if n > len(params) && !d.plan.variadic {
		d.problems.add(nil, "want at most %s, got %d; %s", count(len(params), "parameter"), n, d.plan.known())
	}
}

func (d *decoding) byName(body []byte) {
	next := 0
	for token, value := range json.Members(body) {
		i := d.match(token, next)
		if i < 0 {
			d.unknown(string(json.AppendUnquoted(nil, token)))
			continue
		}
		d.fill(i, value)
		next = i + 1
	}
}

// match returns the index of the parameter that token names, or -1. Members often come in the order of the parameters, so
// that is tried first.
func (d *decoding) match(token []byte, next int) int {
	params := d.plan.params
	if next < len(params) && json.KeyIs(token, params[next].Name) {
		return next
	}
	for i := range params {
		if json.KeyIs(token, params[i].Name) {
			return i
		}
	}
	return -1
}

func (d *decoding) unknown(name string) {
	d.problems.add(appendMember(nil, name), "unknown parameter, %s", d.plan.known())
}

// fill takes raw from the body for parameter i, unless something came for that already.
func (d *decoding) fill(i int, raw []byte) {
	s := &d.slots[i]
	switch {
	case s.from == nowhere:
		*s = slot{raw: raw, from: fromBody}
	case s.from == fromBody:
		d.problem(i, "came more than once in the body")
	default:
		d.problem(i, "came more than once: in the %v and in the %v", s.from, fromBody)
	}
}

// collect adds raw to the list that parameter i takes.
func (d *decoding) collect(i int, raw []byte, from source) {
	s := &d.slots[i]
	switch {
	case s.from == nowhere:
		*s = slot{append([]byte{'['}, raw...), from, true}
	case s.from == from:
		s.raw = append(append(s.raw, ','), raw...)
	case !d.problems.told([]byte(d.plan.params[i].Name)):
		d.problem(i, "came more than once: in the %v and in the %v", s.from, from)
	}
}

func (d *decoding) problem(i int, format string, args ...any) {
	d.problems.add(appendMember(nil, d.plan.params[i].Name), format, args...)
}

// decode turns what came for parameter i into the argument.
func (d *decoding) decode(a *args, i int) {
	p, s, known := &d.plan.params[i], &d.slots[i], len(d.problems.list)
	if s.list {
		s.raw = append(s.raw, ']')
	}
	absent := s.from == nowhere || s.from != fromPlain && !p.Required && json.Kind(s.raw) == 'n' && !nullable(p.schema)
	switch {
	case absent && p.Default != nil:
		d.plan.value(p, p.Default, a.place(i), &d.problems)
	case absent && p.Required && !d.problems.told(appendMember(nil, p.Name)):
		d.problem(i, "missing, want %s", p.want())
	case absent:
	case s.from == fromPlain:
		d.take(p, s.raw, a.place(i))
		d.check(i, a.place(i), known)
	default:
		d.plan.value(p, s.raw, a.place(i), &d.problems)
		d.check(i, a.place(i), known)
	}
}

// check holds what came for parameter i to its constraint, unless decoding it added to the known problems.
func (d *decoding) check(i int, v reflect.Value, known int) {
	c := d.plan.params[i].Constraint
	if c == nil || len(d.problems.list) > known {
		return
	}
	if told := violation(c, v); told != "" {
		d.problem(i, "%s", told)
	}
}

var null = []byte("null")

// value decodes raw into dst, the place of parameter p.
func (p *funcPlan) value(q *param, raw []byte, dst reflect.Value, found *problems) {
	path := appendMember(nil, q.Name)
	if q.deep || bytes.Contains(raw, null) {
		in := inspection{cursor: cursor{raw}, rawDepth: p.rawDepth, problems: found, path: path}
		in.inspect(q.schema)
	}
	if q.fills {
		raw = filled(q.schema, raw)
	}
	if q.Type == readerType {
		readerValue(raw, dst, path, found)
		return
	}
	found.mistake(path, json.Unmarshal(raw, dst.Addr().Interface()))
}

// readerValue makes a reader of the bytes that the base64 string raw stands for.
func readerValue(raw []byte, dst reflect.Value, path []byte, found *problems) {
	var b []byte
	found.mistake(path, json.Unmarshal(raw, &b))
	dst.Set(reflect.ValueOf(bytes.NewReader(b)))
}
