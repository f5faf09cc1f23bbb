module github.com/anywire/anywire

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	go.uber.org/goleak v1.3.0
	golang.org/x/sys v0.50.0
)
