package method

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/anywire/anywire/call"
	"github.com/anywire/anywire/schema"
)

type product struct {
	Name  string   `json:"name" minLength:"2" maxLength:"5"`
	Price float64  `json:"price" min:"0.5" max:"100"`
	Size  *int8    `json:"size" min:"-3" max:"3" enum:"-3,0,3"`
	Tags  []string `json:"tags,omitempty" minItems:"1" maxItems:"2"`
	Color string   `json:"color,omitempty" enum:"red,green"`
	Code  string   `json:"code" required:"false" pattern:"^[a-z]+$"`
	Next  *product `json:"next"`
}

type basket struct {
	Items []product          `json:"items" minItems:"1"`
	By    map[string]product `json:"by,omitempty"`
	Count uint64             `json:"count" default:"1" max:"18446744073709551614"`
	Note  *string            `json:"note" required:"true" maxLength:"3"`
}

func buy(b basket) int                     { return len(b.Items) }
func clamp(n int64, s string, l []int) int { return int(n) + len(s) + len(l) }
func variadicItems(items ...int) (sum int) { return fold(items) }

func TestConstraints(t *testing.T) {
	cfg := Config{Params: []string{"n", "s", "l"}, Constraints: map[string]string{
		"n": `min:"1" max:"9007199254740993"`, "s": `format:"uuid" required:"false"`, "l": `maxItems:"2"`,
	}}
	const id = `"01234567-89ab-cdef-0123-456789ABCDEF"`
	tests := []struct {
		name string
		fn   any
		cfg  Config
		body string
		want string
	}{
		{"all well", buy, Config{}, `{"items":[{"name":"ab","price":0.5,"size":-3,"tags":["x"],"color":"red","code":"a"}],"note":"xyz"}`, `1`},
		{"absent and null are well", buy, Config{},
			`{"items":[{"name":"éé","price":1,"size":null,"tags":null,"color":null,"code":null,"next":null}],"note":null}`, `1`},
		{"everything is told", buy, Config{},
			`{"items":[{"name":"a","price":-3,"size":2,"tags":[],"color":"blue","code":"A1"},{"name":"abcdef","price":100.5,"size":4,` +
				`"tags":["a","b","c"],"next":{"name":"","price":1}}],"by":{"x y":{"name":"ab","price":0}},"count":18446744073709551615,"note":"four"}`,
			refused + `items[0].name: want at least 2 characters, got 1 | items[0].price: want at least 0.5, got -3 | ` +
				`items[0].size: want one of: -3, 0, 3; got 2 | items[0].tags: want at least 1 item, got 0 | ` +
				`items[0].color: want one of: red, green; got "blue" | items[0].code: want a match of ^[a-z]+$, got "A1" | ` +
				`items[1].name: want at most 5 characters, got 6 | items[1].price: want at most 100, got 100.5 | ` +
				`items[1].size: want at most 3, got 4 | items[1].tags: want at most 2 items, got 3 | ` +
				`items[1].next.name: want at least 2 characters, got 0 | by["x y"].price: want at least 0.5, got 0 | ` +
				`count: want at most 18446744073709551614, got 18446744073709551615 | note: want at most 3 characters, got 4`},
		{"beside other mistakes", buy, Config{}, `{"items":[{"name":5,"price":0}],"note":"x"}`,
			refused + "items[0].price: want at least 0.5, got 0 | items[0].name: want string, got number"},
		{"required pointer", buy, Config{}, `{"items":[]}`,
			refused + "items: want at least 1 item, got 0 | note: missing, want string"},
		{"empty list sent as null", buy, Config{}, `{"items":null,"note":"x"}`, refused + "items: want at least 1 item, got 0"},

		{"options, well", clamp, cfg, `[1,` + id + `,[1,2]]`, `39`},
		{"options, not required", clamp, cfg, `{"n":1,"l":[]}`, `1`},
		{"options, broken", clamp, cfg, `{"n":9007199254740994,"s":"x","l":[1,2,3]}`,
			refused + `n: want at most 9007199254740993, got 9007199254740994 | s: want a UUID, got "x" | l: want at most 2 items, got 3`},
		{"options, half decoded", clamp, cfg, `{"n":0.5,"l":[1,2,"x"]}`, refused + "n: want integer, got 0.5 | l[2]: want integer, got string"},
		{"variadic", variadicItems, Config{Params: []string{"items"}, Constraints: map[string]string{"items": `maxItems:"2"`}}, `[1,2,3]`,
			refused + "items: want at most 2 items, got 3"},
		{"long text", echo[string], Config{Params: []string{"v"}, Constraints: map[string]string{"v": `format:"email"`}},
			`["` + strings.Repeat("é", 50) + `"]`, refused + "v: want an email address, got 50 characters"},
		{"float32", echo[float32], Config{Params: []string{"v"}, Constraints: map[string]string{"v": `min:"0.1"`}}, `[0.1]`, `0.1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := New("test", tt.fn, tt.cfg)
			for _, valid := range []bool{false, true} {
				if got := show(invoke(m, &call.Head{Valid: valid}, tt.body)); got != tt.want {
					t.Errorf("%s\ngot  %s\nwant %s", tt.body, got, tt.want)
				}
			}
		})
	}
}

func TestConstraintsOnText(t *testing.T) {
	m := New("m", clamp, Config{Params: []string{"n", "s", "l"}, Constraints: map[string]string{"n": `max:"5"`, "s": `maxLength:"1"`}})
	got := show(invoke(m, &call.Head{Text: fieldsOf("n", "6", "s", "ab", "l", "1")}, ""))
	if want := refused + "n: want at most 5, got 6 | s: want at most 1 character, got 2"; got != want {
		t.Errorf("got %s", got)
	}
	m = New("m", echo[string], Config{Params: []string{"v"}, Constraints: map[string]string{"v": `maxLength:"1"`}})
	got = show(invoke(m, &call.Head{Codec: call.Raw}, "ab"))
	if want := refused + "v: want at most 1 character, got 2"; got != want {
		t.Errorf("got %s", got)
	}
}

type grove struct {
	Kids []grove `json:"kids" minItems:"1"`
}

// Constraints on lists must not decode them anew on each level.
func TestDeepConstraintsTakeLinearTime(t *testing.T) {
	const depth = 4000
	body := strings.Repeat(`{"kids":[`, depth) + `{"kids":[` + strings.Repeat(" ", 1<<20) + "]}" + strings.Repeat("]}", depth)
	start := time.Now()
	got := show(invoke(New("m", func(grove) {}, Config{}), &call.Head{}, body))
	if !strings.Contains(got, "want at least 1 item, got 0") {
		t.Errorf("got %.100s", got)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestFormats(t *testing.T) {
	tests := map[string]struct{ good, bad []string }{
		"date":      {[]string{"2026-11-30"}, []string{"2026-11-31", "2026-1-1", "", "2026-11-30T00:00:00Z"}},
		"date-time": {[]string{"2026-11-30T12:00:00Z", "2026-11-30T12:00:00.5+02:00"}, []string{"2026-11-30", "2026-11-30T1:00:00Z"}},
		"email":     {[]string{"a@b.c"}, []string{"a", "a <a@b.c>", "", "a@"}},
		"hostname":  {[]string{"a", "a-1.example"}, []string{"", "-a", "a-", "a..b", "a_b", strings.Repeat("a", 64), "a."}},
		"ipv4":      {[]string{"10.0.0.1"}, []string{"10.0.0", "::1", "010.0.0.1"}},
		"ipv6":      {[]string{"::1", "2001:db8::1"}, []string{"10.0.0.1", "fe80::1%eth0", ":"}},
		"uri":       {[]string{"https://a.b/c", "mailto:a@b.c"}, []string{"/a", "a b", "", "%"}},
		"uuid": {[]string{"01234567-89ab-cdef-0123-456789ABCDEF"},
			[]string{"", "0123456789abcdef0123456789abcdef0123", "01234567-89ab-cdef-0123-456789ABCDEG", "01234567089ab-cdef-0123-456789ABCDEF"}},
	}
	for _, name := range schema.Formats {
		f, tt := formats[name], tests[name]
		for _, s := range tt.good {
			if !f.holds(s) {
				t.Errorf("%s: %q is refused", name, s)
			}
		}
		for _, s := range tt.bad {
			if f.holds(s) {
				t.Errorf("%s: %q is taken", name, s)
			}
		}
	}
	if len(formats) != len(schema.Formats) {
		t.Errorf("%d formats are checked, %d are known", len(formats), len(schema.Formats))
	}
}

// Types with a mistake in a tag.
type (
	minText struct {
		A string `min:"1"`
	}
	badMin struct {
		A int8 `min:"200"`
	}
	badPattern struct {
		A string `pattern:"("`
	}
	badFormat struct {
		A string `format:"phone"`
	}
	badSize struct {
		A string `minLength:"-1"`
	}
	badEnum struct {
		A int `enum:"1,two"`
	}
	exchanged struct {
		A int `min:"2" max:"1"`
	}
	badRequired struct {
		A int `required:"yes"`
	}
	bothWays struct {
		A int `required:"true" default:"1"`
	}
	quotedMin struct {
		A struct {
			B int `json:",string" min:"1"`
		}
	}
	brokenNested struct{ A []badMin }
	badStandard  struct {
		A int `default:"5" max:"4"`
	}
	timeLength struct {
		A time.Time `minLength:"1"`
	}
)

func TestConstraintMistakesPanic(t *testing.T) {
	option := func(text string) Config {
		return Config{Params: []string{"n"}, Constraints: map[string]string{"n": text}}
	}
	for name, tt := range map[string]struct {
		fn   any
		cfg  Config
		want []string
	}{
		"kind":       {func(minText) {}, Config{}, []string{"parameter A", "tag min does not go with string", "put it on a number"}},
		"range":      {func(badMin) {}, Config{}, []string{"parameter A", `min:"200" is not a value of int8`}},
		"pattern":    {func(badPattern) {}, Config{}, []string{`pattern:"("`, "no regular expression", "correct it"}},
		"format":     {func(badFormat) {}, Config{}, []string{`format:"phone"`, "take one of date, date-time"}},
		"size":       {func(badSize) {}, Config{}, []string{`minLength:"-1"`, "take a number from 0 on"}},
		"enum":       {func(badEnum) {}, Config{}, []string{`enum:"1,two" has "two"`, "take one"}},
		"exchanged":  {func(exchanged) {}, Config{}, []string{"min 2 is above max 1", "exchange them"}},
		"required":   {func(badRequired) {}, Config{}, []string{`required:"yes"`, "take one of them"}},
		"both":       {func(bothWays) {}, Config{}, []string{"required and has a default", "drop one"}},
		"quoted":     {func(int, quotedMin) {}, Config{}, []string{"field A.B", "tag option string", "drop one"}},
		"nested":     {func(brokenNested) {}, Config{}, []string{"field [].A", `min:"200"`}},
		"default":    {func(badStandard) {}, Config{}, []string{"parameter A", "default 5 breaks", "want at most 4, got 5"}},
		"time":       {func(timeLength) {}, Config{}, []string{"tag minLength does not go with time.Time", "put it on a string"}},
		"nobody":     {func(int) {}, Config{Constraints: map[string]string{"n": `min:"1"`}}, []string{`Constraints has "n"`, "want one of: arg1"}},
		"says none":  {func(int) {}, option("min=1"), []string{"says nothing", "struct tag"}},
		"option":     {func(int) {}, option(`minLength:"1"`), []string{"parameter n", "does not go with int"}},
		"option req": {func(int) {}, option(`required:"1"`), []string{`required:"1" is neither`}},
	} {
		t.Run(name, func(t *testing.T) {
			message := panicOf(t, func() { New("m", tt.fn, tt.cfg) })
			for _, want := range tt.want {
				if !strings.Contains(message, want) {
					t.Errorf("%q is not in: %s", want, message)
				}
			}
		})
	}
}

type even int

func (e even) Validate() error {
	if e%2 != 0 {
		return errors.New("want an even number")
	}
	return nil
}

type span struct {
	From, To even
	Inner    *span
}

func (s *span) Validate() error {
	switch {
	case s.From > s.To:
		return errors.New("From must not be behind To")
	case s.From == 100:
		return call.Errorf(call.OutOfRange, "too far")
	}
	return nil
}

func TestValidate(t *testing.T) {
	fields := func(s span) even { return s.To }
	plain := func(spans []*span, by map[string]span, n even) int { return len(spans) + len(by) }
	cfg := Config{Params: []string{"spans", "by", "n"}}
	for _, tt := range []struct {
		name string
		fn   any
		cfg  Config
		body string
		want string
	}{
		{"well", fields, Config{}, `{"From":2,"To":4}`, `4`},
		{"the whole", fields, Config{}, `{"From":4,"To":2}`, refused + ": From must not be behind To"},
		{"deeper first", fields, Config{}, `{"From":5,"To":2,"Inner":{"From":4,"To":2}}`,
			refused + "From: want an even number | Inner: From must not be behind To | : From must not be behind To"},
		{"the pointer", func(s *span) even { return s.To }, Config{}, `{"From":4,"To":2}`, refused + ": From must not be behind To"},
		{"everywhere", plain, cfg, `[[{"From":1,"To":2},null,{"From":2,"To":0}],{"a b":{"From":2,"To":0}},3]`,
			refused + `spans[0].From: want an even number | spans[2]: From must not be behind To | ` +
				`by["a b"]: From must not be behind To | n: want an even number`},
		{"for the wire", plain, cfg, `[[{"From":100,"To":200}],{},3]`, "out_of_range: too far"},
		{"not before the rest is right", fields, Config{}, `{"From":4,"To":"x"}`, refused + "To: want integer, got string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := New("test", tt.fn, tt.cfg)
			for range 2 { // the second one reuses what the first one left
				if got := show(invoke(m, &call.Head{}, tt.body)); got != tt.want {
					t.Errorf("%s\ngot  %s\nwant %s", tt.body, got, tt.want)
				}
			}
		})
	}
}
