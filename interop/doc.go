// Package interop tests the server against clients that other people wrote, unmodified: each calls a running
// "anywire demo".
//
// "go test" runs those that are Go modules. The script run beside this file installs the others, pinned, and runs all:
//
//   - python/: UCall's client and its command line, with Python's unittest,
//   - node/: jayson, json-rpc-2.0, vscode-jsonrpc and OpenRPC's validators, with Node's test runner,
//   - a Redis server, where the demo keeps its orders.
//
// The tests that need these have the build tag interop and find them by PATH and NODE_PATH, which the script sets.
package interop
