package json

import (
	"bytes"
	"testing"
)

// rpcCall is a call of 63 bytes, the size that most calls have.
var rpcCall = []byte(`{"jsonrpc":"2.0","method":"math.sum","params":[23,42],"id":107}`)

func base64Value() []byte {
	return append(append([]byte{'"'}, bytes.Repeat([]byte("QUJDREVGR0hJSktM"), 100_000)...), '"')
}

func BenchmarkScanCall(b *testing.B) {
	b.SetBytes(int64(len(rpcCall)))
	b.ReportAllocs()
	var s Scanner
	for b.Loop() {
		s.Reset()
		if end, _ := s.Scan(rpcCall, false); end != len(rpcCall) {
			b.Fatal(end)
		}
	}
}

func BenchmarkScanBase64(b *testing.B) {
	value := base64Value()
	b.SetBytes(int64(len(value)))
	b.ReportAllocs()
	var s Scanner
	for b.Loop() {
		s.Reset()
		if end, _ := s.Scan(value, false); end != len(value) {
			b.Fatal(end)
		}
	}
}

func BenchmarkMembersOfCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		found := 0
		for name := range Members(rpcCall) {
			if KeyIs(name, "jsonrpc") || KeyIs(name, "method") || KeyIs(name, "params") || KeyIs(name, "id") {
				found++
			}
		}
		if found != 4 {
			b.Fatal(found)
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	value := string(base64Value()[1:1_000_001])
	b.SetBytes(int64(len(value)))
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		dst = AppendString(dst[:0], value)
	}
}

func BenchmarkUnmarshalCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var call struct {
			Version string `json:"jsonrpc"`
			Method  string `json:"method"`
			Params  []int  `json:"params"`
			ID      int    `json:"id"`
		}
		if err := Unmarshal(rpcCall, &call); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendStruct(b *testing.B) {
	b.ReportAllocs()
	v := &struct {
		Name  string
		Price float64
		Tags  []string
	}{"lamp", 12.5, []string{"a", "b"}}
	var dst []byte
	for b.Loop() {
		dst, _ = Append(dst[:0], v)
	}
}
