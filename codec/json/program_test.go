package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The library is what programs are measured by: the same value or the same mistake, the same bytes.

func byLibrary(value []byte, v any) error {
	if err := jsonv2.Unmarshal(value, v, decodeOptions); err != nil {
		return mistakeOf(value, err)
	}
	return nil
}

func appendByLibrary(v any) ([]byte, error) {
	var out bytes.Buffer
	err := jsonv2.MarshalWrite(&out, v, encodeOptions)
	return out.Bytes(), err
}

type (
	ID     int64
	Word   string
	Flags  []bool
	letter byte
	inner  struct {
		A int    `json:"a"`
		B string `json:"b,omitempty"`
	}
	Embedded struct {
		Deep  *inner `json:"deep,omitempty"`
		Plain float32
	}
	chain struct {
		N    int     `json:"n"`
		Next *chain  `json:"next,omitzero"`
		More []chain `json:"more,omitempty"`
	}
	odd struct {
		Quoted int `json:"q,string"`
		Folded int `json:",case:ignore"`
	}
	many struct {
		Embedded
		ID      ID                   `json:"id"`
		Word    Word                 `json:"word,omitempty"`
		I8      int8                 `json:"i8"`
		I16     int16                `json:"i16"`
		I32     int32                `json:"i32"`
		U       uint                 `json:"u"`
		U8      uint8                `json:"u8"`
		U16     uint16               `json:"u16"`
		U32     uint32               `json:"u32"`
		U64     uint64               `json:"u64"`
		F32     float32              `json:"f32"`
		F64     float64              `json:"f64"`
		Bool    bool                 `json:"bool,omitzero"`
		Bytes   []byte               `json:"bytes,omitempty"`
		Letters []letter             `json:"letters"`
		Fixed   [3]byte              `json:"fixed"`
		Time    time.Time            `json:"time,omitzero"`
		Wait    time.Duration        `json:"wait"`
		Inner   inner                `json:"inner"`
		Pointer **inner              `json:"pointer"`
		List    []inner              `json:"list"`
		Flags   Flags                `json:"flags"`
		Array   [2]string            `json:"array"`
		None    [0]int               `json:"none"`
		Map     map[string]int       `json:"map"`
		Words   map[Word]*inner      `json:"words"`
		Numbers map[int]string       `json:"numbers"`
		Any     any                  `json:"any"`
		Raw     json.RawMessage      `json:"raw"`
		Value   jsontext.Value       `json:"value"`
		Number  json.Number          `json:"number,omitempty"`
		Chain   *chain               `json:"chain"`
		Odd     odd                  `json:"odd"`
		From    netip.Addr           `json:"from,omitempty"`
		Nested  map[string][][]Flags `json:"nested"`
		Hidden  int                  `json:"-"`
		Strange string               `json:"stränge/<näme>"`
	}
)

