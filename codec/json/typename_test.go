package json

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

func TestTypeName(t *testing.T) {
	for want, types := range map[string][]reflect.Type{
		"boolean":                           {reflect.TypeFor[bool]()},
		"string":                            {reflect.TypeFor[string](), reflect.TypeFor[netip.Addr]()},
		"integer":                           {reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[**int64](), reflect.TypeFor[time.Month]()},
		"integer -128 to 127":               {reflect.TypeFor[int8]()},
		"integer -32768 to 32767":           {reflect.TypeFor[int16]()},
		"integer 0 to 255":                  {reflect.TypeFor[uint8]()},
		"integer 0 to 4294967295":           {reflect.TypeFor[uint32]()},
		"integer -2147483648 to 2147483647": {reflect.TypeFor[int32]()},
		"integer 0 to 18446744073709551615": {reflect.TypeFor[uint64](), reflect.TypeFor[uint]()},
		"number":                            {reflect.TypeFor[float32](), reflect.TypeFor[float64]()},
		"array":                             {reflect.TypeFor[[]int](), reflect.TypeFor[[][]byte]()},
		"array of 3 items":                  {reflect.TypeFor[[3]string]()},
		"object":                            {reflect.TypeFor[map[string]int](), reflect.TypeFor[struct{}](), reflect.TypeFor[*item]()},
		"base64 string":                     {reflect.TypeFor[[]byte]()},
		"base64 string of 16 bytes":         {reflect.TypeFor[[16]byte]()},
		"RFC 3339 time":                     {reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time]()},
		`duration such as "1.5s"`:           {reflect.TypeFor[time.Duration]()},
		"any value":                         {nil, reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[big.Int](), reflect.TypeFor[colour]()},
		"value that cannot be sent":         {reflect.TypeFor[chan int](), reflect.TypeFor[func()](), reflect.TypeFor[complex128]()},
	} {
		for _, typ := range types {
			if got := TypeName(typ); got != want {
				t.Errorf("%v: %s, want %s", typ, got, want)
			}
		}
	}
}
