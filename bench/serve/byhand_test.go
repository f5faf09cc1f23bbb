package serve

import "testing"

func TestSumByHand(t *testing.T) {
	for request, want := range map[string]string{
		`{"jsonrpc":"2.0","method":"sum","params":{"a":-2,"b":5},"id":"x"}`: `{"jsonrpc":"2.0","id":"x","result":3}`,
		` { "id" : 7 , "params" : { "b":1, "a":2 } , "method" : "sum" } `:   `{"jsonrpc":"2.0","id":7,"result":3}`,
		`{"method":"nap","params":{"a":1,"b":2},"id":1}`:                    "",
		`{"method":"sum","params":[1,2],"id":1}`:                            "",
		`{"method":"sum","params":{"a":1,"b":2}}`:                           "",
		`{"method":"sum","params":{"a":1.5,"b":2},"id":1}`:                  "",
		`{"method":"sum","params":{"a":1,"b":2},"id":1`:                     "",
		``: "",
	} {
		got, err := sumByHand(nil, []byte(request))
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v; want %q", request, got, err, want)
		}
	}
}
