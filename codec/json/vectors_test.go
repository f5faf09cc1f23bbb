package json

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// publicSuite holds the files of nst/JSONTestSuite where they are at hand.
const publicSuite = "../../../shared/vectors/jsontestsuite"

// vector is one text with what the scanner must make of it.
type vector struct {
	name  string
	text  []byte
	valid bool
}

// vectors returns our own vectors and those of the public suite.
func vectors(t testing.TB) []vector {
	all := append(quotedLines(t, "testdata/valid.txt", true), quotedLines(t, "testdata/invalid.txt", false)...)
	return append(all, publicVectors(t)...)
}

// quotedLines reads a file of Go strings, one a line, with a comment behind it or not.
func quotedLines(t testing.TB, file string, valid bool) (vs []vector) {
	for n, line := range lines(t, file) {
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			t.Fatalf("%s:%d: %v", file, n+1, err)
		}
		if rest := strings.TrimSpace(line[len(quoted):]); rest != "" && rest[0] != '#' {
			t.Fatalf("%s:%d: not a comment: %s", file, n+1, rest)
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s:%d: %v", file, n+1, err)
		}
		vs = append(vs, vector{quoted, []byte(text), valid})
	}
	if len(vs) == 0 {
		t.Fatalf("%s holds nothing", file)
	}
	return vs
}

func publicVectors(t testing.TB) (vs []vector) {
	files, err := filepath.Glob(filepath.Join(publicSuite, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Logf("%s is absent: only the vectors in testdata are run", publicSuite)
		return nil
	}
	decided := decisions(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		valid := name[0] == 'y'
		if name[0] == 'i' {
			var known bool
			if valid, known = decided[name]; !known {
				t.Errorf("testdata/jsontestsuite_i.txt does not decide on %s", name)
			}
			delete(decided, name)
		}
		vs = append(vs, vector{name, text, valid})
	}
	for name := range decided {
		t.Errorf("testdata/jsontestsuite_i.txt decides on %s, which the suite does not hold", name)
	}
	return vs
}

// decisions reads what we make of the texts on which RFC 8259 leaves the choice.
func decisions(t testing.TB) map[string]bool {
	const file = "testdata/jsontestsuite_i.txt"
	decided := map[string]bool{}
	for n, line := range lines(t, file) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[1] != "accept" && fields[1] != "refuse" {
			t.Fatalf("%s:%d: want a name, accept or refuse, and a reason", file, n+1)
		}
		if _, twice := decided[fields[0]]; twice {
			t.Fatalf("%s:%d: %s is decided twice", file, n+1, fields[0])
		}
		decided[fields[0]] = fields[1] == "accept"
	}
	return decided
}

func lines(t testing.TB, file string) (all []string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		all = append(all, in.Text())
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
