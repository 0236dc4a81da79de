# What: static probes of 32-bit programs: arguments on the stack, in registers, constants; 8 bytes; several sites; with a semaphore.  Needs: uprobe cc x86_64.
# Executors: kernel (32 bits).
. "$LIB"
cat >sites.c <<'C'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#define COUNTED(name) __extension__ volatile unsigned short name __attribute__((section(".probes"), used))
COUNTED(narrow_hit_semaphore);
COUNTED(narrow_other__one_semaphore);
volatile int sink;
__attribute__((noipa)) void fire(int a, const char *text, unsigned char c, long long wide)
{
	DTRACE_PROBE4(narrow, hit, a, text, c, wide);
	sink++;
}
static int table[4] = { 11, 12, 13, 14 };
int main(void)
{
	for (int i = 0; i < 3; i++) {
		fire(-i, i ? "some" : "none", 200, (7LL << 32) + i);
		if (narrow_other__one_semaphore)
			DTRACE_PROBE2(narrow, other__one, table[i], 5);
	}
	return 0;
}
C
gcc -m32 -O2 -isystem "$checkout/include" -o fast sites.c 2>/dev/null && ./fast || skip "no 32-bit programs here"
gcc -m32 -O0 -fno-pie -no-pie -isystem "$checkout/include" -o slow sites.c || fail "cannot compile"
for program in fast slow; do
	must_trace -qn 'narrow$target:::hit { printf("%d %s %d %x %s\n", (int)arg0, copyinstr(arg1), arg2, arg3, ustackdepth > 3 ? "deep" : "flat"); }
		narrow$target:::other-one { printf("other %d %d\n", arg0, arg1); }' -c "./$program"
	same "$(tr '\n' ';' <out)" '0 none 200 700000000 deep;other 11 5;-1 some 200 700000001 deep;other 12 5;-2 some 200 700000002 deep;other 13 5;;' "$program"
done
