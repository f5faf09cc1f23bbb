module github.com/anywire/anywire/interop

go 1.26.0

require (
	github.com/anywire/anywire v0.0.0
	github.com/creachadair/jrpc2 v1.3.6
	go.lsp.dev/jsonrpc2 v1.0.1
)

require (
	github.com/creachadair/mds v0.31.0 // indirect
	github.com/go-json-experiment/json v1.27.2 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/anywire/anywire => ..
