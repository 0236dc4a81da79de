# What: a return has its offset, which with pidret=kernel is not known; the result is the same. Needs: uprobe.  Executors: kernel (pidret=kernel).
. "$LIB"
must_trace -c "$TRIGGERS/calls 4" \
	-n 'pid$target:a.out:outer:return { printf("%d %d\n", arg0 > 0 && arg0 < 1000, arg1); }'
same "$(tr '\n' ' ' <out)" "1 22 1 43 1 64 1 85  " "offset and result"
trace -c "$TRIGGERS/calls 4" -x pidret=kernel \
	-n 'pid$target:a.out:outer:return { printf("%d %d\n", arg0, arg1); }'
same "$(tr '\n' ' ' <out)" "-1 22 -1 43 -1 64 -1 85  " "no offset, but the result"
same "$status $(grep -vc '^dtrace: warning: pidret=kernel replaces return addresses' err)" "0 0" "status, and other messages"

# A function whose first instruction cannot be probed has its returns nevertheless.
[ "$(uname -m)" = x86_64 ] || exit 0
cat >first.c <<'C'
__asm__(".globl first\n.type first, @function\nfirst: vcmpps $15, %xmm0, %xmm0, %xmm1\nmov $7, %eax\nret\n.size first, .-first\n");
int first(void);
int main(void) { return __builtin_cpu_supports("avx") ? first() : 7; }
C
gcc -O1 -o first first.c || fail "cannot compile"
grep -q '^flags.* avx ' /proc/cpuinfo || exit 0
trace -n 'pid$target:a.out:first:entry { }' -c ./first
contains "failed to create entry probe for 'first': its first instruction cannot be probed" err
trace -n 'pid$target:a.out:first:return { printf("%d %d\n", arg0, arg1); }' -c ./first
same "$(cat out)" "10 7" "its return"
