package call

import (
	"bytes"
	"strings"
	"testing"
)

func TestArgumentsOfACallThatIsNotRaw(t *testing.T) {
	c := &Call{}
	if c.Has("a", 0) || c.Raw("a", 0) != nil || c.Err() == nil {
		t.Error("there are arguments")
	}
}

func TestSetRawCopies(t *testing.T) {
	c := &Call{}
	body, name, text := []byte(`{"a":1}`), []byte("b"), []byte("two")
	c.SetRaw(&Head{Text: []Field{{name, text}}}, body)
	for _, borrowed := range [][]byte{body, name, text} {
		copy(borrowed, bytes.Repeat([]byte("!"), len(borrowed)))
	}
	if c.Int64("a", -1) != 1 || c.String("b", -1) != "two" || c.Err() != nil {
		t.Errorf("the arguments changed: %v", c.Err())
	}
}

func TestResetKeepsMemoryOfUsualSize(t *testing.T) {
	tests := []struct {
		size int
		kept bool
	}{{100, true}, {keepRaw, true}, {keepRaw + 10<<10, false}}
	for _, tt := range tests {
		c := &Call{Method: "m"}
		c.SetRaw(&Head{}, []byte(`["`+strings.Repeat("x", tt.size-4)+`"]`))
		c.ReplyString("answer")
		c.Reset()
		if kept := cap(c.raw.mem) > 0; kept != tt.kept {
			t.Errorf("%d bytes: kept is %v", tt.size, kept)
		}
		if c.Method != "" || c.Body != nil || c.raw.body != nil {
			t.Errorf("left: %+v", c)
		}
	}
}
