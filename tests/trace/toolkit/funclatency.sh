# What: funclatency measures each call of a function; one that calls itself once; those after a call that is left by longjmp(), too.  Needs: uprobe cc.
. "$LIB"
tool funclatency 'pid$target' a.out outer -c "$TRIGGERS/calls 9"
awk '$1 == "calls" && $2 == "outer" { exit !($3 == 9 && $4 > 0 && $5 >= $4 && $6 >= $5) }' out || fail "the row"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" 9 "calls in the histogram"
contains '^calls`outer, time in ns:$'
tool funclatency 'pid$target' a.out pushed_inner -c "$TRIGGERS/stacks 6"
same "$(awk '$2 == "pushed_inner" { print $3 }' out)" 1 "a function that calls itself"
tool funclatency 'pid$target' libc nanosleep -c "$TRIGGERS/lives sleep 30"
awk '$2 == "nanosleep" { found += $3 >= 30 && $4 >= 1000000 } END { exit !found }' out || fail "30 sleeps of a millisecond"
cat >jumps.c <<'E2'
#include <setjmp.h>
#include <unistd.h>
static jmp_buf back;
__attribute__((noinline)) int jumps(int n)
{
	if (n % 5 == 3)
		longjmp(back, 1);
	return n > 100 ? jumps(n - 100) + 1 : n; /* of 103: the inner one does not return either */
}
int main(void)
{
	for (volatile int n = 0; n < 20; n++)
		if (!setjmp(back))
			jumps(n == 7 ? 103 : n);
	return 0;
}
E2
cc -O1 -fno-optimize-sibling-calls -o jumps jumps.c || fail "not compiled"
tool funclatency 'pid$target' a.out jumps -c ./jumps
same "$(awk '$1 == "jumps" { print $3 }' out)" 15 "calls that returned"
# All providers are not meant.
tool_refuses 'funclatency needs PROVIDER: pid$target, a pid with a number, or fbt' -s funclatency '' '' read -c true
