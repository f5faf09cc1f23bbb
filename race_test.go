//go:build race

package anywire_test

// race says that the race detector watches, under which everything takes ten times as long.
const race = true
