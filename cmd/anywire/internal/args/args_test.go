package args

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"
)

// read serves one file, and says of every other path that it is missing.
func read(path string) ([]byte, error) {
	if path == "logo.png" {
		return []byte("hello!!"), nil
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}

func TestNamed(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"", `{}`},
		{"a=2 b=3", `{"a":2,"b":3}`},
		{"b=3 a=2", `{"b":3,"a":2}`},

		{"a=-1", `{"a":-1}`},
		{"a=1e3", `{"a":1e3}`},
		{"a=1.50", `{"a":1.50}`},
		{"a=123456789012345678901234567890", `{"a":123456789012345678901234567890}`},
		{"a=007", `{"a":"007"}`},
		{"a=+1", `{"a":"+1"}`},
		{"a=1.", `{"a":"1."}`},
		{"a=.5", `{"a":".5"}`},
		{"a=0x10", `{"a":"0x10"}`},
		{"a=NaN", `{"a":"NaN"}`},
		{"a=-", `{"a":"-"}`},

		{"a=true b=False c=True d=false e=TRUE", `{"a":true,"b":false,"c":true,"d":false,"e":"TRUE"}`},
		{"a=null b=None", `{"a":null,"b":"None"}`},
		{`a={"x":[1,2]} b=[1,"two"]`, `{"a":{"x":[1,2]},"b":[1,"two"]}`},
		{`a={"x": b=[1,`, `{"a":"{\"x\":","b":"[1,"}`},
		{`a="quoted"`, `{"a":"\"quoted\""}`},
		{"a=", `{"a":""}`},
		{"a=word", `{"a":"word"}`},
		{"a=<b>&c", `{"a":"<b>&c"}`},
		{"a=x=y=z", `{"a":"x=y=z"}`},
		{"url=http://h:80/?q=1", `{"url":"http://h:80/?q=1"}`},

		{"a:int=-5", `{"a":-5}`},
		{"a:float=5", `{"a":5}`},
		{"a:float=5.5e-3", `{"a":5.5e-3}`},
		{"a:str=5", `{"a":"5"}`},
		{"a:STR=true", `{"a":"true"}`},
		{"a:bool=False b:bool=true", `{"a":false,"b":true}`},
		{`a:json="s" b:json=null`, `{"a":"s","b":null}`},
		{"a:binary=logo.png", `{"a":"aGVsbG8hIQ=="}`},
		{"a:image=logo.png", `{"a":"aGVsbG8hIQ=="}`},
		{"ns:key:int=5", `{"ns:key":5}`},
	} {
		got, err := Named(strings.Fields(tc.args), read)
		if err != nil || string(got) != tc.want {
			t.Errorf("Named(%s) = %s, %v; want %s", tc.args, got, err, tc.want)
		}
	}
}

func TestNamedKeepsWhiteSpace(t *testing.T) {
	got, err := Named([]string{"a= 1", "b=1\n", "c=true "}, read)
	if want := `{"a":" 1","b":"1\n","c":"true "}`; err != nil || string(got) != want {
		t.Errorf("Named = %s, %v; want %s", got, err, want)
	}
}

