# What: a stripped program's functions whose rare parts are elsewhere, without a name, return as often as they are entered. Needs: uprobe cc.
# Executors: kernel (a return has no place for a jump).
. "$LIB"
cat >parts.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define F __attribute__((noinline, noclone))
static int total;
static void F __attribute__((cold)) note(const char *text, int x) { total += x; if (x > 100000) puts(text); }
/* shared by both, and by nobody's rare part: a function like others */
static int F __attribute__((used)) helper(int x) { __asm__ volatile(""); return x + total; }
int F hot(int x)
{
	if (__builtin_expect(x == 3, 0)) {
		note("three", x);
		return helper(x) * 2;
	}
	return helper(x) + 1;
}
int F with_frame(int x)
{
	int values[20] = { 0 };
	__asm__ volatile("" : : "r"(values) : "memory");
	if (__builtin_expect(x == 5, 0)) {
		note("five", x);
		values[x] = helper(x);
		note("again", values[x]);
		return values[x] + 1;
	}
	for (int i = 0; i < 20; i++)
		values[i] += helper(x + i);
	return values[7];
}
int F tail(int x) { return helper(x); }
int F by_library(int x) { char text[8] = "5"; __asm__ volatile("" : : "r"(text) : "memory"); return x ? atoi(text) : x; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++)
		total += hot(i) + with_frame(i) + tail(i) + by_library(i);
	return total == 12345;
}
C
gcc -O2 -fno-inline -rdynamic -o parts parts.c || fail "cannot compile"
cp parts named
strip parts
program='pid$target:a.out:hot:entry, pid$target:a.out:with_frame:entry, pid$target:a.out:tail:entry,
	pid$target:a.out:by_library:entry { @[probefunc, "entry"] = count(); }
pid$target:a.out:hot:return, pid$target:a.out:with_frame:return, pid$target:a.out:tail:return,
	pid$target:a.out:by_library:return { @[probefunc, "return"] = count(); }
END { printa("%s %s %@d\n", @); }'
wanted='by_library entry 10
by_library return 10
hot entry 10
hot return 10
tail entry 10
tail return 10
with_frame entry 10
with_frame return 10'
nm named | grep -q 'hot\.cold' || skip "the compiler makes no .cold parts"
for file in parts named; do
	must_trace -x pidret=insn -n "$program" -c "./$file"
	same "$(grep . out | sort)" "$wanted" "entries and returns of $file"
done

# functions that a pattern leaves out are reported, under -q, too; by name the reason is the true one
cat >left.s <<'S'
	.text
	.globl	branches, other, main
	.type	branches, @function
branches:
	mov %rdi, %rcx
	jrcxz other
	ret
	.size branches, .-branches
	.type	other, @function
other:
	xor %eax, %eax
	ret
	.size other, .-other
	.type	main, @function
main:
	xor %edi, %edi
	call branches
	xor %eax, %eax
	ret
	.size main, .-main
S
[ "$(uname -m)" = x86_64 ] || exit 0
gcc -rdynamic -z noexecstack -o left left.s || fail "cannot assemble"
trace -x pidret=insn -n 'pid$target:a.out:[bo]*[sr]:return { }' -c ./left
same "$(cat err)" "dtrace: 1 probe that a pattern matches is left out (-x debug lists them with the reason)" "left out"
trace -x pidret=insn -n 'pid$target:a.out:branches:return { }' -c ./left
contains "failed to create return probe for 'branches': it is left by a jump whose condition is not known" err
trace -x pidret=insn -n 'pid$target:a.out:branch*:return { }' -c ./left
contains "does not match any probes: a function that fits cannot be probed: it is left by a jump whose condition is not known" err
