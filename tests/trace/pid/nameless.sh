# What: functions of a stripped program are traced by address, fde:ADDRESS, alone or by a pattern; not parts, stubs, named ones.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
cat >whole.c <<'C'
#include <stdio.h>
__attribute__((noinline)) static int leaf(int x) { __asm__ volatile("" : "+r"(x)); return x * 3; }
__attribute__((noinline)) static int middle(int x) { return leaf(x) + leaf(x + 1); }
int exported(int x) { return middle(x); }
int main(int argc, char **argv)
{
	int s = 0;
	for (int i = 0; i < 10; i++)
		s += exported(i);
	return printf("%d\n", s) < 0;
}
C
gcc -O1 -fno-inline -rdynamic -o whole whole.c && strip -o bare whole || fail "cannot compile"
address() { nm whole | sed -n "s/^0*\([0-9a-f]*\) . $1\$/\1/p"; }
leaf=fde:$(address leaf) middle=fde:$(address middle)
must_trace -n 'pid$target:a.out:fde:*:entry { @[probefunc] = count(); } pid$target:a.out:fde:*:return { @r[probefunc] = sum(arg1); }
	END { printa("%s %@d\n", @); printa("%s returned %@d\n", @r); }' -c ./bare
contains "^$leaf 20$"
contains "^$middle 10$"
contains "^$leaf returned 300$"
contains "^$middle returned 300$"
grep -q "fde:$(address main)\|fde:$(address exported)" out && fail "functions with names"
readelf -SW bare | sed -n 's/.* \.plt[.a-z]* *PROGBITS *0*\([0-9a-f]*\) .*/fde:\1 /p' >plt
grep -q -f plt out && fail "a stub of the linker: $(cat out)"

# by name, with an offset, by two patterns
must_trace -n "pid\$target:a.out:$leaf:entry, pid\$target:a.out:fde:${leaf#fde:}:0 { @[probename] = count(); } END { printa(\"%s %@d\\n\", @); }" -c ./bare
contains '^entry 20$'
contains '^0 20$'
must_trace -n "pid\$target::${leaf%?}?:entry { @[probefunc] = count(); } END { printa(\"%s %@d\\n\", @); }" -c ./bare
contains "^$leaf 20$"
# Other patterns mean functions with names.
must_trace -n 'pid$target:a.out::entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./bare
contains '^exported 10$'
grep -q fde out && fail "a pattern of names means addresses"
# Wrong ones.
for wrong in fde:1 fde:zz "fde:$(address main)1"; do
	trace -n "pid\$target:a.out:$wrong:entry { }" -c ./bare
	same "$status" 1 "status of $wrong"
	contains "failed to lookup '$wrong' in module 'a.out'" err
done
trace -n 'pid$target:a.out:leaf:entry { }' -c ./bare
contains 'bare is stripped, .*(fde:\* means the others)$' err
for wrong in fde:1:2 fde: a:b; do
	trace -n "pid\$target:a.out:$wrong:entry { }" -c ./bare
	same "$status" 1 "status of $wrong"
done
exit 0
