#include "textflag.h"

DATA folds<>+0(SB)/4, $0x20202020
GLOBL folds<>(SB), RODATA|NOPTR, $4
DATA multipliers<>+0(SB)/4, $2654435761
GLOBL multipliers<>(SB), RODATA|NOPTR, $4

// SIFT leaves in G, bit 0 of each lane, whether the sieve at SI has the gram in
// G. X11, X10 and X9 hold the shifts of a hash to its word and to its two bits.
#define SIFT(G, M, H, T) \
	VPOR       Y15, G, G       \
	VPMULLD    Y14, G, H       \
	VPSRLD     X11, H, T       \
	VPCMPEQD   M, M, M         \
	VPGATHERDD M, (SI)(T*4), G \
	VPSRLD     X10, H, T       \
	VPSRLD     X9, H, H        \
	VPAND      Y13, T, T       \
	VPAND      Y13, H, H       \
	VPSRLVD    T, G, T         \
	VPSRLVD    H, G, G         \
	VPAND      T, G, G

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
	SUBL  $5, BX
	VMOVD BX, X10
	SUBL  $5, BX
	VMOVD BX, X9
	VPBROADCASTD folds<>(SB), Y15
	VPBROADCASTD multipliers<>(SB), Y14
	VPCMPEQD Y12, Y12, Y12
	VPSRLD   $27, Y12, Y13         // 31 in each lane
	VPSRLD   $31, Y12, Y12         // 1 in each lane

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
	VPTEST Y12, Y1
	JNZ    hit
	ADDQ   $32, AX
	JMP    loop

hit:
	VPSLLD    $31, Y2, Y2
	VPSLLD    $31, Y3, Y3
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
