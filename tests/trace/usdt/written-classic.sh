# What: dtrace -G rewrites objects that call probe functions, as code for the classic tool does: calls, tail calls, -fno-plt, inline functions of C++, is-enabled; a second run changes nothing.  Needs: uprobe cc.  Executors: kernel (room before functions is no part of sections that the linker discards).
. "$LIB"
cat >app.d <<'D'
provider app {
	probe go__fast(int a, const char *s, long c, unsigned char d, short e, int f, long g, int h);
	probe last(long n);
	probe plain();
	probe never(int);
};
D
cat >classic.h <<'C'
#ifdef __cplusplus
extern "C" {
#endif
extern void __dtrace_app___go__fast(int, const char *, long, unsigned char, short, int, long, int);
extern int __dtraceenabled_app___go__fast(long);
extern void __dtrace_app___last(long);
extern void __dtrace_app___plain(void);
extern void other(long n), another(long n);
#ifdef __cplusplus
}
#endif
C
cat >main.c <<'C'
#include <stdio.h>
#include "classic.h"
__attribute__((noinline)) static void last(long n) { __dtrace_app___last(n * 2); }
__attribute__((noinline)) static void full(int n)
{
	__dtrace_app___plain();
	if (__dtraceenabled_app___go__fast(0))
		printf("enabled\n");
	__dtrace_app___go__fast(-n, "text", 1L << 40, 250, -3, 77, -8, 99);
}
int main(void)
{
	for (int i = 1; i <= 3; i++) {
		full(i);
		last(i);
		other(i);
		another(i);
	}
	return 0;
}
C
cat >other.cc <<'C'
#include "classic.h"
template <class T> __attribute__((noinline)) void shared(T n) { __dtrace_app___last((long)n + 100); __dtrace_app___plain(); }
void NAME(long n) { shared(n); }
C

built() { # COMPILER OPTIONS
	"$@" -c main.c && "$@" -DNAME=other -x c++ -c other.cc && "$@" -DNAME=another -x c++ -c other.cc -o another.o || fail "$*: cannot compile"
	"$DTRACE" -G -s app.d -o probes.o main.o other.o another.o || fail "$*: -G"
	for file in main other another probes; do cp $file.o before-$file; done
	"$DTRACE" -G -s app.d -o probes.o main.o other.o another.o || fail "$*: -G again"
	for file in main other another probes; do cmp $file.o before-$file || fail "$*: the second run changed $file.o"; done
	"$@" main.o other.o another.o probes.o -o program || fail "$*: cannot link"
	[ -z "$(./program)" ] || fail "$*: enabled though nobody traces"
	must_trace -s script.d -c ./program
	same "$(grep -c '^enabled$' out)" 3 "$*: is-enabled"
	for n in 1 2 3; do
		contains "^go -$n text 1099511627776 250 -3 77 -8 99\$"
		contains "^last $((2 * n))\$"
		same "$(grep -c "^last $((100 + n))\$" out)" 2 "$*: calls in an inline function"
	done
	contains '^plain 9$'
}
cat >script.d <<'D'
app$target:::go-fast { printf("go %d %s %d %d %d %d %d %d\n", arg0, copyinstr(arg1), arg2, arg3, arg4, arg5, arg6, arg7); }
app$target:::last { printf("last %d\n", arg0); }
app$target:::plain { @ = count(); }
END { printa("plain %@d\n", @); }
D
built gcc -O0
built gcc -O2
indirect=-fno-plt # on aarch64 the address is loaded elsewhere than the call: refused, the guide says so
[ "$(uname -m)" = x86_64 ] || indirect=
built gcc -O2 -fPIC $indirect -ffunction-sections
if command -v clang >/dev/null; then
	built clang -O0 -fPIC
	built clang -O2
fi

# What is refused leaves the object as it was.
refused() { # SOURCE MESSAGE
	echo "$1" | gcc -O1 -w -x c -c - -o wrong.o || fail "cannot compile: $1"
	cp wrong.o keep.o
	"$DTRACE" -G -s app.d -o wrong-probes.o wrong.o 2>err && fail "not refused: $1"
	contains "$2" err
	cmp wrong.o keep.o || fail "changed: $1"
	[ ! -e wrong-probes.o ] || fail "an object was made: $1"
}
refused 'void __dtrace_app___nowhere(void); void f(void) { __dtrace_app___nowhere(); }' 'wrong.o: no such probe nowhere$'
refused 'void __dtrace_two___x(void); void f(void) { __dtrace_two___x(); }' 'wrong.o: no such provider two$'
refused 'void __dtrace_app___plain(void); void *f(void) { return __dtrace_app___plain; }' 'plain is used other than by a call$'
ar rcs wrong.a main.o
"$DTRACE" -G -s app.d -o wrong-probes.o wrong.a 2>err && fail "an archive"
contains 'archives are not permitted; use the contents of the archive instead: wrong.a' err
cp app.d wrong.o
"$DTRACE" -G -s app.d -o wrong-probes.o wrong.o 2>err && fail "a text"
contains 'incorrect ELF class/machine type for object file: wrong.o' err

# A damaged one is refused, or used; nothing else.
gcc -O1 -c main.c
size=$(stat -c %s main.o)
for at in $(seq 0 37 "$size"); do
	cp main.o wrong.o
	printf '\377' | dd of=wrong.o bs=1 seek="$at" conv=notrunc 2>/dev/null
	"$DTRACE" -G -s app.d -o wrong-probes.o wrong.o >out 2>err
	[ $? -le 1 ] || fail "damaged at byte $at"
	head -c "$at" main.o >wrong.o
	"$DTRACE" -G -s app.d -o wrong-probes.o wrong.o >out 2>err && fail "half a file of $at bytes"
done
exit 0
