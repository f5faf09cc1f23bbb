package wire

import "errors"

// Match is what the first bytes of a connection say about one protocol.
type Match uint8

const (
	Differs Match = iota // it is not this one
	Perhaps              // more bytes are needed
	Matches              // it is this one
)

// Protocol is one protocol that a port can speak.
type Protocol struct {
	Name  string                // for options and logs
	Match func(in []byte) Match // looks at the first bytes, of which there is at least one; pure
	New   func() Machine        // makes the machine for a connection
}

// ErrUnknownProtocol ends a connection whose first bytes fit no protocol of its port.
var ErrUnknownProtocol = errors.New("wire: the first bytes fit no protocol of this port")

// Detector is the machine that every accepted connection starts with. Its only frame is Upgrade to the machine of the
// first protocol, in order, that matches. It has no state, so connections share one.
type Detector struct {
	Protocols []Protocol
	Fallback  *Protocol // takes what fits none; nil: such a connection ends
	MaxBytes  int       // how many bytes may be looked at before the undecided are given up
}

// Recv looks at the bytes and consumes none of them.
func (d *Detector) Recv(in []byte, eof bool, _ *Out, f *Frame) (n, want int, err error) {
	if len(in) == 0 {
		return 0, 0, nil
	}
	undecided := false
	for i := range d.Protocols {
		switch d.Protocols[i].Match(in) {
		case Matches:
			return 0, 0, d.choose(&d.Protocols[i], f)
		case Perhaps:
			undecided = true
		}
	}
	if undecided && !eof && len(in) < d.MaxBytes {
		return 0, len(in) + 1, nil
	}
	return 0, 0, d.choose(d.Fallback, f)
}

func (d *Detector) choose(p *Protocol, f *Frame) error {
	if p == nil {
		return ErrUnknownProtocol
	}
	f.Kind, f.Next = Upgrade, p.New()
	return nil
}

// Silent is called when the time for the first bytes is over: the machine of the fallback, or nil.
func (d *Detector) Silent() Machine {
	if d.Fallback == nil {
		return nil
	}
	return d.Fallback.New()
}

// Send drops the frame: there is no exchange yet.
func (d *Detector) Send(*Frame, *Out) (bool, error) { return false, nil }

// Tick has nothing to do.
func (d *Detector) Tick(Time, *Out) (Time, error) { return 0, nil }

// Held is nothing.
func (d *Detector) Held() int { return 0 }

// Drain is done at once: there is no exchange yet.
func (d *Detector) Drain(*Out) bool { return true }

// Prefix reports how in begins with word: it may be shorter.
func Prefix(in []byte, word string) Match {
	n := min(len(in), len(word))
	switch {
	case string(in[:n]) != word[:n]:
		return Differs
	case n < len(word):
		return Perhaps
	}
	return Matches
}
