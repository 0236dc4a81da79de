# What: a static or pid probe at a bare 5-byte nop is refused where it would overwrite a function's red zone, and only there.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
[ "$(uname -m)" = x86_64 ] || skip "only x86-64 has a red zone"
cat >five.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "notes.h"
#define FUNCTION(name, before, after, operands)                                             \
	__asm__(".globl " name "\n.type " name ", @function\n" name ":\n" before             \
		"980: .byte 0x0f, 0x1f, 0x44, 0, 0\n"                                        \
		".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n"                      \
		".4byte 982f - 981f, 984f - 983f, 3\n981: .asciz \"stapsdt\"\n"              \
		"982: .balign 4\n983: .8byte 980b, _.stapsdt.base, 0\n"                      \
		".asciz \"redzone\"\n.asciz \"" name "\"\n.asciz \"8@%rdi\"\n"               \
		"984: .balign 4\n.popsection\n" NOTE_BASE after                             \
		"ret\n.size " name ", . - " name "\n")
FUNCTION("leaf", "mov %rdi, -8(%rsp)\n", "mov -8(%rsp), %rax\n", "");
FUNCTION("entry_nop", "", "mov %rdi, -8(%rsp)\nmov -8(%rsp), %rax\n", "");
FUNCTION("caller", "push %rdi\ncall entry_nop\n", "pop %rax\n", "");
long leaf(long), entry_nop(long), caller(long);
int main(int count, char **values)
{
	long bad = 0, n = atol(values[1]);
	for (long i = 0; i < n; i++)
		bad += (leaf(i) != i) + (entry_nop(i) != i) + (caller(i) != i);
	printf("bad %ld\n", bad);
	return 0;
}
C
gcc -O1 -w -I "$checkout/tests/trace/triggers" -o five five.c || fail "cannot compile"

# At the entry, and in a function that calls others, nothing can be overwritten.
must_trace -n 'redzone$target:::entry_nop, redzone$target:::caller { @[probename] = count(); } END { printa("%s %@d\n", @); }' \
	-c './five 1000'
contains '^bad 0$'
contains '^caller 1000$'
contains '^entry_nop 2000$'

# What this kernel does is not known here: either the probe works, or it is refused with the reason.
harmless() {
	contains '^bad 0$'
	contains '^leaf 1000$'
}
why='this kernel replaces the nop of 5 bytes there by a call, which would overwrite variables'
trace -n 'redzone$target:::leaf { @ = count(); } END { printa("leaf %@d\n", @); }' -c './five 1000'
if [ "$status" = 0 ]; then harmless; else contains "does not match any probes: leaf of five cannot be probed: $why" err; fi
trace -n 'pid$target:a.out:leaf:5 { @ = count(); } END { printa("leaf %@d\n", @); }' -c './five 1000'
if [ "$status" = 0 ]; then harmless; else contains "failed to create probes at 'leaf+0x5': $why" err; fi
trace -n 'redzone$target::: { @[probename] = count(); }' -c './five 1000'
same "$status" 0 "status of a pattern"
contains '^bad 0$'
grep -q '^ *leaf ' out || contains "leaf:leaf of five cannot be probed: $why" err
# The whole of each function: its variables stay what they are.
trace -n 'pid$target:a.out:leaf: { @ = count(); }' -c './five 1000'
same "$status" 0 "status of all instructions"
contains '^bad 0$'
exit 0
