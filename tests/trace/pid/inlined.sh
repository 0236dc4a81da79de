# What: an entry probe of a function named in full fires at its inlined copies, as often as the function runs, with DWARF's arguments.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >calls.c <<'C'
#include <stdio.h>
static volatile long sink;
static volatile long calls;
static FILE *list;
static volatile int source = -9;
static inline int sq(int x, short y)
{
	calls++;
	sink += x;
	return x * x + y;
}
/* What it gets is in registers. */
static inline int seen(int x, short y)
{
	__asm__ volatile("" ::"r"(x), "r"(y));
	fprintf(list, "%d %d\n", x, y);
	return x + y;
}
static inline __attribute__((always_inline)) int cube(int x)
{
	return sq(x, -3) * x;
}
__attribute__((noinline)) int loop(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += sq(source, (short)n);
	return sum;
}
__attribute__((noinline)) int three(int a, int b)
{
	return cube(a) + sq(b, (short)a) + cube(b);
}
__attribute__((noinline)) int some(int n)
{
	int x = source++;
	int sum = seen(x, 7);
	for (int i = 0; i < n; i++) {
		int a = source++;
		short b = (short)source;
		sum += seen(a, b);
	}
	return sum;
}
__attribute__((noinline)) int own(int (*f)(int, short), int n)
{
	return f(n, 1);
}
int main(int argc, char **argv)
{
	(void)argv;
	int sum = 0;
	list = fopen("list", "w");
	for (int i = 0; i < argc * 7; i++)
		sum += three(i, argc) + loop(i);
	sum += own(sq, 5) + own(seen, 6) + some(4);
	fclose(list);
	printf("%ld\n", calls);
	return sum == 0;
}
C
for compiler in gcc clang; do
	command -v "$compiler" >/dev/null || continue
	for options in "-O2 -fno-unroll-loops" "-O1" "-O2 -fno-unroll-loops -gdwarf-4" "-O0"; do
		# shellcheck disable=SC2086 # the words
		"$compiler" -g $options -D"inline=inline __attribute__((always_inline))" -o calls calls.c 2>/dev/null || fail "cannot compile"
		must_trace -n 'pid$target:a.out:sq:entry { @[probefunc] = count(); } END { printa("%s=%@d\n", @); }' -c ./calls
		same "$(grep sq out)" "sq=$(grep -v = out)" "firings with $compiler $options"
		must_trace -n 'pid$target:a.out:seen:entry { printf("%d %d\n", (int)arg0, (short)arg1); }' -c ./calls
		grep ' ' out | cmp -s - list || fail "arg0, arg1 with $compiler $options: $(grep ' ' out | diff - list | head)"
		must_trace -n 'pid$target:a.out:seen:entry { printf("%d %d\n", args[0], args.y); }' -c ./calls
		grep ' ' out | cmp -s - list || fail "args[] with $compiler $options: $(grep ' ' out | diff - list | head)"
		must_trace -n 'pid$target:a.out:cube:entry { @ = count(); } END { printa("n %@d\n", @); }' -c ./calls
		same "$(grep n out)" 'n 14' "firings of cube with $compiler $options"
	done
done

# What it was inlined into; that copies have no return; without them.
gcc -g -O2 -D"inline=inline __attribute__((always_inline))" -o calls calls.c || fail "cannot compile"
trace -lvv -n 'pid$target:a.out:sq:entry' -c ./calls
contains 'Note: inlined at loop+[0-9a-f]*, calls.c:27'
contains 'Note: inlined at three+[0-9a-f]*, calls.c:32$'
same "$(grep -c 'Note: inlined at three+[0-9a-f]*, calls.c:21, as a part of cube$' out)" 2 "copies in cube"
trace -n 'pid$target:a.out:sq:return { @ = count(); } END { printa("n %@d\n", @); }' -c ./calls
contains '^n 1$'
contains 'sq:return of calls is at the function.s own code: 4 inlined copies have no return' err
must_trace -x pidinline=off -n 'pid$target:a.out:sq:entry { @ = count(); } END { printa("n %@d\n", @); }' -c ./calls
contains '^n 1$'
must_trace -n 'pid$target:a.out:s*q:entry { @ = count(); } END { printa("n %@d\n", @); }' -c ./calls
contains '^n 1$'
must_trace -n 'pid$target:a.out:sq:entry { self->x = arg0; } pid$target:a.out:sq:entry /self->x == 5 && args[1] == 1/ { @ = count(); } END { printa("n %@d\n", @); }' -c ./calls
contains '^n [1-9]'

# refused WORDS DESCRIPTION
refused() {
	trace $3 -n "pid\$target:a.out:$2 { trace(1); }" -c ./calls
	same "$status" 1 "status of $2"
	contains "$1" err
}
refused "failed to create return probe for 'cube': the compiler has left only inlined copies of it" cube:return
refused "failed to create probes at 'cube+0x4': the compiler has left only inlined copies of it" cube:4
refused "it has only inlined copies, which -x pidinline=off leaves out" cube:entry "-x pidinline=off"
refused "does not match any probes: no function there fits" 'cub*:entry'
strip -g calls
refused "failed to lookup 'cube'" cube:entry

# A function of a header that several units have, of which the linker leaves one.
if command -v g++ >/dev/null; then
	cat >both.h <<'C'
extern volatile int total;
static inline __attribute__((always_inline)) void add(int n) { total += n; }
template <class T> __attribute__((noinline)) T twice(T n) { add(1); add(2); return n * 2; }
C
	printf '%s\n' '#include "both.h"' 'int other(int n) { return twice(n); }' >other.cc
	printf '%s\n' '#include "both.h"' 'volatile int total; int other(int);' 'int main() { return twice(3) + other(4) == 0; }' >both.cc
	g++ -g -O2 -o both both.cc other.cc || fail "cannot compile"
	must_trace -n 'pid$target:a.out:add:entry { @[arg0] = count(); } END { printa("%d %@d\n", @); }' -c ./both
	same "$(sed '/^$/d' out | tr '\n' ' ')" "1 2 2 2 " "copies in one function that two units describe"
fi
