#include "textflag.h"

DATA folds<>+0(SB)/4, $0x20202020
GLOBL folds<>(SB), RODATA|NOPTR, $4
DATA multipliers<>+0(SB)/4, $2654435761
GLOBL multipliers<>(SB), RODATA|NOPTR, $4

DATA sevens<>+0(SB)/4, $0x07070707
GLOBL sevens<>(SB), RODATA|NOPTR, $4
DATA powers<>+0(SB)/8, $0x8040201008040201
DATA powers<>+8(SB)/8, $0x8040201008040201
GLOBL powers<>(SB), RODATA|NOPTR, $16

// SIFT leaves in each lane of G all bits or none, as the sieve at SI has the
// gram in it or not.
#define SIFT(G, M, H, W) \
	VPOR       Y15, G, G       \
	VPMULLD    Y14, G, H       \
	VPSRLD     X11, H, H       \
	VPCMPEQD   M, M, M         \
	VPGATHERDD M, (SI)(H*4), W \
	VPAND      Y13, G, G       \
	VPSHUFB    G, Y12, G       \ // the bits of the gram
	VPANDN     G, W, G         \ // those that the word has not
	VPCMPEQD   Y10, G, G

// func nextAVX2(words *uint32, shift uint32, block []byte, i int) int
//
// It takes the grams of 32 bytes at a time: their 16-bit words and those of the
// bytes two further on, interleaved, are the 16 grams at even offsets.
TEXT ·nextAVX2(SB), NOSPLIT, $0-56
	MOVQ words+0(FP), SI
	MOVL shift+8(FP), BX
	MOVQ block_base+16(FP), DI
	MOVQ block_len+24(FP), CX
	MOVQ i+40(FP), AX
	SUBQ $34, CX                   // the last place at which 34 bytes begin
	VMOVD BX, X11
	VPBROADCASTD folds<>(SB), Y15
	VPBROADCASTD multipliers<>(SB), Y14
	VPBROADCASTD sevens<>(SB), Y13
	VBROADCASTI128 powers<>(SB), Y12
	VPXOR Y10, Y10, Y10

loop:
	CMPQ AX, CX
	JGT  done
	VMOVDQU (DI)(AX*1), Y0
	VMOVDQU 2(DI)(AX*1), Y1
	VPUNPCKLWD Y1, Y0, Y2          // grams 0-3 and 8-11
	VPUNPCKHWD Y1, Y0, Y3          // grams 4-7 and 12-15
	SIFT(Y2, Y4, Y5, Y6)
	SIFT(Y3, Y7, Y8, Y0)
	VPOR   Y2, Y3, Y1
	VPTEST Y1, Y1
	JNZ    hit
	ADDQ   $32, AX
	JMP    loop

hit:
	VMOVMSKPS Y2, R8
	VMOVMSKPS Y3, R9
	MOVL R8, R10                   // put the bits in the order of the grams
	MOVL R9, R11
	ANDL $0x0f, R8
	ANDL $0x0f, R9
	ANDL $0xf0, R10
	ANDL $0xf0, R11
	SHLL $4, R9
	SHLL $4, R10
	SHLL $8, R11
	ORL  R9, R8
	ORL  R10, R8
	ORL  R11, R8
	BSFL R8, R8
	LEAQ (AX)(R8*2), AX
	VZEROUPPER
	MOVQ AX, ret+48(FP)
	RET

done:
	VZEROUPPER
	NOTQ AX
	MOVQ AX, ret+48(FP)
	RET
