package anywire_test

import (
	"os"
	"strings"
	"testing"
)

// The README's first program is the one in examples/sum, which is compiled with everything else, and it is short.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("examples/sum/main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	shown, _, _ := strings.Cut(rest, "```")
	if shown != string(program) {
		t.Errorf("the README shows\n%s\nbut examples/sum is\n%s", shown, program)
	}
	if lines := strings.Count(shown, "\n"); lines >= 15 {
		t.Errorf("the README's first program has %d lines", lines)
	}
}
