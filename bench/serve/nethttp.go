package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

type request struct {
	Version string          `json:"jsonrpc"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	ID      json.RawMessage `json:"id"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	Result  any             `json:"result"`
	ID      json.RawMessage `json:"id"`
}

// netHTTP is what a Go programmer writes without a library.
func netHTTP(addr string, _ Options) error {
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var call request
		if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		result, err := invoke(call.Method, func(v any) error { return json.Unmarshal(call.Params, v) })
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(response{"2.0", result, call.ID})
	}))
}

// invoke calls a method by name with the arguments that decode gives.
func invoke(method string, decode func(v any) error) (any, error) {
	switch method {
	case "sum", "nap":
		var t terms
		if err := decode(&t); err != nil {
			return nil, err
		}
		if method == "nap" {
			time.Sleep(napTime)
		}
		return t.A + t.B, nil
	case "measure":
		var b blob
		if err := decode(&b); err != nil {
			return nil, err
		}
		return len(b.Data), nil
	}
	return nil, fmt.Errorf("no method %q", method)
}
