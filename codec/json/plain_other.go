//go:build !amd64

package json

// plainBlocks moves i over blocks that are plain.
func plainBlocks(b []byte, i int) int { return plainWords(b, i) }
