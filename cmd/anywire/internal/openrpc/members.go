package openrpc

import (
	"bytes"
	"encoding/json"
	"errors"
)

// typeList is the "type" keyword: one name or a list of them.
type typeList []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *typeList) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*l = typeList{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(l))
}

// properties is the "properties" keyword in the order of the document, which a map would lose.
type properties []property

type property struct {
	name   string
	schema json.RawMessage
}

// UnmarshalJSON implements json.Unmarshaler.
func (ps *properties) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return errors.New("openrpc: properties is not an object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		p := property{name: name.(string)}
		if err := d.Decode(&p.schema); err != nil {
			return err
		}
		*ps = append(*ps, p)
	}
	return nil
}
