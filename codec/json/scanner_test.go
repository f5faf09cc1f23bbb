package json

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

func TestValid(t *testing.T) {
	for _, v := range vectors(t) {
		if err := Valid(v.text, 0); (err == nil) != v.valid {
			t.Errorf("%s: valid is to be %t: %v", v.name, v.valid, err)
		}
	}
}

// TestByteByByte feeds each vector in pieces of one byte: the verdict stays, and comes no earlier than it can.
func TestByteByByte(t *testing.T) {
	for _, v := range vectors(t) {
		cuts := make([]int, len(v.text))
		for i := range cuts {
			cuts[i] = i
		}
		if err := scanPieces(v.text, cuts); (err == nil) != v.valid {
			t.Errorf("%s: valid is to be %t: %v", v.name, v.valid, err)
		}
	}
}

// TestTwoPieces cuts each vector of a bearable size once, at each place.
func TestTwoPieces(t *testing.T) {
	for _, v := range vectors(t) {
		if len(v.text) > 10_000 {
			continue // cut everywhere by TestByteByByte
		}
		for cut := range len(v.text) {
			if err := scanPieces(v.text, []int{cut}); (err == nil) != v.valid {
				t.Fatalf("%s, cut at %d: valid is to be %t: %v", v.name, cut, v.valid, err)
			}
		}
	}
}

var errEarly = errors.New("the scanner knew the end before it could")

// scanPieces is Valid for text that arrives in pieces which end at cuts.
func scanPieces(text []byte, cuts []int) error {
	var whole, s Scanner
	wantEnd, _ := whole.Scan(text, true)
	for _, cut := range cuts {
		end, err := s.Scan(bytes.Clone(text[:cut]), false)
		switch {
		case err != nil:
			return err
		case end > 0 && end != wantEnd, end > cut:
			return errEarly
		}
	}
	end, err := s.Scan(text, true)
	switch {
	case err != nil:
		return err
	case end != wantEnd || s.Start() != whole.Start():
		return errEarly
	case skipSpace(text, end) < len(text):
		return errors.New("something follows the value")
	}
	return nil
}

func TestScanStream(t *testing.T) {
	const stream = " 1 -2.5\ttrue\"a\"[1,[2]]{\"a\":{}}\r\nnull12"
	var got []string
	var s Scanner
	for in := []byte(stream); ; s.Reset() {
		end, err := s.Scan(in, true)
		if err == ErrUnexpectedEnd && s.Start() == len(in) {
			break
		}
		if err != nil {
			t.Fatalf("after %q: %v", got, err)
		}
		got = append(got, string(in[s.Start():end]))
		in = in[end:]
	}
	const want = `1 -2.5 true "a" [1,[2]] {"a":{}} null 12`
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s", s)
	}
}

func TestScanNumberWaits(t *testing.T) {
	var s Scanner
	for _, in := range []string{"-", "-1", "-1.", "-1.5", "-1.5e", "-1.5e3"} {
		if end, err := s.Scan([]byte(in), false); end != 0 || err != nil {
			t.Fatalf("%s: %d, %v", in, end, err)
		}
	}
	if end, err := s.Scan([]byte("-1.5e3\n"), false); end != 6 || err != nil {
		t.Errorf("%d, %v", end, err)
	}
	if end, err := s.Scan([]byte("-1.5e3\n"), false); end != 6 || err != nil {
		t.Errorf("again: %d, %v", end, err)
	}
}

func TestScanErrors(t *testing.T) {
	for _, c := range []struct {
		in     string
		offset int
		reason string
	}{
		{"x", 0, "want a value"},
		{"\ufeff1", 0, "want a value"},
		{" nulL", 4, "want null"},
		{"01", 1, "malformed number"},
		{"[1.]", 3, "malformed number"},
		{`{1`, 1, "want a member name in quotes"},
		{`{"a":1,}`, 7, "want a member name in quotes"},
		{`{"a" 1`, 5, "want a colon after the member name"},
		{`{"a":1]`, 6, "want a comma or the end of the object"},
		{`[1}`, 2, "want a comma or the end of the array"},
		{"\"a\n", 2, "control character in a string"},
		{"\"a\xff", 2, "invalid UTF-8"},
		{`"\x`, 2, "unknown escape"},
		{`"\u12x`, 5, "want four hexadecimal digits"},
		{`"\udc00`, 1, "second half of a surrogate pair without the first"},
		{`"\ud800"`, 1, "first half of a surrogate pair without the second"},
		{`"\ud800\u0041`, 1, "first half of a surrogate pair without the second"},
	} {
		var s Scanner
		_, err := s.Scan([]byte(c.in), false)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || *syntax != (SyntaxError{c.offset, c.reason}) {
			t.Errorf("%q: %v", c.in, err)
		}
		if _, again := s.Scan([]byte(c.in+" 1"), true); again != err {
			t.Errorf("%q: the error did not stay: %v", c.in, again)
		}
		s.Reset()
		if end, err := s.Scan([]byte("[]"), false); end != 2 || err != nil {
			t.Errorf("%q: after Reset: %d, %v", c.in, end, err)
		}
	}
	err := &SyntaxError{Offset: 7, Reason: "want a value"}
	if got := err.Error(); got != "json: offset 7: want a value" {
		t.Error(got)
	}
}

