package main

import (
	"github.com/anywire/anywire"
	"log"
)

func Sum(a, b int) int { return a + b }

func main() {
	srv := anywire.NewServer()
	srv.Handle("sum", Sum, anywire.Params("a", "b"), anywire.ReadOnly())
	log.Fatal(srv.ListenAndServe("127.0.0.1:8545"))
}
