package rest

import (
	"net/url"
	"strings"
	"testing"
)

func TestPercent(t *testing.T) {
	for _, test := range []struct {
		in, path, form string
		ok             bool
	}{
		{"", "", "", true},
		{"a+b", "a+b", "a b", true},
		{"%41%7a%2F", "Az/", "Az/", true},
		{"%2b+%2B", "+++", "+ +", true},
		{"100%", "", "", false},
		{"%4", "", "", false},
		{"%4g", "", "", false},
		{"%%41", "", "", false},
		{"a+%zz", "", "", false},
	} {
		path, ok := appendPercent(nil, []byte(test.in))
		if ok != test.ok || ok && string(path) != test.path {
			t.Errorf("path %q = %q, %t; want %q, %t", test.in, path, ok, test.path, test.ok)
		}
		form, ok := appendForm(nil, []byte(test.in))
		if ok != test.ok || ok && string(form) != test.form {
			t.Errorf("form %q = %q, %t; want %q, %t", test.in, form, ok, test.form, test.ok)
		}
		if got := wellFormed([]byte(test.in)); got != test.ok {
			t.Errorf("wellFormed(%q) = %t, want %t", test.in, got, test.ok)
		}
	}
}

func FuzzPercent(f *testing.F) {
	for _, seed := range []string{"", "a+b", "%41%7a", "%", "%%41", "caf%C3%A9", "%0", "a%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		compare := func(kind string, got []byte, ok bool, want string, err error) {
			if ok != (err == nil) || ok && string(got) != want {
				t.Errorf("%s %q = %q, %t; net/url has %q, %v", kind, s, got, ok, want, err)
			}
		}
		got, ok := appendPercent(nil, []byte(s))
		want, err := url.PathUnescape(s)
		compare("path", got, ok, want, err)
		got, ok = appendForm(nil, []byte(s))
		want, err = url.QueryUnescape(s)
		compare("form", got, ok, want, err)
		if wellFormed([]byte(s)) != ok {
			t.Errorf("wellFormed(%q) = %t", s, !ok)
		}
	})
}

func TestQuery(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"a=1&b=2", "a:1 b:2 "},
		{"&&a=1&", "a:1 "},
		{"a", "a: "},
		{"a=&=b", "a: :b "},
		{"a=1=2", "a:1=2 "},
		{"a=1&a=2", "a:1 a:2 "},
		{"a%3Db=c%26d", "a=b:c&d "},
		{"a=x+y", "a:x y "},
		{"a=1;b=2", "a:1;b=2 "},
	} {
		fields, _, err := appendQuery(nil, nil, []byte(test.in))
		var got string
		for _, f := range fields {
			got += string(f.Name) + ":" + string(f.Value) + " "
		}
		if err != nil || got != test.want {
			t.Errorf("%q = %q, %v; want %q", test.in, got, err, test.want)
		}
	}
}

func TestQueryBound(t *testing.T) {
	if _, _, err := appendQuery(nil, nil, []byte(strings.Repeat("a&", maxMembers))); err != nil {
		t.Errorf("at the bound: %v", err)
	}
	if _, _, err := appendQuery(nil, nil, []byte(strings.Repeat("a&", maxMembers+1))); err != errMembers {
		t.Errorf("above the bound: %v, want %v", err, errMembers)
	}
}

// FuzzQuery compares with net/url, which differs in two ways: it refuses members with a semicolon, and it goes on after a
// malformed member.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{"", "a=1&b=2", "&&a", "=", "a=b=c", "%41=%42", "a=%", "a+b=c+d", "a=1&a=2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fields, _, err := appendQuery(nil, nil, []byte(s))
		want, wantErr := url.ParseQuery(s)
		if strings.Contains(s, ";") {
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: error %v; net/url has %v", s, err, wantErr)
		}
		if err != nil {
			return
		}
		got := url.Values{}
		for _, m := range fields {
			got.Add(string(m.Name), string(m.Value))
		}
		if got.Encode() != want.Encode() {
			t.Errorf("%q = %q; net/url has %q", s, got.Encode(), want.Encode())
		}
	})
}
