#include "textflag.h"

// The vectors hold 32 bytes, in two lanes of sixteen that most instructions keep apart. Both directions follow Wojciech
// Muła and Daniel Lemire, "Faster Base64 Encoding and Decoding using AVX2 Instructions" (ACM TWEB, 2018).

// Twelve bytes of a lane to four groups of three, each as 1 0 2 1.
DATA split<>+0(SB)/8, $0x0405030401020001
DATA split<>+8(SB)/8, $0x0a0b090a07080607
DATA split<>+16(SB)/8, $0x0405030401020001
DATA split<>+24(SB)/8, $0x0a0b090a07080607
GLOBL split<>(SB), RODATA|NOPTR, $32

// The bits of the first and third letter of a group.
DATA upperBits<>+0(SB)/8, $0x0fc0fc000fc0fc00
DATA upperBits<>+8(SB)/8, $0x0fc0fc000fc0fc00
DATA upperBits<>+16(SB)/8, $0x0fc0fc000fc0fc00
DATA upperBits<>+24(SB)/8, $0x0fc0fc000fc0fc00
GLOBL upperBits<>(SB), RODATA|NOPTR, $32

// Multiplication moves those down: by ten and by six.
DATA upperShift<>+0(SB)/8, $0x0400004004000040
DATA upperShift<>+8(SB)/8, $0x0400004004000040
DATA upperShift<>+16(SB)/8, $0x0400004004000040
DATA upperShift<>+24(SB)/8, $0x0400004004000040
GLOBL upperShift<>(SB), RODATA|NOPTR, $32

// The bits of the second and fourth letter.
DATA lowerBits<>+0(SB)/8, $0x003f03f0003f03f0
DATA lowerBits<>+8(SB)/8, $0x003f03f0003f03f0
DATA lowerBits<>+16(SB)/8, $0x003f03f0003f03f0
DATA lowerBits<>+24(SB)/8, $0x003f03f0003f03f0
GLOBL lowerBits<>(SB), RODATA|NOPTR, $32

// Multiplication moves those up: by four and by eight.
DATA lowerShift<>+0(SB)/8, $0x0100001001000010
DATA lowerShift<>+8(SB)/8, $0x0100001001000010
DATA lowerShift<>+16(SB)/8, $0x0100001001000010
DATA lowerShift<>+24(SB)/8, $0x0100001001000010
GLOBL lowerShift<>(SB), RODATA|NOPTR, $32

// 51, the last value of a small letter.
DATA last51<>+0(SB)/8, $0x3333333333333333
DATA last51<>+8(SB)/8, $0x3333333333333333
DATA last51<>+16(SB)/8, $0x3333333333333333
DATA last51<>+24(SB)/8, $0x3333333333333333
GLOBL last51<>(SB), RODATA|NOPTR, $32

// 26, the first value of a small letter.
DATA first26<>+0(SB)/8, $0x1a1a1a1a1a1a1a1a
DATA first26<>+8(SB)/8, $0x1a1a1a1a1a1a1a1a
DATA first26<>+16(SB)/8, $0x1a1a1a1a1a1a1a1a
DATA first26<>+24(SB)/8, $0x1a1a1a1a1a1a1a1a
GLOBL first26<>(SB), RODATA|NOPTR, $32

// 13, the entry of capital letters in toLetter.
DATA capital<>+0(SB)/8, $0x0d0d0d0d0d0d0d0d
DATA capital<>+8(SB)/8, $0x0d0d0d0d0d0d0d0d
DATA capital<>+16(SB)/8, $0x0d0d0d0d0d0d0d0d
DATA capital<>+24(SB)/8, $0x0d0d0d0d0d0d0d0d
GLOBL capital<>(SB), RODATA|NOPTR, $32

