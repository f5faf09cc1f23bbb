package base64

// hasAVX2 says that the processor has AVX2 and the system keeps its registers.
var hasAVX2 = detectAVX2()

// detectAVX2 asks the processor.
func detectAVX2() bool

// encodeAVX2 encodes a multiple of 24 bytes from the beginning of src and returns how many. dst has room for all of src.
//
//go:noescape
func encodeAVX2(dst, src []byte) int

// decodeAVX2 decodes a multiple of 32 letters from the beginning of src, until one is not of the alphabet, and returns how
// many. dst has room for all of src.
//
//go:noescape
func decodeAVX2(dst, src []byte) int

func encodeFast(dst, src []byte) int {
	if hasAVX2 {
		return encodeAVX2(dst, src)
	}
	return encodeGeneric(dst, src)
}

func decodeFast(dst, src []byte) int {
	if hasAVX2 {
		return decodeAVX2(dst, src)
	}
	return decodeGeneric(dst, src)
}
