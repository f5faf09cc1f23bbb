package serve

import (
	"bytes"

	"github.com/panjf2000/gnet/v2"
)

func gnetLines(addr string, _ Options) error {
	return gnet.Run(&sumHandler{}, "tcp://"+addr, gnet.WithMulticore(true), gnet.WithTCPNoDelay(gnet.TCPNoDelay))
}

// sumHandler answers all whole lines that have come with one write.
type sumHandler struct{ gnet.BuiltinEventEngine }

func (*sumHandler) OnTraffic(c gnet.Conn) gnet.Action {
	in, _ := c.Peek(-1)
	var out []byte
	done := 0
	for {
		end := bytes.IndexByte(in[done:], '\n')
		if end < 0 {
			break
		}
		var err error
		if out, err = sumByHand(out, in[done:done+end]); err != nil {
			return gnet.Close
		}
		out = append(out, '\n')
		done += end + 1
	}
	c.Discard(done)
	c.Write(out)
	return gnet.None
}
