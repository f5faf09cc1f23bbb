package wire

import "time"

// Limits bounds what peers can make a server or client spend. The zero value of a field means its default; a negative
// value means no bound. docs/limits.md has the table, with what happens at each bound.
type Limits struct {
	SniffTime  time.Duration // until the first bytes decided on the protocol; default 5 s
	SniffBytes int           // how many bytes may be undecided; default 64

	HeaderBytes int // an HTTP head, or the headers before an LSP message; default 16 KiB
	Headers     int // fields of an HTTP head; default 100

	MessageBytes int           // one message, request or answer; default 4 MiB
	MessageTime  time.Duration // for a message that has begun to arrive whole, one second more per 16 KiB; default 30 s
	Depth        int           // nesting of JSON; default 10 000
	RawDepth     int           // nesting of JSON that a function takes undecoded; default 64

	BatchItems      int // calls in one batch; default 1000
	BatchReplyBytes int // all answers of one batch, errors included; default 25 MiB

	Connections int   // at one time; default 100 000
	Calls       int   // running for one connection; default 4096
	InputBytes  int64 // unfinished large messages of all connections; default 1 GiB

	OutputBytes int           // unsent answers of a connection before new calls are refused; default 4 MiB
	OutputHard  int           // unsent answers of a connection before it is cut; default 64 MiB
	WriteTime   time.Duration // without progress of a write before the connection is cut; default 30 s

	IdleTime time.Duration // without a message and without a call in flight; default 10 min
	HalfOpen time.Duration // for calls to end after the peer stopped sending, then they are canceled; default 30 s
}

// WithDefaults returns l with each zero replaced by its default and each negative value by "no bound".
func (l Limits) WithDefaults() Limits {
	const never = 1 << 62
	setTime(&l.SniffTime, 5*time.Second)
	setInt(&l.SniffBytes, 64)
	setInt(&l.HeaderBytes, 16<<10)
	setInt(&l.Headers, 100)
	setInt(&l.MessageBytes, 4<<20)
	setTime(&l.MessageTime, 30*time.Second)
	setInt(&l.Depth, 10_000)
	setInt(&l.RawDepth, 64)
	setInt(&l.BatchItems, 1000)
	setInt(&l.BatchReplyBytes, 25<<20)
	setInt(&l.Connections, 100_000)
	setInt(&l.Calls, 4096)
	setInt(&l.OutputBytes, 4<<20)
	setInt(&l.OutputHard, 64<<20)
	setTime(&l.WriteTime, 30*time.Second)
	setTime(&l.IdleTime, 10*time.Minute)
	setTime(&l.HalfOpen, 30*time.Second)
	switch {
	case l.InputBytes == 0:
		l.InputBytes = 1 << 30
	case l.InputBytes < 0:
		l.InputBytes = never
	}
	return l
}

func setInt(v *int, standard int) {
	switch {
	case *v == 0:
		*v = standard
	case *v < 0:
		*v = int(^uint(0) >> 2) // far above any length, with room for sums
	}
}

func setTime(v *time.Duration, standard time.Duration) {
	switch {
	case *v == 0:
		*v = standard
	case *v < 0:
		*v = 1 << 60 // 36 years
	}
}
