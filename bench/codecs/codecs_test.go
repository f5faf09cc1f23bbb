//go:build linux

package codecs

import (
	"testing"
	"time"
)

func TestCases(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if took, err := c.Time(time.Millisecond); err != nil || took <= 0 {
			t.Errorf("%s, %s: %v, %v", c.Message, c.Codec, took, err)
		}
		t.Log(c.Message, c.Codec, c.Size, c.Allocs())
	}
}
