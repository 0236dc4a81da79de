# What: functions that begin with an instruction of AVX compute the same while they are probed.  Needs: uprobe cc x86_64.
# Executors: kernel (entries of libc have no place for a jump).
. "$LIB"
cat >text.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
int main(void)
{
	char text[100], copy[100];
	int wrong = 0;
	for (volatile int i = 0, c = '%', n = 50; i < 100; i++) {
		strcpy(text, "abc %s def");
		wrong += strchrnul(text, c) != text + 4;
		wrong += strchr(text, c) != text + 4;
		memset(copy, c, n);
		wrong += copy[0] != '%' || copy[49] != '%';
		wrong += memchr(text, c, n) != text + 4 || strrchr(text, c) != text + 4;
	}
	printf("wrong: %d\n", wrong);
	return 0;
}
C
cc -O1 -fno-builtin -o text text.c || fail "cannot compile"
# the C library chooses implementations by the CPU: some may begin with what cannot be probed
must_trace -c ./text -n 'pid$target:libc:str*:entry, pid$target:libc:mem*:entry { @ = count(); }'
contains '^wrong: 0$'

# jp, jz, call, jmp, jmp and nop to the kernel, all with one operand that is a register
cat >vector.c <<'C'
#define FUNCTION(name, first) __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n\t" first \
	"\n\tret\n.size " #name ", . - " #name "\n"); void name(void);
FUNCTION(v_compare, "vpcmpeqb %xmm0, %xmm0, %xmm0")
FUNCTION(v_subtract_bytes, "vpsubsb %xmm1, %xmm1, %xmm0")
FUNCTION(v_subtract_words, "vpsubsw %xmm1, %xmm1, %xmm0")
FUNCTION(v_or, "vpor %xmm1, %xmm1, %xmm0")
FUNCTION(v_broadcast, ".byte 0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xc6\n\tnop")
FUNCTION(v_move, "vmovd %esi, %xmm0\n\tnop")
int main(void) { return 0; }
C
cc -O1 -o vector vector.c || fail "cannot compile"
trace -l -c ./vector -n 'pid$target:a.out:v_*:entry'
same "$(grep -o 'v_[a-z_]*' out | sort | tr '\n' ' ')" 'v_broadcast v_move ' "probes"
