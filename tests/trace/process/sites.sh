# What: executor=process: entries, offsets and returns of all functions of a program; places that have no room for a jump are counted, or
# an error where the function is named in full; -x processsites=all takes those on a first instruction. Needs: x86_64 cc.
# Executors: usual (it names them).
. "$LIB"
cat >sites.c <<'C'
#include <stdio.h>
#define F __attribute__((noinline, noclone))
/* Only its first two instructions have room, as a branch leads to the third. */
int first(int n);
int tiny(int n); /* three bytes, and another function after it */
int after(int n);
__asm__(".globl tiny, after, first\n.type tiny,@function\ntiny: .cfi_startproc\nmov %edi,%eax\nret\n.cfi_endproc\n.size tiny,.-tiny\n"
	".type after,@function\nafter: .cfi_startproc\nlea 1(%rdi),%eax\nnop\nnop\nret\n.cfi_endproc\n.size after,.-after\n"
	".type first,@function\nfirst: .cfi_startproc\nmov %ecx,%edi\nand $7,%edi\n1: sub $1,%edi\njns 1b\nmov $7,%eax\nret\n"
	".cfi_endproc\n.size first,.-first\n");
static int F some(int n) { __asm__ volatile("" : "+r"(n)); return n * 3; }
static int F sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += some(i); return s; }
int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += sum(i) + tiny(i) + after(i) + first(i); return s == 495800 ? 0 : printf("%d\n", s); }
C
cc -O1 -falign-functions=16 -o sites sites.c || fail 'the program'
process() { must_trace -x executor=process "$@" -c ./sites; }
partly() { trace -x executor=process "$@" -c ./sites; [ "$status" -eq 0 ] || fail "status $status"; }

process -n 'pid$target:a.out:some:entry { @n = count(); @a = sum(arg0); } pid$target:a.out:some:return { @r = sum(arg1); }
	pid$target:a.out:sum:return { @s = sum(arg1); @o[arg0 > 0] = count(); } END { printa("%@d %@d %@d %@d\n", @n, @a, @r, @s); }'
grep -q '^4950 161700 485100 485100$' out || fail 'entries and returns'
grep -q ' 1  *100$' out || fail 'where it returns'

# all instructions of a function; the first one is its entry's place
process -n 'pid$target:a.out:some: { @[probename] = count(); }'
[ "$(awk '$2 == 4950' out | wc -l)" -ge 4 ] || fail 'all instructions'
[ "$(awk 'NF == 2 && $2 != 4950' out)" = '' ] || fail 'each as often'

# without room
trace -x executor=process -n 'pid$target:a.out:tiny:entry { @ = count(); }' -c ./sites
[ "$status" -eq 1 ] && grep -q "create entry probe for 'tiny': .* (-x executor=kernel can probe it)" err || fail 'named in full'
partly -n 'pid$target:a.out:tin*:entry, pid$target:a.out:som*:entry { @[probefunc] = count(); }'
grep -q '1 of 2 places of probes are left out.*(1)$' err && grep -q 'some *4950' out && ! grep -q tiny out || fail 'counted'

# on the first instruction
partly -n 'pid$target:a.out:first:entry { @ = count(); }'
grep -q '^ *100$' out || fail 'the first instruction'
partly -n 'pid$target:a.out:firs*:entry { @ = sum(arg0); }'
grep -q '1 of 1 places of probes are left out.*first instruction' err || fail 'not of a pattern'
partly -x processsites=all -n 'pid$target:a.out:firs*:entry { @ = sum(arg0); }'
grep -q '^ *4950$' out || fail 'of a pattern: all'
"$DTRACE" -x executor=process -n 'pid$target:a.out:first:entry { @ = count(); }' -c ./sites >out 2>err
grep -q "second tracer's probe at the entry of first of .*sites would kill the process" err || fail 'what that means'

# What the kernel's probes cost is not reported.
"$DTRACE" -x executor=process -n 'pid$target:libc::entry { @ = count(); }' -c ./sites >out 2>err || fail 'the C library'
grep -q 'matched [0-9]\{4\} probes' err || fail 'a thousand functions'
grep 'what probes add' err && fail "the kernel's cost"
exit 0
