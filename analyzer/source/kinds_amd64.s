#include "textflag.h"

// func lineAVX2(text []byte, parts *part, n, from int) int
TEXT ·lineAVX2(SB), NOSPLIT, $0-56
	MOVQ text_base+0(FP), DI
	MOVQ text_len+8(FP), CX
	MOVQ parts+24(FP), SI
	MOVQ n+32(FP), DX
	MOVQ from+40(FP), AX
	MOVQ DI, R8
	SUBQ $32, CX                   // the last place at which a step begins
	MOVL $0x0a0a0a0a, BX
	VMOVD BX, X3
	VPBROADCASTD X3, Y3

part:
	VMOVDQU (SI), Y2
	VMOVDQU (R8), Y0
	VPADDB  96(SI), Y0, Y1         // the digits, with their limits
	VPXOR   Y2, Y0, Y0
	VPXOR   Y2, Y1, Y1
	VPAND   32(SI), Y0, Y0
	VPAND   64(SI), Y1, Y1
	VPOR    Y0, Y1, Y0
	VPTEST  Y0, Y0
	JNZ     unlike
	ADDQ $128, SI
	ADDQ $32, R8
	DECQ DX
	JNZ  part

step:
	CMPQ AX, CX
	JGT  short
	VPCMPEQB  (DI)(AX*1), Y3, Y0
	VPMOVMSKB Y0, R9
	TESTL R9, R9
	JNZ   end
	ADDQ $32, AX
	JMP  step

end:
	BSFL R9, R9
	ADDQ R9, AX
	VZEROUPPER
	MOVQ AX, ret+48(FP)
	RET

unlike:
	VZEROUPPER
	MOVQ $-1, ret+48(FP)
	RET

short:
	VZEROUPPER
	MOVQ $-2, ret+48(FP)
	RET
