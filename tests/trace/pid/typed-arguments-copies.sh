# What: args[N] of the copies that compilers make is the Nth parameter of the source: one has become a constant, one is gone; parameter packs
# of templates; arguments that clang removed at link time; print(args) and -lv name what is gone.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v gcc >/dev/null || skip "no gcc"
cat >main.c <<'C'
#include <stdio.h>
#define KEPT static __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")
KEPT long constant(int seven, const char *word, long by, int n) { STAY; printf("%d %s %ld %d\n", seven, word, by, n); return by; }
KEPT int missing(int nothing, int x, int y) { STAY; printf("%d %d\n", x, y); return y - x; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 2; i++) {
		constant(7, argv[1], i * 100, i);
		missing(i, i + 30, i + 40);
	}
	return 0;
}
C
gcc -g -O2 -fno-inline -o copies main.c || fail "no program"
nm copies | grep -q 'constant\.' || skip "this gcc makes no copies of such functions"
must_trace -n 'pid$target:a.out:constant*:entry { printf("\n<%d|%s|%d|%d>\n", args[0], stringof(args[1]), args.by, args[3]); }
	pid$target:a.out:missing*:entry { printf("\n<%d|%d>\n", args[1], args.y); }' -c './copies word'
contains '^<7|word|0|0>$'
contains '^<7|word|100|1>$'
contains '^<30|40>$'
contains '^<31|41>$'
trace -x errtags -n 'pid$target:a.out:missing*:entry { trace(args[0]); }' -c ./copies
contains '\[D_ARGS_IDX\].*args\[0\] (nothing) of .* cannot be read: it was optimized away' err
must_trace -n 'pid$target:a.out:missing*:entry { print(args); }' -c './copies word'
contains '^    int nothing = <was optimized away>$'
contains '^    int x = 0x1f$'
contains '^    int y = 0x29$'
must_trace -o lines.json -x oformat=json -n 'pid$target:a.out:missing*:entry { print(args); }' -c './copies word'
contains '"value":{"nothing":null,"x":30,"y":40},"absent":"nothing was optimized away"' lines.json
check_json lines.json
trace -lvn 'pid$target:a.out:missing*:entry' -c ./copies
contains 'args\[0\]: int nothing (was optimized away)$'
contains 'args\[2\]: int$'

# Only the copy has a name.
trace -n 'pid$target:a.out:missing:entry { }' -c ./copies
same "$status" 1 "status of a function that exists as a copy alone"
contains "failed to lookup 'missing' in module 'a.out': the compiler has left only copies and parts of it, as missing\..* (missing\.\* means all)" err

# A pack is as many parameters; what comes after it has its own place.
if command -v g++ >/dev/null; then
	cat >pack.cc <<'C'
template <class... T> __attribute__((noinline)) long last(T... t, int n) { asm volatile("" ::: "memory"); return n + (0 + ... + t); }
struct base { long id; virtual ~base() {} };
struct derived : virtual base {
	__attribute__((noinline)) derived(int x, long y) { asm volatile("" ::: "memory"); id = x + y; }
};
int main(int argc, char **argv) { derived d(argc + 4, 6); return last<int, long>(1, 2, argc + 2) + d.id - 17; }
C
	for level in 0 2; do
		g++ -std=c++17 -g -O$level -o pack pack.cc || fail "no program"
		must_trace -n 'pid$target:a.out:_Z4last*:entry { printf("\n<%d|%d|%d>\n", args[0], args[1], args[2]); }
			pid$target:a.out:_ZN7derivedC1*:entry { printf("\n<%d|%d>\n", args.x, args[2]); }' -c ./pack
		contains '^<1|2|3>$'
		contains '^<5|6>$'
	done
fi

# The source says that others may call the function; the linker's symbol knows better.
if command -v clang >/dev/null && echo 'int main(void) { return 0; }' | clang -flto -x c -o try - 2>/dev/null; then
	cat >callee.c <<'C'
#define KEPT __attribute__((noinline))
KEPT long removed(long unused, long y) { __asm__ volatile("" : : "r"(y) : "memory"); return y; }
KEPT __attribute__((visibility("hidden"))) long hidden(long unused, long y) { __asm__ volatile("" : : "r"(y) : "memory"); return y; }
C
	cat >caller.c <<'C'
long removed(long unused, long y), hidden(long unused, long y);
int main(int argc, char **argv) { return removed(argc, argc + 4) + hidden(argc + 1, argc + 5) - 11; }
C
	clang -g -O2 -flto -o joined caller.c callee.c || fail "no program"
	clang -g -O2 -o apart caller.c callee.c || fail "no program"
	trace -x errtags -n 'pid$target:a.out:removed:entry { trace(args[0]); }' -c ./joined
	contains '\[D_ARGS_IDX\].*args\[0\] (unused) of .* cannot be read: it was optimized away' err
	must_trace -n 'pid$target:a.out:removed:entry { printf("\n<%d>\n", args[1]); }' -c ./joined
	contains '^<5>$'
	# Hidden symbols become local, too, but nobody has changed what callers pass.
	must_trace -n 'pid$target:a.out:removed:entry,pid$target:a.out:hidden:entry { printf("\n<%d|%d>\n", args[0], args[1]); }' -c ./apart
	contains '^<1|5>$'
	contains '^<2|6>$'
fi
