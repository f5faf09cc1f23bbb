package json

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestRandomTypes makes up types and values, and sends the encoding of one to the other.
func TestRandomTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 3000 {
		typ := randomType(r, 3)
		other := typ
		if r.IntN(3) == 0 {
			other = randomType(r, 3)
		}
		v := reflect.New(typ)
		randomValue(r, v.Elem(), 3)
		compareAppend(t, v.Interface())
		compareAppend(t, v.Elem().Interface())
		encoded, err := appendByLibrary(v.Interface())
		if err != nil {
			continue
		}
		compare(t, encoded, func() any { return reflect.New(other).Interface() })
		if len(encoded) > 1 {
			encoded[r.IntN(len(encoded))] = `"0a,:}]\ né`[r.IntN(11)]
			compare(t, encoded, func() any { return reflect.New(other).Interface() })
		}
	}
}

var leaves = []reflect.Type{
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](), reflect.TypeFor[ID](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[bool](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[inner](), reflect.TypeFor[chain](),
	reflect.TypeFor[[2]byte](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[Embedded](), reflect.TypeFor[odd](),
}

func randomType(r *rand.Rand, depth int) reflect.Type {
	if depth == 0 {
		return leaves[r.IntN(len(leaves))]
	}
	switch r.IntN(7) {
	case 0:
		return reflect.SliceOf(randomType(r, depth-1))
	case 1:
		return reflect.MapOf(reflect.TypeFor[string](), randomType(r, depth-1))
	case 2:
		return reflect.PointerTo(randomType(r, depth-1))
	case 3:
		return reflect.ArrayOf(r.IntN(3), randomType(r, depth-1))
	case 4, 5:
		return randomStruct(r, depth)
	}
	return leaves[r.IntN(len(leaves))]
}

func randomStruct(r *rand.Rand, depth int) reflect.Type {
	tags := []reflect.StructTag{"", `json:"x"`, `json:",omitempty"`, `json:"y,omitzero"`, `json:"-"`, `json:"z z,omitempty,omitzero"`}
	var fields []reflect.StructField
	for i := range r.IntN(6) {
		tag := tags[r.IntN(len(tags))]
		if i > 0 && strings.Contains(string(tag), fields[0].Tag.Get("json")) && fields[0].Tag != "" {
			tag = ""
		}
		fields = append(fields, reflect.StructField{Name: string(rune('A' + i)), Type: randomType(r, depth-1), Tag: tag})
	}
	return reflect.StructOf(fields)
}

func randomValue(r *rand.Rand, v reflect.Value, depth int) {
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = time.Unix(r.Int64N(1<<33), r.Int64N(2)*r.Int64N(1e9)).UTC()
		if r.IntN(4) == 0 {
			*p = p.In(time.FixedZone("", r.IntN(100_000)-50_000))
		}
		return
	case *json.RawMessage:
		*p = json.RawMessage([]string{`{"a":[1, 2]}`, `"x"`, `null`, `1.50`, ``}[r.IntN(5)])
		return
	case *any:
		*p = []any{nil, 1.5, "x", true, []any{1.0, "a"}, map[string]any{"b": nil, "a": 2.0}, &inner{A: 1}, time.Second, []int{1}}[r.IntN(9)]
		return
	}
	if r.IntN(4) == 0 {
		return // zero
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(int64(r.Uint64()) >> r.IntN(64) >> (64 - v.Type().Bits()))
	case reflect.Uint8, reflect.Uint16, reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64) >> (64 - v.Type().Bits()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(randomFloat(r))
	case reflect.String:
		v.SetString([]string{"", "plain", "é", "a\"b\\\n\u2028", "\x00\x7f", "a string of more than thirty-two letters", "<&>", "\xff"}[r.IntN(8)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if depth > -2 {
			randomValue(r, v.Elem(), depth-1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			if depth > -2 {
				randomValue(r, v.Index(i), depth-1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			randomValue(r, v.Index(i), depth-1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range r.IntN(4) {
			e := reflect.New(v.Type().Elem()).Elem()
			randomValue(r, e, depth-1)
			v.SetMapIndex(reflect.ValueOf([]string{"b", "a", "", "é", "a b"}[r.IntN(5)]), e)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			randomValue(r, v.Field(i), depth-1)
		}
	}
}

func randomFloat(r *rand.Rand) float64 {
	switch r.IntN(6) {
	case 0:
		return float64(r.IntN(1000))
	case 1:
		return math.Float64frombits(r.Uint64())
	case 2:
		return float64(r.IntN(100000)) / 100
	case 3:
		return math.Copysign(0, -1)
	case 4:
		return math.Pow10(r.IntN(40) - 20)
	}
	return r.NormFloat64()
}
