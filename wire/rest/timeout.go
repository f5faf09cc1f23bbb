package rest

import (
	"bytes"
	"time"
)

// fieldTimeout names the request field that says how long the caller waits: decimal seconds, such as 2.5.
const fieldTimeout = "Request-Timeout"

// longest is where a timeout stops to matter; longer ones are cut to it.
const longest = 1_000_000_000 // seconds, 31 years

// parseTimeout reads decimal seconds: digits, then perhaps a point and digits, of which nine count. Zero, which leaves no
// time at all, becomes the shortest timeout, since none means that the caller did not say.
func parseTimeout(s []byte) (time.Duration, bool) {
	whole, fraction, hasPoint := bytes.Cut(s, []byte("."))
	if !isDigits(whole) || hasPoint && !isDigits(fraction) {
		return 0, false
	}
	seconds := 0
	for _, c := range whole {
		seconds = min(seconds*10+int(c-'0'), longest)
	}
	nanos, unit := 0, int(time.Second)
	for _, c := range fraction[:min(len(fraction), 9)] {
		unit /= 10
		nanos += int(c-'0') * unit
	}
	return max(time.Duration(seconds)*time.Second+time.Duration(nanos), 1), true
}

func isDigits(s []byte) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(s) > 0
}
