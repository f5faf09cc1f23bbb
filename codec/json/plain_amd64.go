package json

import "golang.org/x/sys/cpu"

// hasAVX2 is decided once; the processor does not change.
var hasAVX2 = cpu.X86.HasAVX2

// plainAVX2 returns how many whole blocks of 64 bytes at the beginning of b are plain, in bytes.
//
//go:noescape
func plainAVX2(b []byte) int

// plainBlocks moves i over blocks that are plain.
func plainBlocks(b []byte, i int) int {
	if hasAVX2 && len(b)-i >= 64 {
		i += plainAVX2(b[i:])
	}
	return plainWords(b, i)
}