func TestPositional(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"", `[]`},
		{"2 3", `[2,3]`},
		{"-1 1e3 true null word", `[-1,1e3,true,null,"word"]`},
		{"2:str 3:int", `["2",3]`},
		{"a=b", `["a=b"]`},
		{"x:y:z http://h:80/ 12:30", `["x:y:z","http://h:80/","12:30"]`},
		{"note:str:str", `["note:str"]`},
		{`{"a":1} {"a":1}:json {"a":"b"}:str`, `[{"a":1},{"a":1},"{\"a\":\"b\"}"]`},
		{"logo.png:binary", `["aGVsbG8hIQ=="]`},
		{":str", `[""]`},
	} {
		got, err := Positional(strings.Fields(tc.args), read)
		if err != nil || string(got) != tc.want {
			t.Errorf("Positional(%s) = %s, %v; want %s", tc.args, got, err, tc.want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, tc := range []struct{ arg, reason string }{
		{"5", "name=value"},
		{"=5", "name is missing"},
		{":int=5", "name is missing"},
		{"a:number=5", `"number" is no type; the types are int, float, str, bool, json, binary, image`},
		{"a:=5", `"" is no type`},
		{"a:int=5.0", "no int"},
		{"a:int=five", "no int"},
		{"a:int=", "no int"},
		{"a:float=nan", "no float"},
		{"a:float= 1", "no float"},
		{"a:bool=1", "no bool"},
		{"a:json={", "no json"},
		{"a:json=\"\xff\"", "no json"},
		{"a=\xff", "not UTF-8"},
		{"a:str=\xff", "not UTF-8"},
		{"\xff=1", "not UTF-8"},
	} {
		_, err := Named([]string{tc.arg}, read)
		if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), tc.reason) {
			t.Errorf("Named(%q): %v; want ErrSyntax with %q", tc.arg, err, tc.reason)
		}
	}
	if _, err := Named([]string{"a=1", "a:str=2"}, read); !errors.Is(err, ErrSyntax) {
		t.Errorf("a name twice: %v, want ErrSyntax", err)
	}
	if _, err := Positional([]string{"x:int"}, read); !errors.Is(err, ErrSyntax) {
		t.Errorf("Positional(x:int): %v, want ErrSyntax", err)
	}
}

func TestMissingFile(t *testing.T) {
	_, err := Named([]string{"a:binary=nowhere"}, read)
	if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrSyntax) {
		t.Errorf("Named: %v, want ErrNotExist and no ErrSyntax", err)
	}
}

func TestFile(t *testing.T) {
	for arg, want := range map[string]string{
		"logo=./a.png": "logo:binary=./a.png",
		"logo=a=b:c":   "logo:binary=a=b:c",
		"ns:logo=a":    "ns:logo:binary=a",
	} {
		if got, err := File(arg); err != nil || got != want {
			t.Errorf("File(%q) = %q, %v; want %q", arg, got, err, want)
		}
	}
	for _, arg := range []string{"logo", "logo=", "=a.png", ""} {
		if got, err := File(arg); !errors.Is(err, ErrSyntax) {
			t.Errorf("File(%q) = %q, %v; want ErrSyntax", arg, got, err)
		}
	}
}

// FuzzNamed checks that any argument is refused or becomes exactly one member, whose untyped strings arrive unchanged.
func FuzzNamed(f *testing.F) {
	for _, seed := range []string{"a=2", "a:int=-1", `a={"b":1}`, "a:b:str=x=y", "a=True", "=", "a:json=[", "a=\xff", "a= 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		raw, err := Named([]string{arg}, read)
		if err != nil {
			return
		}
		var object map[string]any
		if err := decode(raw, &object); err != nil || len(object) != 1 {
			t.Fatalf("Named(%q) = %s: %v", arg, raw, err)
		}
		name, text, _ := strings.Cut(arg, "=")
		if s, ok := object[name].(string); ok && s != text {
			t.Fatalf("Named(%q) = %s: the string changed", arg, raw)
		}
	})
}

// FuzzPositional checks that any argument is refused or becomes exactly one element.
func FuzzPositional(f *testing.F) {
	for _, seed := range []string{"2", "x:y:z", "2:str", "1e3:float", `{"a":1}:json`, ":", "\xff:str", "[1]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		raw, err := Positional([]string{arg}, read)
		if err != nil {
			return
		}
		var array []any
		if err := decode(raw, &array); err != nil || len(array) != 1 {
			t.Fatalf("Positional(%q) = %s: %v", arg, raw, err)
		}
	})
}

// decode reads one JSON value whose numbers may have any size.
func decode(raw json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(v)
}
