package base64

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"testing"
)

// fast are the loops to test: each must agree with encoding/base64 about what it says it did.
var fast = map[string]struct{ encode, decode func(dst, src []byte) int }{
	"here":    {encodeFast, decodeFast},
	"generic": {encodeGeneric, decodeGeneric},
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestEveryLength(t *testing.T) {
	for n := range 300 {
		plain := noise(n)
		want := base64.StdEncoding.AppendEncode([]byte("at:"), plain)
		if got := AppendEncode([]byte("at:"), plain); !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: %s", n, got)
		}
		got, ok := AppendDecode([]byte("at:"), want[3:])
		if !ok || string(got) != "at:"+string(plain) {
			t.Fatalf("%d bytes: %x, %v", n, got, ok)
		}
	}
}

func TestLoops(t *testing.T) {
	for name, loop := range fast {
		for n := range 200 {
			plain := noise(n)
			encoded := []byte(base64.StdEncoding.EncodeToString(plain))
			out := make([]byte, len(encoded))
			if done := loop.encode(out, plain); done%3 != 0 || n-done > 30 || !bytes.Equal(out[:done/3*4], encoded[:done/3*4]) {
				t.Errorf("%s: %d of %d bytes: %s", name, done, n, out)
			}
			back := make([]byte, len(encoded)/4*3)
			if done := loop.decode(back, encoded); done%4 != 0 || len(encoded)-done > 44 || !bytes.Equal(back[:done/4*3], plain[:done/4*3]) {
				t.Errorf("%s: %d of %d letters: %x", name, done, len(encoded), back)
			}
		}
	}
}

// TestEveryByte puts each byte at each place: the loops must stop before what is not of the alphabet.
func TestEveryByte(t *testing.T) {
	for place := range 96 {
		text := bytes.Repeat([]byte("Zm9v"), 24)
		for c := range 256 {
			text[place] = byte(c)
			_, ok := AppendDecode(nil, text)
			_, err := base64.StdEncoding.Strict().DecodeString(string(text))
			want := err == nil && c != '\n' && c != '\r'
			if ok != want {
				t.Fatalf("byte %#x at %d: %v", c, place, ok)
			}
			for name, loop := range fast {
				if done := loop.decode(make([]byte, 72), text); !want && done > place {
					t.Fatalf("%s passes byte %#x at %d", name, c, place)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{
		"A", "AQ", "AQI", "AQ=", "A===", "====", "AQ==AQ==", "AQ==\n", "AQ\n==", "AR==", "AQJ=", "AQI=AQ==", "A-_A", "\nAQI", "AQ= ",
	} {
		if got, ok := AppendDecode([]byte("at:"), []byte(text)); ok || string(got) != "at:" {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	plain, text := make([]byte, 0, 1000), AppendEncode(nil, noise(700))
	if n := testing.AllocsPerRun(100, func() {
		plain, _ = AppendDecode(plain[:0], text)
		text = AppendEncode(text[:0], plain)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("AQI="))
	f.Add(bytes.Repeat([]byte("Zm9v"), 30))
	f.Add([]byte("Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFy\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := AppendDecode(nil, text)
		want, err := base64.StdEncoding.Strict().DecodeString(string(text))
		if legal := err == nil && !bytes.ContainsAny(text, "\r\n"); ok != legal || ok && !bytes.Equal(got, want) {
			t.Fatalf("%q: %x, %v", text, got, ok)
		}
		if back := AppendEncode(nil, got); ok && !bytes.Equal(back, text) {
			t.Fatalf("%q comes back as %q", text, back)
		}
		if encoded := AppendEncode(nil, text); !slices.Equal(encoded, base64.StdEncoding.AppendEncode(nil, text)) {
			t.Fatalf("%q becomes %q", text, encoded)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	plain := noise(1_200_000)
	dst := make([]byte, EncodedLen(len(plain)))
	for name, encode := range map[string]func(){
		"library": func() { base64.StdEncoding.Encode(dst, plain) },
		"generic": func() { encodeGeneric(dst, plain) },
		"here":    func() { AppendEncode(dst[:0], plain) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				encode()
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	text := AppendEncode(nil, noise(1_200_000))
	dst := make([]byte, len(text))
	for name, decode := range map[string]func(){
		"library": func() { _, _ = base64.StdEncoding.Decode(dst, text) },
		"generic": func() { decodeGeneric(dst, text) },
		"here":    func() { _, _ = AppendDecode(dst[:0], text) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				decode()
			}
		})
	}
}
