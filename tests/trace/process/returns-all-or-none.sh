# What: a function of which one exit has no room for a jump has no return in the process: pattern and name.  Needs: cc.
# Executors: usual (it names them).
. "$LIB"
cat > exits.c <<'C'
#include <stdlib.h>
int two(int), one(int);
/* The second ret is a branch's target, and another function follows at once. */
__asm__(".text\n"
	".globl two\n.type two, @function\ntwo: test %edi, %edi\n je 1f\n mov $1, %eax\n nopl 0x0(%rax)\n ret\n1: ret\n.size two, . - two\n"
	".globl one\n.type one, @function\none: push %rbp\n mov %rsp, %rbp\n lea 1(%rdi), %eax\n nopl 0x0(%rax)\n pop %rbp\n ret\n.size one, . - one\n"
	".balign 16\n");
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += two(i & 1) + one(i);
	return sum == 0;
}
C
cc -O1 -o exits exits.c || fail "cannot compile"
trace -x executor=process -n 'pid$target:a.out:two:return { @ = count(); }' -c ./exits
[ "$status" -eq 1 ] || fail "status $status: named in full"
contains "failed to create return probe for 'two'" err
trace -x executor=process -n 'pid$target:a.out:two:entry,pid$target:a.out:one:entry,pid$target:a.out:*o*e*:return,pid$target:a.out:tw*:return
	{ @[probefunc, probename] = count(); } END { printa("%s %s %@d\n", @); }' -c ./exits
[ "$status" -eq 0 ] || fail "status $status"
contains '^two entry 100$'
contains '^one entry 100$'
contains '^one return 100$'
grep -q 'two return' out && fail "some returns of two are counted, others not"
contains '2 of .* places of probes are left out' err
contains 'a return at another instruction has no place, so some would be missing (1)' err
exit 0
