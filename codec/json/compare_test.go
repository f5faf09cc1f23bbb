package json

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	jsonv2 "github.com/go-json-experiment/json"
)

// The same work by three libraries in one run: go test -bench Compare.

type message struct {
	ID      int64    `json:"id"`
	Sender  string   `json:"sender"`
	Room    string   `json:"room"`
	Urgent  bool     `json:"urgent"`
	Score   float64  `json:"score"`
	Labels  []string `json:"labels"`
	Content string   `json:"content"`
}

type document struct {
	Number   int64             `json:"number"`
	Customer person            `json:"customer"`
	Created  time.Time         `json:"created"`
	Lines    []line            `json:"lines"`
	Attrs    map[string]string `json:"attrs"`
	Note     *string           `json:"note"`
}

type person struct {
	Name    string  `json:"name"`
	Email   string  `json:"email"`
	Address address `json:"address"`
}

type address struct {
	Street string     `json:"street"`
	City   string     `json:"city"`
	Zip    string     `json:"zip"`
	Place  [2]float64 `json:"place"`
}

type line struct {
	SKU    string  `json:"sku"`
	Title  string  `json:"title"`
	Amount int     `json:"amount"`
	Price  float64 `json:"price"`
	Taxed  bool    `json:"taxed"`
}

// message581 is 581 bytes long as JSON.
func message581() *message {
	m := &message{
		ID: 9007199254740991, Sender: "alice@example.com", Room: "general", Score: 0.875, Labels: []string{"new", "starred", "work"},
	}
	encoded, _ := json.Marshal(m)
	m.Content = strings.Repeat("All work and no play. ", 40)[:581-len(encoded)]
	return m
}

// document1K takes about one kilobyte as JSON.
func document1K() *document {
	note := "leave it at the \"back\" door"
	d := &document{
		Number: 20261130, Created: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Note: &note,
		Customer: person{"Ada Lovelace", "ada@example.com", address{"12 St James's Square", "London", "SW1Y 4LB", [2]float64{51.5072, -0.1357}}},
		Attrs:    map[string]string{"channel": "web", "currency": "GBP", "lang": "en"},
	}
	for i := range 7 {
		d.Lines = append(d.Lines, line{"SKU-00" + string(rune('0'+i)), "Brass gear, fine pitch", i + 1, 12.5 * float64(i+1), i%2 == 0})
	}
	return d
}

func BenchmarkCompare(b *testing.B) {
	compareLibraries(b, "sum", &[]int64{23, 42})
	compareLibraries(b, "message", message581())
	compareLibraries(b, "document", document1K())
}

func compareLibraries[T any](b *testing.B, name string, v *T) {
	value, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	ways := []struct {
		name   string
		decode func([]byte, any) error
		encode func([]byte, any) ([]byte, error)
	}{
		{"anywire", Unmarshal, Append},
		{"experiment", func(value []byte, v any) error { return jsonv2.Unmarshal(value, v) },
			func(_ []byte, v any) ([]byte, error) { return jsonv2.Marshal(v) }},
		{"encoding", json.Unmarshal, func(_ []byte, v any) ([]byte, error) { return json.Marshal(v) }},
	}
	for _, way := range ways {
		b.Run(name+"/decode/"+way.name, func(b *testing.B) {
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				var v T
				if way.decode(value, &v) != nil {
					b.Fatal("not decoded")
				}
			}
		})
		b.Run(name+"/encode/"+way.name, func(b *testing.B) {
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			var dst []byte
			for b.Loop() {
				if dst, err = way.encode(dst[:0], v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParamsOfSum(b *testing.B) {
	var s Scanner
	var params [2]int64
	dst, value := make([]byte, 0, 64), []byte(`[23,42]`)
	decode := decoderOf(reflect.TypeOf(params))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		end, _ := s.Scan(value, true)
		if decode(value[:end], 0, unsafe.Pointer(&params)) < 0 {
			b.Fatal("not decoded")
		}
		dst, _ = Append(dst[:0], &params[0])
	}
}
