package json

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                      `""`,
		"a":                     `"a"`,
		"\"\\/":                 `"\"\\/"`,
		"\b\f\n\r\t":            `"\b\f\n\r\t"`,
		"\x00\x1f\x7f":          "\"\\u0000\\u001f\x7f\"",
		"é€😀\u2028<>&'":         "\"é€😀\u2028<>&'\"",
		"\xff":                  "\"\ufffd\"",
		"a\xe2\x82":             "\"a\ufffd\ufffd\"",
		"\xed\xa0\x80":          "\"\ufffd\ufffd\ufffd\"",
		"0123456789abcde\n":     `"0123456789abcde\n"`,
		strings.Repeat("x", 99): `"` + strings.Repeat("x", 99) + `"`,
	} {
		if got := string(AppendString([]byte("at:"), in)); got != "at:"+want {
			t.Errorf("%q: %s", in, got)
		}
		if got := string(AppendStringBytes(nil, []byte(in))); got != want {
			t.Errorf("bytes %q: %s", in, got)
		}
	}
}

func TestUnquoted(t *testing.T) {
	for token, want := range map[string]string{
		`""`:                          "",
		`"a"`:                         "a",
		`"\"\\\/\b\f\n\r\t"`:          "\"\\/\b\f\n\r\t",
		`"\u0041\u00e9\u20AC"`:        "Aé€",
		`"\ud83d\ude00x\uDBFF\uDFFF"`: "😀x\U0010ffff",
		`"x\u0000"`:                   "x\x00",
		`"é\n€"`:                      "é\n€",
		`"\\u0041"`:                   `\u0041`,
	} {
		if got := string(AppendUnquoted([]byte("at:"), []byte(token))); got != "at:"+want {
			t.Errorf("%s: %q", token, got)
		}
		if !KeyIs([]byte(token), want) {
			t.Errorf("%s is not %q", token, want)
		}
		for _, other := range []string{want + "x", "x" + want, strings.ToUpper(want) + "!", token} {
			if KeyIs([]byte(token), other) {
				t.Errorf("%s is %q", token, other)
			}
		}
	}
}

func TestKeyIs(t *testing.T) {
	for _, c := range []struct {
		token, name string
		want        bool
	}{
		{`"id"`, "id", true},
		{`"id"`, "iD", false},
		{`"id"`, "i", false},
		{`"\u0069d"`, "id", true},
		{`"i\u0064"`, "id", true},
		{`"i\u0044"`, "id", false},
		{`"id\u0000"`, "id", false},
		{`"a\\b"`, `a\b`, true},
		{`"a\\b"`, `a\\b`, false},
		{`""`, "", true},
		{`"\n"`, "", false},
		{`"\ud83d\ude00"`, "😀", true},
		{`"\ud83d\ude00"`, "😁", false},
	} {
		if got := KeyIs([]byte(c.token), c.name); got != c.want {
			t.Errorf("%s and %q: %t", c.token, c.name, got)
		}
	}
}

// TestPlain puts each byte at each place of a text that is longer than all steps of plain together.
func TestPlain(t *testing.T) {
	for _, base := range []byte{' ', '!', '#', '[', ']', 'x', 0x7f} {
		text := []byte(strings.Repeat(string(base), 75))
		for at := range text {
			for c := range 256 {
				text[at] = byte(c)
				want := at
				if isPlain(byte(c)) {
					want = len(text)
				}
				if got := plain(text); got != want {
					t.Fatalf("%#x at %d among %q: %d", c, at, base, got)
				}
			}
			text[at] = base
		}
	}
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\\n\x00", "é€😀", "\xff\xe2\x82", "0123456789abcdef0123456789abcdef\t", `\ud800`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		token := AppendString(nil, s)
		if err := Valid(token, 0); err != nil {
			t.Fatalf("%q: %s: %v", s, token, err)
		}
		want := string([]rune(s))
		if got := string(AppendUnquoted(nil, token)); got != want {
			t.Errorf("%q came back as %q", s, got)
		}
		if !KeyIs(token, want) {
			t.Errorf("%s is not %q", token, want)
		}
		if quoted, err := jsontext.AppendQuote(nil, s); utf8.ValidString(s) && (err != nil || string(quoted) != string(token)) {
			t.Errorf("jsontext quotes %s, %v; we %s", quoted, err, token)
		}
	})
}

// FuzzUnquoted reads strings with whatever escapes.
func FuzzUnquoted(f *testing.F) {
	for _, s := range []string{`"\u0041"`, `"\ud83d\ude00"`, `"a\\\"b\/"`, `"é"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, token []byte) {
		got := AppendUnquoted(nil, token)
		if Valid(token, 0) != nil || token[0] != '"' || token[len(token)-1] != '"' {
			return
		}
		want, err := jsontext.AppendUnquote(nil, token)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %q, jsontext has %q, %v", token, got, want, err)
		}
	})
}

// plain finds the first byte of each kind at every place of texts of many lengths, whatever takes it there.
func TestPlainBlocks(t *testing.T) {
	for _, size := range []int{0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000} {
		text := bytes.Repeat([]byte("a \x7f~!"), size/5+1)[:size]
		if got := plain(text); got != size {
			t.Fatalf("%d plain bytes: %d", size, got)
		}
		for i := range text {
			for _, c := range []byte{'"', '\\', 0, 0x1F, 0x80, 0xFF} {
				was := text[i]
				text[i] = c
				if got := plain(text); got != i {
					t.Fatalf("%#x at %d of %d: %d", c, i, size, got)
				}
				text[i] = was
			}
		}
	}
}
