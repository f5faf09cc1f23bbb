package json

import (
	"math"
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        `"0s"`,
		90 * time.Second:         `"90s"`,
		1500 * time.Millisecond:  `"1.5s"`,
		-1500 * time.Millisecond: `"-1.5s"`,
		time.Nanosecond:          `"0.000000001s"`,
		-time.Millisecond:        `"-0.001s"`,
		100 * time.Hour:          `"360000s"`,
		123456789:                `"0.123456789s"`,
		math.MaxInt64:            `"9223372036.854775807s"`,
		math.MinInt64:            `"-9223372036.854775808s"`,
	} {
		value, err := Append(nil, d)
		if err != nil || string(value) != want {
			t.Errorf("%d: %s, %v", d, value, err)
		}
		var back time.Duration
		if err := Unmarshal(value, &back); err != nil || back != d {
			t.Errorf("%s: came back as %d, %v", value, back, err)
		}
	}
}

func TestReadDuration(t *testing.T) {
	for in, want := range map[string]time.Duration{
		`"1h2m3.5s"`: time.Hour + 2*time.Minute + 3500*time.Millisecond,
		`"1.500s"`:   1500 * time.Millisecond,
		`"-2us"`:     -2 * time.Microsecond,
		`"\u0035s"`:  5 * time.Second,
		`null`:       0,
	} {
		got := time.Hour
		if err := Unmarshal([]byte(in), &got); err != nil || got != want {
			t.Errorf("%s: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{`""`, `"5"`, `"x"`, `5`, `true`, `{}`, `["1s"]`, `"300000h1s1y"`} {
		if err := Unmarshal([]byte(in), new(time.Duration)); err == nil {
			t.Errorf("%s is accepted", in)
		}
	}
}