// seeds are values that say much about many.
var seeds = []string{
	`{}`, `null`, `[]`, `5`, ` { "id" : 1 , "word" : "x" } `,
	`{"id":-9223372036854775808,"i8":-128,"i16":32767,"i32":-2147483648,"u":1,"u8":255,"u16":65535,"u32":4294967295}`,
	`{"u64":18446744073709551615}`, `{"u64":18446744073709551616}`, `{"id":9223372036854775808}`, `{"u8":-0}`, `{"i8":-0,"i16":128}`,
	`{"i8":-129}`, `{"u":1.0}`, `{"id":1e2}`, `{"f32":16777217,"f64":0.1}`, `{"f32":3.4028235e38,"f64":1.7976931348623157e308}`,
	`{"f32":3.5e38}`, `{"f64":1e400}`, `{"f64":-0,"f32":-0.0}`, `{"f64":9007199254740993,"f32":0.1e-10}`, `{"f64":123456789012345678901234567890e-10}`,
	`{"f64":5e-324}`, `{"f64":1e22}`, `{"f64":1e23}`, `{"f32":1e10}`, `{"f32":1e11}`, `{"f64":0.000001e-999999999999999999999}`,
	`{"bool":true,"bytes":"AQI=","letters":[1,2],"fixed":"AQID"}`, `{"bytes":"AR=="}`, `{"bytes":"AQ=="}`, `{"bytes":"AQ"}`, `{"bytes":"A\u0051=="}`,
	`{"bytes":"AQ\n=="}`, `{"bytes":""}`, `{"bytes":null}`, `{"letters":"AQI="}`, `{"fixed":"AQI="}`,
	`{"time":"2026-11-30T12:00:00Z"}`, `{"time":"2026-11-30T12:00:00.123456789+02:00"}`, `{"time":"2026-11-30T1:00:00Z"}`, `{"time":"2026-02-30T12:00:00Z"}`,
	`{"time":"2026-11-30T12:00:00,5Z"}`, `{"time":"2026-11-30T24:00:00Z"}`, `{"time":"2026-11-30t12:00:00z"}`, `{"time":""}`, `{"time":null}`,
	`{"wait":"1h2m3.5s"}`, `{"wait":"x"}`, `{"wait":null}`, `{"wait":"\u0031s"}`,
	`{"inner":{"a":1,"b":"é\n\ud83d\ude00"},"pointer":{"a":2},"list":[{"a":1},{"b":"x"}],"flags":[true,false,null]}`,
	`{"inner":{"a":1,"a":2}}`, `{"inner":{"c":1}}`, `{"inner":null,"pointer":null,"list":null,"flags":null,"map":null,"any":null,"raw":null}`,
	`{"array":["a","b"],"none":[]}`, `{"array":["a"]}`, `{"array":["a","b","c"]}`, `{"none":[1]}`, `{"array":[]}`,
	`{"map":{"b":1,"a":2},"words":{"x":{"a":1},"y":null},"numbers":{"1":"a"}}`, `{"map":{"a":1,"a":2}}`, `{"map":{"a":1,"\u0061":2}}`, `{"numbers":{"x":"a"}}`,
	`{"any":{"a":[1,"x",true,null,{"b":1e3}]}}`, `{"any":"x"}`, `{"any":1.5}`, `{"any":[1,{"a":1,"a":2}]}`, `{"any":1e999}`, `{"any":false}`,
	`{"raw":{"a": [1]},"value":[1, 2],"number":12.50}`, `{"raw":{"a":1,"a":2}}`, `{"number":"12"}`, `{"number":"x"}`,
	`{"chain":{"n":1,"next":{"n":2,"more":[{"n":3}]}}}`, `{"odd":{"q":"5","FOLDED":1}}`, `{"odd":{"q":5}}`, `{"from":"10.0.0.1"}`, `{"from":"x"}`, `{"from":1}`,
	`{"nested":{"a":[[[true],[]],[]],"":[]}}`, `{"deep":{"a":1},"Plain":1.5}`, `{"\u0069d":7}`, `{"ID":7}`, `{"stränge/<näme>":"x"}`, `{"id":"7"}`, `{"id":true}`,
	`{"word":5}`, `{"word":null}`, `{"list":{}}`, `{"map":[]}`, `{"id":1}x`, `{"id":1`, `{"id":01}`, "{\"word\":\"\xff\"}", "{\"word\":\"\\ud800\"}",
}

// compare decodes value twice into what make returns.
func compare(t *testing.T, value []byte, make func() any) {
	t.Helper()
	got, want := make(), make()
	gotErr, wantErr := Unmarshal(value, got), byLibrary(value, want)
	if (gotErr == nil) != (wantErr == nil) || gotErr != nil && *gotErr.(*Mistake) != *wantErr.(*Mistake) {
		t.Fatalf("%q into %T: %v, want %v", value, got, gotErr, wantErr)
	}
	if gotErr == nil && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q into %T:\n%+v, want\n%+v", value, got, got, want)
	}
	if gotErr == nil {
		compareAppend(t, got)
	}
}

func compareAppend(t *testing.T, v any) {
	t.Helper()
	got, err := Append(nil, v)
	want, wantErr := appendByLibrary(v)
	if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%+v:\n%s, %v, want\n%s, %v", v, got, err, want, wantErr)
	}
}

// filled returns a value that has something everywhere, for what is merged and what is replaced.
func filled() any {
	in := &inner{A: 9, B: "old"}
	return &many{
		Embedded: Embedded{Deep: in}, ID: 9, Word: "old", Bytes: []byte("old bytes"), Letters: []letter{9}, Fixed: [3]byte{9},
		Time: time.Unix(9, 0), Wait: 9, Inner: *in, Pointer: &in, List: []inner{*in, *in, *in}, Flags: Flags{true, true},
		Array: [2]string{"old", "old"}, Map: map[string]int{"a": 9, "old": 9}, Words: map[Word]*inner{"x": in}, Any: "old",
		Raw: json.RawMessage(`"old"`), Number: "9", Chain: &chain{N: 9, More: []chain{{N: 9}}}, Odd: odd{9, 9}, From: netip.IPv6Loopback(),
		Nested: map[string][][]Flags{"a": {{{true}}}}, Hidden: 9,
	}
}

func TestProgramsAgreeWithLibrary(t *testing.T) {
	for _, seed := range seeds {
		compare(t, []byte(seed), func() any { return new(many) })
		compare(t, []byte(seed), filled)
	}
}

func FuzzPrograms(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		compare(t, value, func() any { return new(many) })
		compare(t, value, filled)
		compare(t, value, func() any { return new(chain) })
		compare(t, value, func() any { return new(map[string]any) })
		compare(t, value, func() any { return new([]float64) })
		compare(t, value, func() any { return new([][]float32) })
	})
}

func FuzzFloats(f *testing.F) {
	for _, s := range []string{"0", "-0.0", "1e22", "1.7976931348623157e308", "123456789012345678", "0.1", "5e-324", "1e-7", "16777217"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if Kind([]byte(text)) == '0' && Valid([]byte(text), 0) == nil {
			compare(t, []byte(text), func() any { return new(float64) })
			compare(t, []byte(text), func() any { return new(float32) })
		}
	})
}

