package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTableIsUpToDate(t *testing.T) {
	have, err := os.ReadFile("../callers_table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, generate()) {
		t.Error("callers_table.go is not what the generator writes; run go generate in package method")
	}
}
