# What: programs compute right while their functions of vector instructions are probed, some of which the kernel takes for jumps.  Needs: uprobe cc x86_64.
# Executors: kernel (a return has no place for a jump).
. "$LIB"
cat >vector.c <<'C'
#include <stdio.h>
#include <string.h>
#define FUNCTION(name, text) __asm__(".globl " #name "\n.type " #name ",@function\n" #name ": " text "\nret\n.size " #name ",.-" #name "\n"); int name(int, int)
FUNCTION(equal, "vpcmpeqb %xmm0, %xmm0, %xmm1\nnop\nvpmovmskb %xmm1, %eax");
FUNCTION(either, "vpor %xmm2, %xmm2, %xmm1\nnop\nvpmovmskb %xmm1, %eax");
FUNCTION(compared, "vcmpps $15, %xmm0, %xmm0, %xmm1\nnop\nvmovmskps %xmm1, %eax");
FUNCTION(repeated, "vmovd %esi, %xmm1\nvpbroadcastb %xmm1, %xmm1\nvpextrd $1, %xmm1, %eax");
#define CLEAR __asm__ volatile("vpxor %%xmm1, %%xmm1, %%xmm1\nvpcmpeqb %%xmm2, %%xmm2, %%xmm2" : : : "xmm1", "xmm2")
#define TRY(call, wanted) CLEAR; if ((call) != (wanted)) return printf("%s\n", #call), 1
int main(void)
{
	char text[300];
	memset(text, 'x', sizeof(text) - 1);
	text[299] = 0;
	for (int i = 0; i < 20; i++) {
		TRY(equal(1, 2), 0xffff);
		TRY(either(1, 2), 0xffff);
		TRY(compared(1, 2), 15);
		TRY(repeated(1, 0x41), 0x41414141);
		text[i * 10] = 'y';
		if (strchr(text, 'y') != text + i * 10 || memchr(text, 'y', 299) != text + i * 10 || strrchr(text, 'y') != text + i * 10 ||
		    strchrnul(text, 'z') != text + 299 || strspn(text, "x") != i * 10 || strlen(text) != 299)
			return printf("a function of libc\n"), 1;
		text[i * 10] = 'x';
	}
	printf("right\n");
}
C
grep -q '^flags.* avx2 ' /proc/cpuinfo || skip "this CPU has no AVX2"
gcc -D_GNU_SOURCE -O1 -fno-builtin -o vector vector.c || fail "cannot compile"
# traced DESCRIPTION...
traced() {
	trace -Z -n "$1 { @ = count(); } END { printa(\"%@u\n\", @); }" -c ./vector
	same "$status" 0 "status of $1: $(cat err)"
	contains '^right$'
	contains '^[1-9][0-9]*$'
}
traced 'pid$target:a.out:[ecr]*:entry'
traced 'pid$target:a.out:[ecr]*:return'
traced 'pid$target:a.out:[ecr]*:'
# Without uprobe_multi (Linux 6.6) all of libc takes 0.1 s for each function.
if has_feature uprobe_multi; then
	traced 'pid$target:libc::entry'
fi
traced 'pid$target:libc:str[crsl]*:,pid$target:libc:mem[cs]*:,pid$target:libc:__str[crsl]*:'
traced 'pid$target:libc:strchr:return,pid$target:libc:memchr:return'
