//go:build !amd64

package base64

func encodeFast(dst, src []byte) int { return encodeGeneric(dst, src) }

func decodeFast(dst, src []byte) int { return decodeGeneric(dst, src) }