// What makes a value a letter: for small letters, ten digits, +, / and capital letters.
DATA toLetter<>+0(SB)/8, $0xfcfcfcfcfcfcfc47
DATA toLetter<>+8(SB)/8, $0x000041f0edfcfcfc
DATA toLetter<>+16(SB)/8, $0xfcfcfcfcfcfcfc47
DATA toLetter<>+24(SB)/8, $0x000041f0edfcfcfc
GLOBL toLetter<>(SB), RODATA|NOPTR, $32

// A nibble, and the bit that empties an entry of VPSHUFB.
DATA nibble<>+0(SB)/8, $0x2f2f2f2f2f2f2f2f
DATA nibble<>+8(SB)/8, $0x2f2f2f2f2f2f2f2f
DATA nibble<>+16(SB)/8, $0x2f2f2f2f2f2f2f2f
DATA nibble<>+24(SB)/8, $0x2f2f2f2f2f2f2f2f
GLOBL nibble<>(SB), RODATA|NOPTR, $32

// For the low nibble of a byte: with which high nibbles it is no letter, one bit for each class of those.
DATA lowClass<>+0(SB)/8, $0x1111111111111115
DATA lowClass<>+8(SB)/8, $0x1a1b1b1b1a131111
DATA lowClass<>+16(SB)/8, $0x1111111111111115
DATA lowClass<>+24(SB)/8, $0x1a1b1b1b1a131111
GLOBL lowClass<>(SB), RODATA|NOPTR, $32

// For the high nibble: its class.
DATA highClass<>+0(SB)/8, $0x0804080402011010
DATA highClass<>+8(SB)/8, $0x1010101010101010
DATA highClass<>+16(SB)/8, $0x0804080402011010
DATA highClass<>+24(SB)/8, $0x1010101010101010
GLOBL highClass<>(SB), RODATA|NOPTR, $32

// What makes a letter its value: by the high nibble, one less for a slash.
DATA toValue<>+0(SB)/8, $0xb9b9bfbf04131000
DATA toValue<>+8(SB)/8, $0x0000000000000000
DATA toValue<>+16(SB)/8, $0xb9b9bfbf04131000
DATA toValue<>+24(SB)/8, $0x0000000000000000
GLOBL toValue<>(SB), RODATA|NOPTR, $32

// Two values of six bits to one of twelve.
DATA joinPairs<>+0(SB)/8, $0x0140014001400140
DATA joinPairs<>+8(SB)/8, $0x0140014001400140
DATA joinPairs<>+16(SB)/8, $0x0140014001400140
DATA joinPairs<>+24(SB)/8, $0x0140014001400140
GLOBL joinPairs<>(SB), RODATA|NOPTR, $32

// Two values of twelve bits to one of 24.
DATA joinGroups<>+0(SB)/8, $0x0001100000011000
DATA joinGroups<>+8(SB)/8, $0x0001100000011000
DATA joinGroups<>+16(SB)/8, $0x0001100000011000
DATA joinGroups<>+24(SB)/8, $0x0001100000011000
GLOBL joinGroups<>(SB), RODATA|NOPTR, $32

// The three bytes of each group, the highest first.
DATA gather<>+0(SB)/8, $0x090a040506000102
DATA gather<>+8(SB)/8, $0xffffffff0c0d0e08
DATA gather<>+16(SB)/8, $0x090a040506000102
DATA gather<>+24(SB)/8, $0xffffffff0c0d0e08
GLOBL gather<>(SB), RODATA|NOPTR, $32

// The two lanes without the gap between them.
DATA close<>+0(SB)/8, $0x0000000100000000
DATA close<>+8(SB)/8, $0x0000000400000002
DATA close<>+16(SB)/8, $0x0000000600000005
DATA close<>+24(SB)/8, $0x0000000700000007
GLOBL close<>(SB), RODATA|NOPTR, $32

// func detectAVX2() bool
TEXT ·detectAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $0, AX
	CPUID
	CMPL AX, $7
	JLT  none

	// OSXSAVE and AVX, and the system saves the registers (XCR0 bits 1 and 2).
	MOVL $1, AX
	MOVL $0, CX
	CPUID
	ANDL $0x18000000, CX
	CMPL CX, $0x18000000
	JNE  none
	MOVL $0, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  none

	// AVX2 itself.
	MOVL  $7, AX
	MOVL  $0, CX
	CPUID
	SHRL  $5, BX
	ANDL  $1, BX
	MOVB  BX, ret+0(FP)

