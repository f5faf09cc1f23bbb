package anywire

import (
	"encoding/json"

	"github.com/anywire/anywire/method"
	"github.com/anywire/anywire/schema"
)

// discoverable registers rpc.discover, which answers with the OpenRPC document of what is registered at that moment.
func (s *Server) discoverable() {
	c := s.methodConfig([]MethodOption{ReadOnly(), Doc("Returns this document.")})
	s.methods.AddReserved(method.New("rpc.discover", s.document, c.Config))
}

func (s *Server) document() (json.RawMessage, error) {
	var methods []schema.Method
	for _, m := range s.methods.All() {
		methods = append(methods, m.Describe())
	}
	return schema.OpenRPC(schema.Info{Title: s.cfg.title, Version: s.cfg.version}, methods)
}
