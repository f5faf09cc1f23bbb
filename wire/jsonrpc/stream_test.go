package jsonrpc_test

import (
	"testing"

	"github.com/anywire/anywire/wire"
	"github.com/anywire/anywire/wire/jsonrpc"
)

// Every vector, in pieces of several sizes, with calls answered at once and in reverse order at the end.
func TestStreamVectors(t *testing.T) {
	for _, v := range vectors {
		want := v.out
		if want != "" {
			want += "\n"
		}
		for _, late := range []bool{false, true} {
			for _, size := range []int{1, 2, 3, 7, 64, 1 << 20} {
				p := &peer{m: jsonrpc.NewStream(limits(wire.Limits{})), late: late}
				if got := plain(t, p.feed(v.in, size)); got != want {
					t.Errorf("%s, pieces of %d, late %v:\n got %q\nwant %q", v.name, size, late, got, want)
				}
			}
		}
	}
}
