//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// document is what a run prints and may keep in a file, in Markdown.
type document struct {
	text strings.Builder
	echo io.Writer // gets every part at once
}

func (d *document) add(format string, args ...any) {
	part := fmt.Sprintf(format, args...)
	d.text.WriteString(part)
	io.WriteString(d.echo, part)
}

func (d *document) section(name string, t table) { d.add("## %s\n\n%s\n", name, t) }

// save writes the document to a file, if one is named.
func (d *document) save(file string) error {
	if file == "" {
		return nil
	}
	return os.WriteFile(file, []byte(d.text.String()), 0o644)
}

// table is a Markdown table; all columns but the first are figures.
type table struct {
	head  []string
	lines [][]string
}

func (t table) String() string {
	widths := make([]int, len(t.head))
	for _, line := range append([][]string{t.head}, t.lines...) {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	var b strings.Builder
	writeLine(&b, widths, t.head)
	for i, w := range widths {
		if i == 0 {
			fmt.Fprintf(&b, "|%s|", strings.Repeat("-", w+2))
			continue
		}
		fmt.Fprintf(&b, "%s:|", strings.Repeat("-", w+1))
	}
	b.WriteByte('\n')
	for _, line := range t.lines {
		writeLine(&b, widths, line)
	}
	return b.String()
}

func writeLine(b *strings.Builder, widths []int, line []string) {
	for i, cell := range line {
		pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			fmt.Fprintf(b, "| %s%s |", cell, pad)
			continue
		}
		fmt.Fprintf(b, " %s%s |", pad, cell)
	}
	b.WriteByte('\n')
}
