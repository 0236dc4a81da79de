# What: args[] that compilers pass in unusual ways: SIMD vectors, complex long double, structs with padding words, std::nullptr_t, parameters
# that are declared `register`, conventions of their own, results that nobody wants.  Needs a C++ compiler.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
[ "$(uname -m)" = x86_64 ] || skip "conventions of x86_64"
cat >main.cc <<'C'
#include <stdio.h>
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noipa))
#endif
#define USE(x) asm volatile("" : : "r"(&(x)) : "memory")
typedef long long vector __attribute__((vector_size(16)));
struct padded { int x; } __attribute__((aligned(16)));
enum class small : signed char { low = -5 };
extern "C" {
KEPT int vectors(vector v, int n, vector w, int m) { USE(v); USE(n); USE(w); USE(m); return n; }
KEPT int complexes(_Complex long double c, int a, int b, int d, int e, int f, int g, int last) { USE(c); USE(a); USE(b); USE(d); USE(e); USE(f); USE(g); USE(last); return last; }
KEPT int paddings(padded p, int n) { USE(p); USE(n); return n; }
KEPT padded padding(int n) { USE(n); padded p; p.x = n + 1; return p; }
KEPT int nulls(decltype(nullptr) z, int n, small s) { USE(n); USE(s); return n; }
}
int main()
{
	vectors(vector{1, 2}, 3, vector{4, 5}, 6);
	complexes(1.5L, 1, 2, 3, 4, 5, 6, 77);
	paddings(padding(20), 22);
	nulls(nullptr, 31, small::low);
	return 0;
}
C
cat >values.d <<'D'
pid$target:a.out:vectors:entry { printf("vectors %d %d\n", args[1], args[3]); }
pid$target:a.out:complexes:entry { printf("complexes %d %d\n", args[1], args[7]); }
pid$target:a.out:paddings:entry { printf("paddings %d %d\n", args[0].x, args[1]); }
pid$target:a.out:padding:return { printf("padding %d\n", args[1].x); }
pid$target:a.out:nulls:entry { printf("nulls %d\n", args[1]); print(args[2]); }
D
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for level in 0 2; do
		$compiler -w -g -O$level -o program main.cc || fail "$compiler -O$level"
		must_trace -s values.d -c ./program
		for line in "vectors 3 6" "complexes 1 77" "paddings 21 22" "padding 21" "nulls 31" "enum small low"; do
			grep -qx -e "$line" out || fail "$compiler -O$level: no line '$line'"
		done
	done
done

# Before the prologue, a `register` parameter is where the convention says.
cat >main.c <<'C'
__attribute__((noinline)) int named(register int a, register char *b, int c) { return a + c + *b; }
int main(int argc, char **argv)
{
	char *text = argv[0];
	int n = argc + 4;
	asm volatile("mov $99, %%ecx; mov $98, %%eax; mov $97, %%ebx" : : : "rax", "rbx", "rcx");
	return !named(n, text, 7);
}
C
gcc -g -O0 -o program main.c || fail "cannot compile"
must_trace -n 'pid$target:a.out:named:entry { printf("\nnamed %d %s %d\n", args[0], args[1], args[2]); }' -c ./program
contains '^named 5 ./program 7$'

# gcc makes a function without a result of one whose result nobody uses.
cat >main.c <<'C'
#include <stdio.h>
static __attribute__((noinline)) int ignored(int a, int b) { printf("%d\n", a); return b * 1000; }
int main(int argc, char **argv) { ignored(argc + 10, argc + 20); return 0; }
C
gcc -g -O2 -o program main.c || fail "cannot compile"
if nm program | grep -q 'ignored\.isra'; then
	trace -x errtags -n 'pid$target:a.out:ignored*:return { trace(args[1]); }' -c ./program
	same "$status" 1 "status of a result that is not returned"
	contains '\[D_ARGS_IDX\].*args\[1\] of probe .*:return cannot be read: it was optimized away' err
fi
gcc -g -O0 -o program main.c || fail "cannot compile"
must_trace -n 'pid$target:a.out:ignored:return { printf("\nignored %d\n", args[1]); }' -c ./program
contains '^ignored 21000$'

# clang marks functions with another convention.
command -v clang >/dev/null || exit 0
printf '__attribute__((noinline, ms_abi)) int ms(int a) { return a; }\nint main(void) { return ms(3) - 3; }\n' >main.c
clang -g -O0 -o program main.c || fail "cannot compile"
trace -x errtags -n 'pid$target:a.out:ms:entry { trace(args[0]); }' -c ./program
same "$status" 1 "status of another convention"
contains '\[D_ARGS_IDX\].*args\[0\] (a) of .* cannot be read' err
