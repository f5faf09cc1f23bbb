package jsonrpc_test

import "fmt"

// vectors are raw bytes in and out. The functions behind them are the specification's: subtract, sum, update, get_data
// and notifications; an unknown name is answered as a server does. Each is run on the stream and over HTTP.
var vectors = []struct{ name, in, out string }{
	// The examples that the specification prints (section 7).
	{"positional", `{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}`, result("1", "19")},
	{"positional reversed", `{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}`, result("2", "-19")},
	{"named", `{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}`, result("3", "19")},
	{"named swapped", `{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}`, result("4", "19")},
	{"notification", `{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}`, ""},
	{"notification of unknown method", `{"jsonrpc": "2.0", "method": "foobar"}`, ""},
	{"unknown method", `{"jsonrpc": "2.0", "method": "foobar", "id": "1"}`, failure(`"1"`, -32601)},
	{"invalid JSON", `{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]`, failure("null", -32700)},
	{"method is a number", `{"jsonrpc": "2.0", "method": 1, "params": "bar"}`, failure("null", -32600)},
	{"batch cut off", `[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"`, failure("null", -32700)},
	{"empty batch", `[]`, failure("null", -32600)},
	{"batch of one number", `[1]`, "[" + failure("null", -32600) + "]"},
	{"batch of numbers", `[1,2,3]`, "[" + failure("null", -32600) + "," + failure("null", -32600) + "," + failure("null", -32600) + "]"},
	{"mixed batch", `[
		{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
		{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
		{"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
		{"foo": "boo"},
		{"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
		{"jsonrpc": "2.0", "method": "get_data", "id": "9"}
	]`, "[" + result(`"1"`, "7") + "," + result(`"2"`, "19") + "," + failure("null", -32600) + "," + failure(`"5"`, -32601) + "," + result(`"9"`, `["hello",5]`) + "]"},
	{"batch of notifications", `[{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},{"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]`, ""},

	// What follows from its text.
	{"id null is a call", `{"jsonrpc":"2.0","method":"get_data","id":null}`, result("null", `["hello",5]`)},
	{"id 0", `{"jsonrpc":"2.0","method":"get_data","id":0}`, result("0", `["hello",5]`)},
	{"id -1", `{"jsonrpc":"2.0","method":"get_data","id":-1}`, result("-1", `["hello",5]`)},
	{"id -0", `{"jsonrpc":"2.0","method":"get_data","id":-0}`, result("-0", `["hello",5]`)},
	{"id 1.5", `{"jsonrpc":"2.0","method":"get_data","id":1.5}`, result("1.5", `["hello",5]`)},
	{"id 1.0", `{"jsonrpc":"2.0","method":"get_data","id":1.0}`, result("1.0", `["hello",5]`)},
	{"id 1e400", `{"jsonrpc":"2.0","method":"get_data","id":1e400}`, result("1e400", `["hello",5]`)},
	{"id past 2^53", `{"jsonrpc":"2.0","method":"get_data","id":9007199254740993}`, result("9007199254740993", `["hello",5]`)},
	{"id empty", `{"jsonrpc":"2.0","method":"get_data","id":""}`, result(`""`, `["hello",5]`)},
	{"id text", `{"jsonrpc":"2.0","method":"get_data","id":"1"}`, result(`"1"`, `["hello",5]`)},
	{"id escaped", `{"jsonrpc":"2.0","method":"get_data","id":"\u0061"}`, result(`"\u0061"`, `["hello",5]`)},
	{"id true", `{"jsonrpc":"2.0","method":"get_data","id":true}`, failure("null", -32600)},
	{"id array", `{"jsonrpc":"2.0","method":"get_data","id":[]}`, failure("null", -32600)},
	{"id object", `{"jsonrpc":"2.0","method":"get_data","id":{}}`, failure("null", -32600)},
	{"id array of text", `{"jsonrpc":"2.0","method":"get_data","id":["q"]}`, failure("null", -32600)},
	{"no version", `{"method":"get_data","id":7}`, failure("7", -32600)},
	{"version 1.0", `{"jsonrpc":"1.0","method":"get_data","id":7}`, failure("7", -32600)},
	{"version a number", `{"jsonrpc":2.0,"method":"get_data","id":7}`, failure("7", -32600)},
	{"version with a space", `{"jsonrpc":" 2.0","method":"get_data","id":7}`, failure("7", -32600)},
	{"no method", `{"jsonrpc":"2.0","id":7}`, failure("7", -32600)},
	{"method null", `{"jsonrpc":"2.0","method":null,"id":7}`, failure("7", -32600)},
	{"method empty", `{"jsonrpc":"2.0","method":"","id":7}`, failure("7", -32601)},
	{"method escaped", `{"jsonrpc":"2.0","method":"get\u005fdata","id":7}`, result("7", `["hello",5]`)},
	{"method with NUL", `{"jsonrpc":"2.0","method":"get\u0000data","id":7}`, failure("7", -32601)},
	{"params text", `{"jsonrpc":"2.0","method":"sum","params":"x","id":7}`, failure("7", -32600)},
	{"params number", `{"jsonrpc":"2.0","method":"sum","params":5,"id":7}`, failure("7", -32600)},
	{"params bool", `{"jsonrpc":"2.0","method":"sum","params":true,"id":7}`, failure("7", -32600)},
	{"params null", `{"jsonrpc":"2.0","method":"get_data","params":null,"id":7}`, result("7", `["hello",5]`)},
	{"params empty array", `{"jsonrpc":"2.0","method":"get_data","params":[],"id":7}`, result("7", `["hello",5]`)},
	{"params empty object", `{"jsonrpc":"2.0","method":"get_data","params":{},"id":7}`, result("7", `["hello",5]`)},
	{"batch in a batch", `[[{"jsonrpc":"2.0","method":"get_data","id":7}]]`, "[" + failure("null", -32600) + "]"},
	{"broken member of a batch", `[{"jsonrpc":"2.0","method":"get_data","id":7},{"jsonrpc":}]`, failure("null", -32700)},
	{"white space and CRLF", "\r\n \t{\"jsonrpc\":\"2.0\",\"method\":\"get_data\",\"id\":7}\r\n\r\n", result("7", `["hello",5]`)},
	{"member names in another case", `{"jsonrpc":"2.0","Method":"get_data","id":7}`, failure("7", -32600)},
	{"version name in another case", `{"JSONRPC":"2.0","method":"get_data","id":7}`, failure("7", -32600)},
	{"scalar null", `null `, failure("null", -32600)},
	{"scalar text", `"x"`, failure("null", -32600)},
	{"scalar number", `5 `, failure("null", -32600)},

	// Our rules, where it is silent.
	{"byte order mark", "\xEF\xBB\xBF" + `{"jsonrpc":"2.0","method":"get_data","id":7}`, failure("null", -32700)},
	{"id twice", `{"jsonrpc":"2.0","method":"get_data","id":7,"id":8}`, failure("null", -32600)},
	{"method twice", `{"jsonrpc":"2.0","method":"get_data","method":"sum","id":7}`, failure("7", -32600)},
	{"invalid UTF-8 in id", "{\"jsonrpc\":\"2.0\",\"method\":\"get_data\",\"id\":\"\xFF\"}", failure("null", -32700)},
	{"invalid UTF-8 in method", "{\"jsonrpc\":\"2.0\",\"method\":\"\xFF\",\"id\":1}", failure("null", -32700)},
	{"invalid UTF-8 in params", "{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[\"\xFF\"],\"id\":1}", failure("null", -32700)},
	{"lone surrogate", `{"jsonrpc":"2.0","method":"sum","params":["\ud800"],"id":1}`, failure("null", -32700)},
	{"NUL in method", "{\"jsonrpc\":\"2.0\",\"method\":\"a\x00b\",\"id\":1}", failure("null", -32700)},
	{"leading zero", `{"jsonrpc":"2.0","method":"sum","params":[01],"id":1}`, failure("null", -32700)},
	{"plus sign", `{"jsonrpc":"2.0","method":"sum","params":[+1],"id":1}`, failure("null", -32700)},
	{"no digit before the point", `{"jsonrpc":"2.0","method":"sum","params":[.5],"id":1}`, failure("null", -32700)},
	{"no digit behind the point", `{"jsonrpc":"2.0","method":"sum","params":[1.],"id":1}`, failure("null", -32700)},
	{"NaN", `{"jsonrpc":"2.0","method":"sum","params":[NaN],"id":1}`, failure("null", -32700)},
	{"apostrophes", `{"jsonrpc":"2.0","method":"sum","params":['a'],"id":1}`, failure("null", -32700)},
	{"comment", `{"jsonrpc":"2.0","method":"sum","params":[],//c` + "\n" + `"id":1}`, failure("null", -32700)},
	{"trailing comma", `{"jsonrpc":"2.0","method":"sum","params":[1,],"id":1}`, failure("null", -32700)},
	{"unknown member", `{"jsonrpc":"2.0","method":"get_data","id":7,"x":1}`, result("7", `["hello",5]`)},
	{"escaped member names", `{"\u006asonrpc":"2.0","m\u0065thod":"get_data","\u0069d":7,"\n\"\\":1}`, result("7", `["hello",5]`)},
	{"id twice, once escaped", `{"jsonrpc":"2.0","method":"get_data","id":7,"\u0069d":8}`, failure("null", -32600)},
	{"id twice in one batch", `[{"jsonrpc":"2.0","method":"get_data","id":7},{"jsonrpc":"2.0","method":"get_data","id":7}]`,
		"[" + result("7", `["hello",5]`) + "," + result("7", `["hello",5]`) + "]"},
	{"meta of another shape", `{"jsonrpc":"2.0","method":"get_data","id":7,"meta":[1]}`, result("7", `["hello",5]`)},
}

func result(id, value string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":` + value + `}`
}

// failure is an error whose message does not matter to the table.
func failure(id string, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d}}`, id, code)
}
