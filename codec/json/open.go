package json

import jsonv2 "github.com/go-json-experiment/json"

var openOptions = jsonv2.JoinOptions(decodeOptions, jsonv2.RejectUnknownMembers(false))

// UnmarshalOpen is Unmarshal for what a server answered: unknown members are ignored, so that a server may add some without
// breaking its clients.
func UnmarshalOpen(value []byte, v any) error {
	if Unmarshal(value, v) == nil {
		return nil
	}
	if err := jsonv2.Unmarshal(value, v, openOptions); err != nil {
		return mistakeOf(value, err)
	}
	return nil
}