func TestDecodedKeepsNothing(t *testing.T) {
	value := []byte(`{"word":"some word","any":"text","bytes":"AQIDBAUG","raw":{"a":1},"map":{"key":1}}`)
	var v, want many
	if Unmarshal(value, &v) != nil || Unmarshal(bytes.Clone(value), &want) != nil {
		t.Fatal("not decoded")
	}
	for i := range value {
		value[i] = '!'
	}
	if !reflect.DeepEqual(v, want) {
		t.Errorf("%+v", v)
	}
}

func TestSelfContaining(t *testing.T) {
	loop := &chain{N: 1}
	loop.Next = loop
	if _, err := Append(nil, loop); err == nil {
		t.Error("a value that contains itself is encoded")
	}
	long := &chain{}
	for range 2000 {
		long = &chain{Next: long}
	}
	compareAppend(t, long)
}

func TestProgramsAllocateOnlyValues(t *testing.T) {
	type flat struct {
		A, B int
		F    float64
		S    string
		T    time.Time
		L    []int
	}
	value := []byte(`{"A":1,"B":-2,"F":1.5,"S":"text","T":"2026-11-30T12:00:00Z","L":[1,2,3]}`)
	v, dst := flat{L: make([]int, 0, 8)}, make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		if Unmarshal(value, &v) != nil {
			t.Fatal("not decoded")
		}
	}); n > 1 { // the text
		t.Errorf("decoding makes %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { dst, _ = Append(dst[:0], &v) }); n > 0 {
		t.Errorf("encoding makes %v allocations", n)
	}
}

func TestRecord(t *testing.T) {
	type place struct {
		A int
		B string
		C []int
	}
	typ := reflect.TypeFor[place]()
	members := []Member{
		{Name: "a", Type: typ.Field(0).Type, Offset: typ.Field(0).Offset, Required: true, Check: func(p unsafe.Pointer) bool { return *(*int)(p) < 9 }},
		{Name: "b", Type: typ.Field(1).Type, Offset: typ.Field(1).Offset, Default: []byte(`"d"`)},
		{Name: "c", Type: typ.Field(2).Type, Offset: typ.Field(2).Offset, Variadic: true},
	}
	isNullable := func(t reflect.Type) bool { return t.Kind() == reflect.Slice }
	r := (&Strict{Nullable: isNullable, Member: func(reflect.Type, *Member) {}}).Compile(members)
	for value, want := range map[string]*place{
		`[1]`: {1, "d", nil}, `[1,"x",2,3]`: {1, "x", []int{2, 3}}, `{"c":[4],"a":1}`: {1, "d", []int{4}}, ` [ 1 , null , 5 ] `: {1, "d", []int{5}},
		`{"a":1,"b":null,"c":null}`: {1, "d", nil}, `[9]`: nil, `[null]`: nil, `{}`: nil, `[]`: nil, `{"a":1,"a":2}`: nil, `{"a":1,"x":2}`: nil,
		`[1,"x",[2]]`: nil, `5`: nil, `"a"`: nil, `[1,"x",null]`: nil, `{"\u0061":1}`: nil, ``: nil,
	} {
		var got place
		if ok := r.Decode([]byte(value), unsafe.Pointer(&got)); ok != (want != nil) || ok && !reflect.DeepEqual(got, *want) {
			t.Errorf("%s: %v, %+v", value, ok, got)
		}
	}
	if r.Missing(unsafe.Pointer(new(place))) {
		t.Error("a required member may be missing")
	}
}

// knot decodes and encodes itself by way of this package, level by level.
type knot struct{ next *knot }

var knots int // how often one was asked

func (k *knot) UnmarshalJSON(value []byte) error {
	knots++
	return Unmarshal(value, &struct {
		Next **knot `json:"next"`
	}{&k.next})
}

func (k *knot) MarshalJSON() ([]byte, error) {
	knots++
	if k.next == nil {
		return nil, errors.New("the end")
	}
	return Append(nil, struct {
		Next *knot `json:"next"`
	}{k.next})
}

func TestOwnMethodsAreAskedOnce(t *testing.T) {
	const depth = 20
	value := strings.Repeat(`{"next":`, depth) + "true" + strings.Repeat("}", depth)
	knots = 0
	if err := Unmarshal([]byte(value), new(struct{ K *knot })); err == nil {
		t.Error("decoded")
	}
	var first knot
	if err := Unmarshal([]byte(value), &first); err == nil || knots > 4*depth {
		t.Errorf("%v; %d calls", err, knots)
	}
	knots = 0
	if _, err := Append(nil, &first); err == nil || knots > 4*depth {
		t.Errorf("%v; %d calls", err, knots)
	}
}

func TestErrorsOfLibraryAreMistakes(t *testing.T) {
	var m *Mistake
	if err := Unmarshal([]byte(`{"id":true}`), new(many)); !errors.As(err, &m) || m.Path != "id" {
		t.Error(err)
	}
}
