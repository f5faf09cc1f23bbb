package demo

import (
	"fmt"
	"net"
	"net/netip"
)

// Example is one command to paste into a shell.
type Example struct {
	Title   string
	Command string
}

// Examples returns commands that call the functions of a server at addr, "host:port", each right as it stands.
func Examples(addr string) []Example {
	host, port := reachable(addr)
	url := "http://" + net.JoinHostPort(host, port)
	flags := "--uri " + host + " -p " + port
	return []Example{
		{"JSON-RPC over HTTP, arguments by name", rpc(url, `{"jsonrpc":"2.0","method":"sum","params":{"a":2,"b":3},"id":1}`)},
		{"arguments by position", rpc(url, `{"jsonrpc":"2.0","method":"divide","params":[7,2],"id":"any text"}`)},
		{"a batch, one entry of which wants no answer", rpc(url, `[{"jsonrpc":"2.0","method":"sum","params":[2,3],"id":1},`+
			`{"jsonrpc":"2.0","method":"hello"},{"jsonrpc":"2.0","method":"hello","params":{"name":"Ada"},"id":2}]`)},
		{"a notification", rpc(url, `{"jsonrpc":"2.0","method":"hello"}`)},
		{"what the server offers, as an OpenRPC document", rpc(url, `{"jsonrpc":"2.0","method":"rpc.discover","id":1}`)},
		{"REST, arguments in the query", fmt.Sprintf("curl '%s/sum?a=2&b=3'", url)},
		{"REST, arguments as a form", fmt.Sprintf("curl -d name=Ada %s/hello", url)},
		{"REST, arguments as JSON", postJSON(url+"/save_order", `{"user_id":"1","items":["apple","python"]}`)},
		{"REST, an argument in the path", fmt.Sprintf("curl %s/orders/%s", url, SampleID)},
		{"JSON-RPC over bare TCP", fmt.Sprintf("echo '%s' | nc -w 1 %s %s",
			`{"jsonrpc":"2.0","method":"math.add","params":[1,2,3],"id":1}`, host, port)},
		{"this command", "anywire call sum a=2 b=3 " + flags},
		{"this command, with values that are JSON", `anywire call save_order user_id:str=1 'items=["apple","python"]' ` + flags},
		{"this command, arguments by position", "anywire call divide --positional 7 2 " + flags},
		{"every method with its arguments", "anywire list " + flags},
		{"UCall's Python client", fmt.Sprintf(
			`python3 -c 'from ucall.client import Client; print(Client(uri="%s", port=%s).sum(a=2, b=3).json)'`, host, port)},
	}
}

func rpc(url, envelope string) string { return postJSON(url+"/", envelope) }

func postJSON(url, body string) string {
	return fmt.Sprintf("curl -H 'Content-Type: application/json' -d '%s' %s", body, url)
}

// reachable splits addr, and replaces an address that means every interface by one that a client can dial.
func reachable(addr string) (host, port string) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr, ""
	}
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "127.0.0.1"
	}
	return host, port
}
