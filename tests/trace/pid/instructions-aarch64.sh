# What: on aarch64 all offsets that can be probed are, except those where a probe would change the program's results
# or stop it: literal loads, and instructions between an exclusive load and its store. Functions that begin with mrs,
# a barrier or paciasp have entry probes. Needs: uprobe aarch64 cc.  Executors: kernel (aarch64).
. "$LIB"
cat >code.c <<'X'
#include <stdio.h>
#define F(name, type, code) type name(long *p); __asm__(".arch armv8.3-a\n.globl " #name "\n.type " #name ",%function\n" #name ":\n" code "\n.size " #name ", . - " #name "\n")
__asm__(".text");
F(f_double, double, "ldr d0, 1f\nret\n.p2align 3\n1: .double 42.0");
F(f_word, long, "ldr x0, 1f\nret\n.p2align 3\n1: .quad 43");
F(f_add, long, "1: ldaxr x1, [x0]\nadd x1, x1, #1\nstlxr w2, x1, [x0]\ncbnz w2, 1b\nmov x0, x1\nret");
F(f_thread, long, "mrs x0, tpidr_el0\nret");
F(f_barrier, long, "dmb ish\nmov x0, #3\nret");
F(f_hints, long, "yield\nnop\nmov x0, #4\nret");
F(f_signed, long, "paciasp\nstp x29, x30, [sp, #-16]!\nmov x0, #5\nldp x29, x30, [sp], #16\nautiasp\nret");
int main(void)
{
	long n = 6, thread;
	for (int i = 0; i < 10; i++)
		f_add(&n);
	thread = f_thread(&n);
	printf("%g %ld %ld %d %ld %ld %ld\n", f_double(&n), f_word(&n), n, thread != 0, f_barrier(&n), f_hints(&n), f_signed(&n));
	return 0;
}
X
cc -O1 -o code code.c || fail "cannot compile"
./code >wanted
same "$(cat wanted)" "42 43 16 1 3 4 5" "what it prints untraced"
trace -q -c ./code -n 'pid$target:a.out:f_*: { @[probefunc, probename] = count(); } END { printa("%s %s %@d\n", @); }'
same "$status" 0 "status: $(cat err)"
contains "$(cat wanted)" out
for f in f_thread f_barrier f_hints f_signed; do contains "^$f [0-9a-z]* 1$" out; done
contains '^f_thread entry 1$' out
contains '^f_barrier entry 1$' out
contains '^f_signed entry 1$' out
contains '^f_signed 4 1$' out
contains '^f_add c 10$' out
same "$(grep -c '^f_add [48] \|^f_double 0\|^f_word 0\|^f_hints 0' out)" 0 "offsets that must have no probe"
trace -q -c ./code -n 'pid$target:a.out:f_add:4 { trace(1); }'
contains 'is between an exclusive load and its store' err
