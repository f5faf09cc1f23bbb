package json

import (
	"encoding/json"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// order has a member of each form that values take.
type order struct {
	ID      int64           `json:"id"`
	Name    string          `json:"name"`
	Price   float64         `json:"price"`
	Paid    bool            `json:"paid"`
	Size    int8            `json:"size"`
	Count   uint8           `json:"count"`
	Wait    time.Duration   `json:"wait"`
	At      time.Time       `json:"at"`
	Data    []byte          `json:"data"`
	Key     [4]byte         `json:"key"`
	Pair    [2]int          `json:"pair"`
	Items   []item          `json:"items"`
	Stock   map[int]string  `json:"stock"`
	Raw     json.RawMessage `json:"raw"`
	Any     any             `json:"any"`
	Quoted  int             `json:"quoted,string"`
	Pointer *item           `json:"pointer"`
	From    netip.Addr      `json:"from"`
	Colour  colour          `json:"colour"`
	Note    note            `json:"unit price"`
}

type item struct {
	Price float64 `json:"price"`
}

// colour reads itself and has words for what is wrong.
type colour string

func (c *colour) UnmarshalJSON(value []byte) error {
	if *c = colour(AppendUnquoted(nil, value)); *c != "red" {
		return &Mistake{Message: "want red"}
	}
	return nil
}

// note reads itself by way of another type.
type note struct{ Text string }

func (n *note) UnmarshalJSON(value []byte) error {
	var form struct {
		Texts []string `json:"texts"`
	}
	if err := Unmarshal(value, &form); err != nil {
		return err
	}
	n.Text = strings.Join(form.Texts, " ")
	return nil
}

func TestUnmarshal(t *testing.T) {
	const value = `{"id":9223372036854775807,"name":"lamp","price":12.5,"paid":true,"size":-128,"count":255,"wait":"1h1.5s",
		"at":"2026-11-30T12:00:00.5Z","data":"AQI=","key":"AQIDBA==","pair":[1,2],"items":[{"price":1}],"stock":{"7":"x"},
		"raw":{"a": [1]},"any":[1,"x",null],"quoted":"5","pointer":{"price":2},"from":"10.0.0.1","colour":"red",
		"unit price":{"texts":["a","b"]}}`
	want := order{
		ID: math.MaxInt64, Name: "lamp", Price: 12.5, Paid: true, Size: -128, Count: 255, Wait: time.Hour + 1500*time.Millisecond,
		At: time.Date(2026, 11, 30, 12, 0, 0, 5e8, time.UTC), Data: []byte{1, 2}, Key: [4]byte{1, 2, 3, 4}, Pair: [2]int{1, 2},
		Items: []item{{1}}, Stock: map[int]string{7: "x"}, Raw: json.RawMessage(`{"a": [1]}`), Any: []any{1.0, "x", nil},
		Quoted: 5, Pointer: &item{2}, From: netip.AddrFrom4([4]byte{10, 0, 0, 1}), Colour: "red", Note: note{"a b"},
	}
	var got order
	if err := Unmarshal([]byte(value), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestAppend(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, `null`},
		{int64(math.MaxInt64), `9223372036854775807`},
		{uint64(math.MaxUint64), `18446744073709551615`},
		{1.0, `1`},
		{"a<b>&\u2028", "\"a<b>&\u2028\""},
		{[]int(nil), `[]`},
		{map[string]int(nil), `{}`},
		{map[string]int{"b": 1, "a": 2}, `{"a":2,"b":1}`},
		{[]byte{1, 2}, `"AQI="`},
		{[]byte(nil), `""`},
		{time.Date(2026, 11, 30, 12, 0, 0, 5e8, time.UTC), `"2026-11-30T12:00:00.5Z"`},
		{1500 * time.Millisecond, `"1.5s"`},
		{map[time.Duration]time.Duration{time.Minute: time.Hour}, `{"60s":"3600s"}`},
		{[]any{time.Second, nil}, `["1s",null]`},
		{json.RawMessage(`{"a":"\u0061","n":1.0}`), `{"a":"\u0061","n":1.0}`},
		{json.RawMessage(nil), `null`},
		{item{2}, `{"price":2}`},
		{&item{2}, `{"price":2}`},
		{(*item)(nil), `null`},
	} {
		got, err := Append([]byte("at:"), c.v)
		if err != nil || string(got) != "at:"+c.want {
			t.Errorf("%#v: %s, %v", c.v, got, err)
		}
	}
}

func TestAppendFails(t *testing.T) {
	cycle := map[string]any{}
	cycle["a"] = cycle
	for _, v := range []any{
		math.NaN(), math.Inf(1), []any{"x", math.Inf(-1)}, make(chan int), func() {}, complex(1, 2), "\xff",
		map[string]any{"a": 1, "b": make(chan int)}, json.RawMessage(`{`), json.RawMessage("\xff"), cycle,
		[]any{strings.Repeat("x", 100_000), math.NaN()},
	} {
		dst := append(make([]byte, 0, 64), "at:"...)
		if got, err := Append(dst, v); err == nil || string(got) != "at:" || string(dst) != "at:" {
			t.Errorf("%T: %.40s, %v", v, got, err)
		}
	}
}

func TestAppendReusesMemory(t *testing.T) {
	dst := make([]byte, 0, 256)
	if got, err := Append(dst, &item{12.5}); err != nil || &got[0] != &dst[:1][0] {
		t.Error(string(got), err)
	}
}
