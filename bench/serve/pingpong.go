package serve

import "net"

// PingPong answers every read with the bytes that it read: what a round trip costs in Go without any protocol.
var PingPong = Server{Name: "ping-pong", Serve: func(addr string, _ Options) error {
	return eachConn(addr, func(nc net.Conn) {
		defer nc.Close()
		buf := make([]byte, 4096)
		for {
			n, err := nc.Read(buf)
			if err != nil {
				return
			}
			if _, err := nc.Write(buf[:n]); err != nil {
				return
			}
		}
	})
}}
