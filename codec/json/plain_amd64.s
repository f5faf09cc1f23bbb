#include "textflag.h"

// A byte is plain when it is above 0x1F as a signed number, which leaves out control characters and all that is not ASCII,
// and neither a quote nor a backslash.

DATA limits<>+0x00(SB)/1, $0x22
DATA limits<>+0x01(SB)/1, $0x5C
DATA limits<>+0x02(SB)/1, $0x1F
GLOBL limits<>(SB), RODATA|NOPTR, $3

// func plainAVX2(b []byte) int
TEXT ·plainAVX2(SB), NOSPLIT, $0-32
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	XORQ AX, AX
	VPBROADCASTB limits<>+0x00(SB), Y0
	VPBROADCASTB limits<>+0x01(SB), Y1
	VPBROADCASTB limits<>+0x02(SB), Y2
	SUBQ $64, CX

loop:
	CMPQ AX, CX
	JGT  done
	VMOVDQU (SI)(AX*1), Y3
	VMOVDQU 32(SI)(AX*1), Y4
	VPCMPGTB Y2, Y3, Y5
	VPCMPGTB Y2, Y4, Y6
	VPCMPEQB Y0, Y3, Y7
	VPCMPEQB Y0, Y4, Y8
	VPCMPEQB Y1, Y3, Y9
	VPCMPEQB Y1, Y4, Y10
	VPOR  Y7, Y9, Y7
	VPOR  Y8, Y10, Y8
	VPANDN Y5, Y7, Y5
	VPANDN Y6, Y8, Y6
	VPAND Y5, Y6, Y5
	VPMOVMSKB Y5, DX
	CMPL DX, $0xFFFFFFFF
	JNE  done
	ADDQ $64, AX
	JMP  loop

done:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
