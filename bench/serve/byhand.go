package serve

import (
	"errors"
	"strconv"

	"github.com/anywire/anywire/codec/json"
)

var errNotSum = errors.New("not a call of sum with whole numbers a and b")

// sumByHand appends the answer to one request of sum, for the libraries that carry bytes only. It knows that one method,
// builds no Go values, and checks only that the JSON is valid and its members are there.
func sumByHand(dst, request []byte) ([]byte, error) {
	if err := json.Valid(request, 0); err != nil {
		return dst, err
	}
	var method, params, id []byte
	for name, value := range json.Members(request) {
		switch string(name) {
		case `"method"`:
			method = value
		case `"params"`:
			params = value
		case `"id"`:
			id = value
		}
	}
	if string(method) != `"sum"` || json.Kind(params) != '{' || len(id) == 0 {
		return dst, errNotSum
	}
	total, err := addByHand(params)
	if err != nil {
		return dst, err
	}
	dst = append(append(dst, `{"jsonrpc":"2.0","id":`...), id...)
	dst = strconv.AppendInt(append(dst, `,"result":`...), total, 10)
	return append(dst, '}'), nil
}

func addByHand(params []byte) (total int64, err error) {
	for _, value := range json.Members(params) {
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			return 0, errNotSum
		}
		total += n
	}
	return total, nil
}
