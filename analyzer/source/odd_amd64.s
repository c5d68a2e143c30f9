#include "textflag.h"

// Each bit stands for the odd bytes of one high nibble: bit 0 for 0x00 to 0x0f,
// of which all but 0x0a are, 1 for 0x10 to 0x1f, 2 for 0x5c, 3 for 0x7f, 4 for 0xc2.
DATA highs<>+0(SB)/8, $0x0800040000000201
DATA highs<>+8(SB)/8, $0x0000001000000000
GLOBL highs<>(SB), RODATA|NOPTR, $16
DATA lows<>+0(SB)/8, $0x0303030303130303
DATA lows<>+8(SB)/8, $0x0b03030703020303
GLOBL lows<>(SB), RODATA|NOPTR, $16
DATA nibble<>+0(SB)/4, $0x0f0f0f0f
GLOBL nibble<>(SB), RODATA|NOPTR, $4

// ODD leaves in V a byte that is not 0 for each odd one of 32.
#define ODD(O, V, T) \
	VMOVDQU O(DI)(AX*1), V \
	VPSRLW  $4, V, T       \
	VPAND   Y15, T, T      \
	VPAND   Y15, V, V      \
	VPSHUFB T, Y14, T      \
	VPSHUFB V, Y13, V      \
	VPAND   T, V, V

// func skipEvenAVX2(b []byte, i int) int
TEXT ·skipEvenAVX2(SB), NOSPLIT, $0-40
	MOVQ b_base+0(FP), DI
	MOVQ b_len+8(FP), CX
	MOVQ i+24(FP), AX
	SUBQ $128, CX                  // the last place at which a step begins
	VPBROADCASTD   nibble<>(SB), Y15
	VBROADCASTI128 highs<>(SB), Y14
	VBROADCASTI128 lows<>(SB), Y13

loop:
	CMPQ AX, CX
	JGT  done
	ODD(0, Y0, Y1)
	ODD(32, Y2, Y3)
	ODD(64, Y4, Y5)
	ODD(96, Y6, Y7)
	VPOR   Y0, Y2, Y0
	VPOR   Y4, Y6, Y4
	VPOR   Y0, Y4, Y0
	VPTEST Y0, Y0
	JNZ    near
	ADDQ   $128, AX
	JMP    loop

near:                                  // which of the 128
	VPXOR Y2, Y2, Y2

part:
	ODD(0, Y0, Y1)
	VPCMPEQB  Y2, Y0, Y0
	VPMOVMSKB Y0, R9
	XORL $-1, R9
	JNZ  at
	ADDQ $32, AX
	JMP  part

at:
	BSFL R9, R9
	ADDQ R9, AX

done:
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET
