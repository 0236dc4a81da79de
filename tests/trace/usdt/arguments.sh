# What: each form of an operand in a static probe's note is read: sizes and signs, constants, registers, memory, symbols, several sites.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
statics() {
	must_trace -n "$1" -c "$TRIGGERS/statics ${2:-1}"
}

statics 'trig$target:::signed, trig$target:::unsigned, trig$target:::constants {
	printf("%s %d %d %d %d\n", probename, arg0, arg1, arg2, arg3);
	printf("%s typed %d %d %d %d\n", probename, args[0], args[1], args[2], args[3]); }' 2
contains '^signed -2 -2 -2 -2$'
contains '^signed typed -2 -2 -2 -2$'
contains '^unsigned 254 65534 4294967294 -2$'
contains '^unsigned typed 254 65534 4294967294 18446744073709551614$'
contains '^constants -7 4294967289 1250999896491 -56$'
contains '^constants typed -7 4294967289 1250999896491 -56$'

statics 'trig$target:::memory { printf("m %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4); }
	trig$target:::symbols { printf("s %d %d\n", arg0, arg1); }' 3
for n in 1 2 3; do
	contains "^m $((3 * n)) $((-10 * n)) $((2 * n)) -$n $((100 + n))\$"
	contains "^s $((4 * n)) $((-5 * n))\$"
done

# Names as in the note, too; strings; more arguments than arg0 ... arg9; bits of numbers with a fraction.
statics 'trig$target:::text-given { printf("1 %s\n", copyinstr(arg0)); } trig$target:::text__given { printf("2 %s\n", copyinstr(arg0)); }
	trig$target:::twelve { printf("12: %d %d %d %d %d\n", arg0, arg8, arg9, args[10], args[11]); }
	trig$target:::plain { printf("none %d\n", arg0); }
	trig$target:::floating { printf("bits %x %x\n", arg0, arg1); }'
contains '^1 odd$'
contains '^2 odd$'
contains '^12: 1 9 10 11 12$'
contains '^none 0$'
contains '^bits 3ff8000000000000 3fc00000$'

# One program for all sites, whose operands differ.
statics 'trig$target:::sites { printf("%s %d %d\n", probefunc, arg0, arg1); @n[arg1] = count(); @v[probefunc] = sum(arg0); }
	END { printa("n %d %@d\n", @n); printa("v %s %@d\n", @v); }' 100
contains '^first_sites 7 1$'
contains '^first_sites 7 2$'
contains '^one_more_site 7 3$'
for n in 1 2 3; do contains "^n $n 100\$"; done
contains '^v first_sites 10100$'
contains '^v one_more_site 5050$'
"$DTRACE" -e -xdump=plan -n 'trig$target::: { trace(arg0); trace(arg3); }' -c "$TRIGGERS/statics" >plan 2>&1
same "$(grep -c '^program for ' plan)" 1 "programs for 15 sites"

[ "$(uname -m)" = x86_64 ] || exit 0
statics 'trig$target:::by-hand { printf("hand %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6); }
	trig$target:::aliases { printf("aliases %d %d %d %d\n", arg0, arg1, arg2, arg3); }'
contains '^hand 4 2 2 2 67 1 2$'
contains '^aliases 33 17185 17185 67$'

# An argument in memory that is not there is the fault that other reads have.
cat >fault.c <<'C'
#include "notes.h"
__attribute__((noinline)) void f(long p)
{
	__asm__ volatile("mov %0, %%rdi\n" NOTE("faulty", "bad", "0", "8@8(%%rdi)") ::"r"(p) : "rdi");
}
int main(void) { f(0); f(0); return 0; }
C
gcc -O1 -w -I "$checkout/tests/trace/triggers" -o fault fault.c || fail "cannot compile"
must_fault -n 'faulty$target:::bad { trace(arg0); } faulty$target:::bad /arg0 == 7/ { } ERROR { printf("fault %d at %x\n", arg4, arg5); }' -c ./fault
same "$(grep -c '^fault 1 at 8$' out)" 4 "faults"
contains 'faulty[0-9]*:fault:f:bad): invalid address (0x8) in action #1' err
contains 'faulty[0-9]*:fault:f:bad): invalid address (0x8) in predicate' err

# What cannot be read spoils none of the others.
trace -n 'trig$target:::odd { trace(arg0); }' -c "$TRIGGERS/statics"
same "$status" 1 "status with an argument that cannot be read"
contains 'argument 0 of probe trig[0-9]*:statics:by_hand:odd is not readable: %xmm0' err
statics 'trig$target:::odd { printf("odd %d\n", arg1); }'
contains '^odd 1$'
must_fault -n 'trig$target:::*d { n++; printf("%s %d\n", probename, arg3); } END { printf("%d\n", n); }
	dtrace:::ERROR { printf("error %d\n", arg4); }' -c "$TRIGGERS/statics"
contains '^signed -1$'
contains '^error 15$'
grep -q '^odd' out && fail "the clause went on behind its fault"
exit 0
