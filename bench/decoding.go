//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/anywire/anywire/bench/codecs"
)

func jsonCommand(args []string, out io.Writer) error {
	s, err := parseSettings("json", args)
	if err != nil {
		return err
	}
	doc := &document{echo: out}
	describe(doc, s)
	return errors.Join(decoding(s, doc), doc.save(s.out))
}

// decoding measures all codecs and writes a table for each message.
func decoding(s settings, doc *document) error {
	all, err := codecs.Cases()
	if err != nil {
		return err
	}
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(c codecs.Case) bool { return c.Message != all[0].Message })
		if n < 0 {
			n = len(all)
		}
		if err := decodingOf(all[:n], s, doc); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// decodingOf measures the codecs of one message in turn.
func decodingOf(cases []codecs.Case, s settings, doc *document) error {
	title := "decoding: " + cases[0].Message
	cases = slices.DeleteFunc(slices.Clone(cases), func(c codecs.Case) bool {
		return !s.only.MatchString(title + ": " + c.Codec)
	})
	times := make([][]float64, len(cases))
	for range s.rounds {
		for i, c := range cases {
			took, err := c.Time(s.time / 5)
			if err != nil {
				return err
			}
			times[i] = append(times[i], float64(took.Nanoseconds()))
		}
	}
	if len(cases) > 0 {
		doc.section(title, decodingTable(cases, times))
	}
	return nil
}

func decodingTable(cases []codecs.Case, times [][]float64) table {
	t := table{head: []string{"codec", "bytes", "CPU ns", "allocations", "CPU × " + codecs.Ours}}
	ours := slices.IndexFunc(cases, func(c codecs.Case) bool { return c.Codec == codecs.Ours })
	for i, c := range cases {
		ratio := "–"
		if ours >= 0 {
			ratio = ratioOf(times[i], times[ours])
		}
		t.lines = append(t.lines, []string{
			c.Codec, fmt.Sprint(c.Size), fmt.Sprintf("%.0f", median(times[i])), fmt.Sprint(c.Allocs()), ratio,
		})
	}
	return t
}
