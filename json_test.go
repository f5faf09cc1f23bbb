package anywire_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anywire/anywire"
)

const (
	jsonSuite     = "../shared/vectors/jsontestsuite"
	jsonDecisions = "codec/json/testdata/jsontestsuite_i.txt"
)

// text is one file of JSONTestSuite with what must become of it.
type text struct {
	name, content string
	accept        bool
}

// jsonTexts returns the suite, or two texts that are always at hand.
func jsonTexts(t *testing.T) []text {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(jsonSuite, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Logf("JSONTestSuite is absent at %s: only two texts are tried", jsonSuite)
		return []text{{"y_own", `{"a":[1e5,null,"\u00e9"]}`, true}, {"n_own", `{"a":[01]}`, false}}
	}
	decided := map[string]bool{}
	list, err := os.ReadFile(jsonDecisions)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		if f := strings.Fields(line); len(f) > 1 {
			decided[f[0]] = f[1] == "accept"
		}
	}
	var all []text
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		accept, known := decided[name]
		if name[0] == 'i' && !known {
			t.Errorf("%s does not decide on %s", jsonDecisions, name)
		}
		all = append(all, text{name, string(content), name[0] == 'y' || accept})
	}
	return all
}

// Every text as an argument of echo: it comes back as it was, or the call is answered with an error.
func TestJSONSuiteAsArgument(t *testing.T) {
	addr := limited(t, anywire.Limits{RawDepth: 1000})
	for _, v := range jsonTexts(t) {
		message := `{"jsonrpc":"2.0","id":1,"method":"echo","params":[` + v.content + `]}`
		_, overHTTP := post(t, "http://"+addr+"/", message)
		for over, answer := range map[string]string{"stream": exchange(t, addr, message), "HTTP": overHTTP} {
			first, _, _ := strings.Cut(answer, "\n{") // behind what is no JSON nothing is understood
			r := parse(t, first)
			switch {
			case strings.HasPrefix(v.name, "y_object_duplicated_key"): // JSON, but readers differ about what it says
				if r.code() != -32602 {
					t.Errorf("%s, %s: a member that came twice is answered by %.200s", v.name, over, answer)
				}
			case v.accept && (r.code() != 0 || string(r.Result) != compact(t, v.content)):
				t.Errorf("%s, %s: answered by %.200s", v.name, over, answer)
			case !v.accept && r.code() == 0:
				t.Errorf("%s, %s: accepted, answered by %.200s", v.name, over, answer)
			}
		}
	}
}

func compact(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every text as the whole message: what is JSON is an invalid request, what is none is a parse error.
func TestJSONSuiteAsMessage(t *testing.T) {
	addr := limited(t, anywire.Limits{})
	for _, v := range jsonTexts(t) {
		want := "-32700"
		if v.accept {
			want = "-32600"
		}
		if status, body := post(t, "http://"+addr+"/", v.content); status != 200 || !strings.Contains(body, `"code":`+want) {
			t.Errorf("%s: %d %.200s, want %s", v.name, status, body, want)
		}
	}
}