func TestDepth(t *testing.T) {
	for _, c := range []struct{ limit, max int }{{0, DefaultDepth}, {1, 1}, {3, 3}, {64, 64}, {65, 65}, {128, 128}, {1000, 1000}} {
		for _, form := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`[{"a":`, "}]"}} {
			levels := strings.Count(form[0], "[") + strings.Count(form[0], "{")
			deep := nested(form, c.max/levels)
			if err := Valid(deep, c.limit); err != nil {
				t.Errorf("%d of %s: %v", c.max/levels, form[0], err)
			}
			if got := Depth(deep); got != c.max/levels*levels {
				t.Errorf("%d of %s: depth %d", c.max/levels, form[0], got)
			}
			if err := Valid(nested(form, c.max/levels+1), c.limit); err != ErrDepth {
				t.Errorf("%d of %s: %v", c.max/levels+1, form[0], err)
			}
		}
	}
	if d := Depth([]byte(`"[[["`)); d != 0 {
		t.Errorf("a string: %d", d)
	}
}

func nested(form [2]string, n int) []byte {
	inner := "1"
	if form[1] == "]" {
		inner = ""
	}
	return []byte(strings.Repeat(form[0], n) + inner + strings.Repeat(form[1], n))
}

// TestNestedMix closes levels of both kinds over several words of the stack in the right order only.
func TestNestedMix(t *testing.T) {
	var open, shut []byte
	for i := range 200 {
		if i%3 == 0 {
			open, shut = append(open, `{"a":`...), append(shut, '}')
		} else {
			open, shut = append(open, '['), append(shut, ']')
		}
	}
	reversed := make([]byte, len(shut))
	for i, c := range shut {
		reversed[len(shut)-1-i] = c
	}
	text := append(append(open, '0'), reversed...)
	if err := Valid(text, 0); err != nil {
		t.Fatal(err)
	}
	for i := range reversed {
		wrong := bytes.Clone(text)
		wrong[len(wrong)-1-i] ^= '}' ^ ']'
		if Valid(wrong, 0) == nil {
			t.Errorf("the wrong end of level %d is accepted", i)
		}
	}
}

// TestTimeIsBounded scans what is costly for careless scanners; each takes seconds in quadratic time.
func TestTimeIsBounded(t *testing.T) {
	begin := time.Now()
	if err := Valid(bytes.Repeat([]byte("["), 1_000_000), 0); err != ErrDepth {
		t.Error(err)
	}
	for _, text := range [][]byte{
		bytes.Repeat([]byte("7"), 1_000_000),
		[]byte(`"` + strings.Repeat(`\ud83d\ude00`, 80_000) + `"`),
		[]byte(`"` + strings.Repeat("\u20ac", 300_000) + `"`),
		[]byte(strings.Repeat(" ", 1_000_000) + "1"),
	} {
		var s Scanner
		for i := range text {
			if end, err := s.Scan(text[:i], false); end != 0 || err != nil {
				t.Fatalf("at %d: %d, %v", i, end, err)
			}
		}
		if end, err := s.Scan(text, true); end != len(text) || err != nil {
			t.Errorf("%d, %v", end, err)
		}
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestScanAllocates(t *testing.T) {
	long := base64Value()
	var s Scanner
	if n := testing.AllocsPerRun(100, func() {
		for _, text := range [][]byte{rpcCall, long} {
			s.Reset()
			s.Scan(text[:20], false)
			s.Scan(text, false)
		}
	}); n != 0 {
		t.Errorf("Scan: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { Valid(rpcCall, 0) }); n != 0 {
		t.Errorf("Valid: %v allocations", n)
	}
}

func FuzzScanner(f *testing.F) {
	for _, v := range vectors(f) {
		if len(v.text) < 4096 {
			f.Add(v.text, uint8(3))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, piece uint8) {
		err := Valid(text, 0)
		if want := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)); want != (err == nil) {
			t.Errorf("jsontext says %t, we say %v", want, err)
		}
		var cuts []int
		for at := 0; at < len(text); at += int(piece) + 1 {
			cuts = append(cuts, at)
		}
		if pieces := scanPieces(text, cuts); (pieces == nil) != (err == nil) {
			t.Errorf("whole: %v, in pieces: %v", err, pieces)
		}
	})
}

// FuzzQuick holds the straight way against the automaton: where the first finds a value, so must the other, and for small
// values without \u the first must find what the other does.
func FuzzQuick(f *testing.F) {
	for _, v := range vectors(f) {
		if len(v.text) < 4096 {
			f.Add(v.text, 8)
		}
	}
	f.Add([]byte(`{"jsonrpc":"2.0","method":"math.sum","params":[23,-4.2e+1],"id":107} `), 2)
	f.Fuzz(func(t *testing.T, in []byte, maxDepth int) {
		quick, slow := Scanner{MaxDepth: max(maxDepth, 0)}, Scanner{MaxDepth: max(maxDepth, 0)}
		quick.quickly(in)
		for slow.step(in) {
		}
		if quick.state == done && (slow.state != done || slow.start != quick.start || slow.pos != quick.pos) {
			t.Fatalf("%q: quick finds [%d:%d], slow [%d:%d], %v", in, quick.start, quick.pos, slow.start, slow.pos, slow.err)
		}
		if slow.state == done && quick.state != done && Depth(in[slow.start:slow.pos]) <= quickLevels && !bytes.Contains(in, []byte(`\u`)) {
			t.Fatalf("%q: only slow finds [%d:%d]", in, slow.start, slow.pos)
		}
	})
}
