# What: programs built with our headers (dtrace -h, <sys/sdt.h>) are traced: values of all widths and signs, pointers, strings, is-enabled; gcc and clang, -O0 and -O2, C and C++, a library, LTO, stripped, without unused sections.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"

cat >app.d <<'D'
typedef unsigned short port_t;
provider app {
	probe widths(signed char, unsigned char, short, port_t, int, unsigned, long, unsigned long);
	probe text(const char *s, char *array);
	probe real(float, double);
	probe once(int);
	probe checked(int);
	probe none();
	probe far__away(long);
};
D
"$DTRACE" -h -s app.d || fail "no header"
cat >app.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
extern
#ifdef __cplusplus
"C"
#endif
void far_away(long n);
static int evaluated, checks;
static int next(void) { return ++evaluated; }
__attribute__((noinline)) static void probes(long n, const char *s, double d)
{
	char array[8] = "array";
	array[5] = (char)('0' + n % 10);
	APP_WIDTHS(-n, -n, -n, -n, -n, -n, -n, -n);
	APP_TEXT(s, array);
	APP_REAL((float)d, d);
	APP_ONCE(next());
	APP_NONE();
	if (APP_CHECKED_ENABLED()) {
		checks++;
		APP_CHECKED(checks);
	}
	DTRACE_PROBE12(other, twelve, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9, n + 10, n + 11);
	DTRACE_PROBE(other, mixed, (signed char)-n, &array[1]);
}
int main(int argc, char **argv)
{
	for (long n = 1; n <= 3; n++) {
		probes(n, n % 2 ? "odd" : "even", (double)n + 0.5);
		far_away(n);
	}
	printf("evaluated %d checks %d semaphore %d\n", evaluated, checks, APP_CHECKED_ENABLED());
	return 0;
}
C
cat >far.c <<'C'
#include "app.h"
#ifdef __cplusplus
extern "C"
#endif
void far_away(long n);
void far_away(long n) { APP_FAR_AWAY(n * 1000); }
__attribute__((used)) static void unused(long n) { APP_NONE(); }
C
cat >app.script <<'D'
app$target:::widths { printf("w %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7); }
app$target:::text { printf("t %s %s\n", copyinstr(arg0), copyinstr(arg1)); }
app$target:::real { printf("r %x %x\n", arg0, arg1); }
app$target:::once { printf("o %d\n", arg0); }
app$target:::checked { printf("c %d\n", arg0); }
app$target:::none { @none = count(); }
app$target:::far-away { printf("f %d\n", arg0); }
other$target:::twelve { printf("12 %d %d %d %d\n", arg0, arg1, arg9, args[11]); }
other$target:::mixed { printf("m %d %s\n", arg0, copyinstr(arg1)); }
END { printa("none %@d\n", @none); }
D

# built PROGRAM HOW: it does the same untraced and traced, and all values arrive
built() {
	same "$(./$1)" "evaluated 3 checks 0 semaphore 0" "untraced ($2)"
	must_trace -s app.script -c ./$1
	for n in 1 2 3; do
		contains "^w -$n $((256 - n)) -$n $((65536 - n)) -$n $((4294967296 - n)) -$n -$n\$"
		contains "^o $n\$"
		contains "^c $n\$"
		contains "^f ${n}000\$"
		contains "^12 $n $((n + 1)) $((n + 9)) $((n + 11))\$"
		contains "^m -$n rray$n\$"
	done
	contains '^t odd array1$'
	contains '^t even array2$'
	contains '^r 3fc00000 3ff8000000000000$'
	contains '^r 40600000 400c000000000000$'
	contains '^none 3$'
	same "$(grep -c '^[a-z0-9]* ' out)" 26 "lines ($2)"
	contains '^evaluated 3 checks 3 semaphore 1$'
}

flags="-Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter -isystem $checkout/include"
for compiler in gcc clang; do
	for as in c c++; do
		command -v $compiler >/dev/null || continue
		echo 'int main(void) { return 0; }' | $compiler -x $as - -o /dev/null 2>/dev/null || continue
		for level in -O0 -O2; do
			$compiler -x $as $level $flags app.c far.c -o app || fail "$compiler $as $level"
			built app "$compiler $as $level"
		done
	done
done
gcc -O2 -flto $flags app.c far.c -o app && built app "LTO"
gcc -O2 -ffunction-sections -Wl,--gc-sections $flags app.c far.c -o app && built app "sections"
gcc -O2 -static $flags app.c far.c -o app && built app "static"
gcc -O1 -no-pie -DDTRACE_SDT_SMALL $flags app.c far.c -o app && strip app && built app "small, stripped"
gcc -O2 -fPIC -shared $flags far.c -o libfar.so &&
	gcc -O2 $flags app.c -L. -lfar -Wl,-rpath,'$ORIGIN' -o app && built app "library"

# Disabled at compile time: no sites, no evaluation.
gcc -O2 -DDTRACE_DISABLED -DDTRACE_PROBE12=NOTHING '-DNOTHING(...)=' '-DDTRACE_PROBE(...)=' $flags app.c far.c -o app || fail "disabled"
same "$(./app)" "evaluated 0 checks 0 semaphore 0" "disabled"
readelf -SW app | grep -q stapsdt && fail "a disabled program has notes"

# What only C++ has: references, templates, enums of a size, nullptr.
cat >only.cc <<'C'
#include <dtrace/sdt.h>
enum class small : unsigned char { three = 3 };
template <typename T> void of_type(T value, const T &other) { DTRACE_PROBE2(only, typed, value, other); }
int main()
{
	DTRACE_PROBE3(only, kinds, nullptr, small::three, true);
	of_type<short>(-2, -3);
	[](long n) { DTRACE_PROBE1(only, inside, n); }(7);
	return 0;
}
C
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for level in -O0 -O2; do
		$compiler -std=c++11 $level $flags only.cc -o only || fail "$compiler $level: what only C++ has"
		must_trace -n 'only$target::: { printf("%s %d %d %d\n", probename, arg0, arg1, probename == "kinds" ? arg2 : 0); }' -c ./only
		same "$(grep . out)" "$(printf 'kinds 0 3 1\ntyped -2 -3 0\ninside 7 0 0')" "values ($compiler $level)"
	done
done

# A global variable is found by its symbol. Of a stripped program it is refused, with the reason; in a register it is found.
cat >global.c <<'C'
#include <dtrace/sdt.h>
long counter = 40;
int main(int argc, char **argv)
{
	counter += argc;
	DTRACE_PROBE2(global, passed, counter, 2.5);
	return 0;
}
C
script='global$target:::passed { printf("%d\n", arg0); }'
gcc -O2 $flags global.c -o global || fail "a global"
must_trace -n "$script" -c ./global
contains '^41$'
if readelf -n global | grep -q 'counter(%rip)'; then
	strip global
	trace -n "$script" -c ./global
	same "$status" 1 "status of a stripped program"
	contains 'argument 0 of probe global.* is not readable: counter(%rip): the symbol counter is not in the file (stripped' err
fi
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	$compiler -O2 -DSTAP_SDT_ARG_CONSTRAINT=nr $flags global.c -o global && strip global || fail "$compiler: in registers"
	must_trace -n 'global$target:::passed { printf("%d %x\n", arg0, arg1); }' -c ./global
	contains '^41 4004000000000000$'
done

# In assembler, as SystemTap's header.
cat >hand.S <<'S'
#include <sys/sdt.h>
	.text
	.globl main
	.type main, @function
main:
#ifdef __x86_64__
	mov $42, %edi
	STAP_PROBE2(hand, written, -4@%edi, 8@$7)
	xor %eax, %eax
#else
	mov w0, 42
	STAP_PROBE2(hand, written, -4@x0, 8@7)
	mov w0, 0
#endif
	STAP_PROBE(hand, none)
	ret
	.size main, . - main
	.section .note.GNU-stack, "", %progbits
S
gcc -isystem "$checkout/include" hand.S -o hand || fail "assembler"
must_trace -n 'hand$target:::written { printf("%d %d\n", arg0, arg1); } hand$target:::none { printf("none\n"); }' -c ./hand
contains '^42 7$'
contains '^none$'
exit 0