none:
	RET

// func encodeAVX2(dst, src []byte) int
TEXT ·encodeAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	XORQ AX, AX

	VMOVDQU split<>(SB), Y8
	VMOVDQU upperBits<>(SB), Y9
	VMOVDQU upperShift<>(SB), Y10
	VMOVDQU lowerBits<>(SB), Y11
	VMOVDQU lowerShift<>(SB), Y12
	VMOVDQU last51<>(SB), Y13
	VMOVDQU first26<>(SB), Y14
	VMOVDQU capital<>(SB), Y15
	VMOVDQU toLetter<>(SB), Y7

encodeBlock:
	CMPQ CX, $28 // two loads of sixteen bytes, twelve apart
	JLT  encodeDone

	VMOVDQU     (SI), X0
	VINSERTI128 $1, 12(SI), Y0, Y0
	VPSHUFB     Y8, Y0, Y0

	// One value in each byte.
	VPAND    Y9, Y0, Y1
	VPMULHUW Y10, Y1, Y1
	VPAND    Y11, Y0, Y2
	VPMULLW  Y12, Y2, Y2
	VPOR     Y1, Y2, Y0

	// The letter of each value.
	VPSUBUSB Y13, Y0, Y1
	VPCMPGTB Y0, Y14, Y2
	VPAND    Y15, Y2, Y2
	VPOR     Y1, Y2, Y1
	VPSHUFB  Y1, Y7, Y1
	VPADDB   Y0, Y1, Y0
	VMOVDQU  Y0, (DI)

	ADDQ $24, SI
	ADDQ $32, DI
	ADDQ $24, AX
	SUBQ $24, CX
	JMP  encodeBlock

encodeDone:
	VZEROUPPER
	MOVQ AX, ret+48(FP)
	RET

// func decodeAVX2(dst, src []byte) int
TEXT ·decodeAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ src_base+24(FP), SI
	MOVQ src_len+32(FP), CX
	XORQ AX, AX

	VMOVDQU nibble<>(SB), Y8
	VMOVDQU lowClass<>(SB), Y9
	VMOVDQU highClass<>(SB), Y10
	VMOVDQU toValue<>(SB), Y11
	VMOVDQU joinPairs<>(SB), Y12
	VMOVDQU joinGroups<>(SB), Y13
	VMOVDQU gather<>(SB), Y14
	VMOVDQU close<>(SB), Y15

decodeBlock:
	CMPQ CX, $44 // a store of 32 bytes, of which 24 count, must fit
	JLT  decodeDone

	VMOVDQU (SI), Y0
	VPSRLD  $4, Y0, Y1
	VPAND   Y8, Y1, Y1  // high nibbles
	VPAND   Y8, Y0, Y2  // low nibbles
	VPSHUFB Y1, Y10, Y3
	VPSHUFB Y2, Y9, Y4
	VPTEST  Y3, Y4
	JNZ     decodeDone

	// The value of each letter.
	VPCMPEQB Y8, Y0, Y5 // -1 for a slash, which is 0x2f too
	VPADDB   Y5, Y1, Y1
	VPSHUFB  Y1, Y11, Y1
	VPADDB   Y0, Y1, Y0

	// Three bytes of four values.
	VPMADDUBSW Y12, Y0, Y0
	VPMADDWD   Y13, Y0, Y0
	VPSHUFB    Y14, Y0, Y0
	VPERMD     Y0, Y15, Y0
	VMOVDQU    Y0, (DI)

	ADDQ $32, SI
	ADDQ $24, DI
	ADDQ $32, AX
	SUBQ $32, CX
	JMP  decodeBlock

decodeDone:
	VZEROUPPER
	MOVQ AX, ret+48(FP)
	RET
