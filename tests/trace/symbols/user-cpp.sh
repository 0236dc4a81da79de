# What: symbols and types of programs in C++: namespaces, classes in classes, static variables of functions, enumerators of a
# class, several variables at one address; by units of types, too.  Needs a C++ compiler.  Executors: kernel process.
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
cat >main.cc <<'C'
#include <complex.h>
namespace left {
struct hidden;
struct hidden { char c[40]; };
hidden used;
}
namespace right {
struct hidden;
extern hidden *pointer;
}
struct base { int first = 1; };
struct outer : base {
	struct inner { int value = 5; inner *next = nullptr; } part;
	enum class kind : unsigned char { low = 1, high = 200 } kind = kind::high;
	static int shared;
	int &reference = part.value;
};
int outer::shared = 14;
struct inner { long other[9]; } unnested;
extern "C" {
outer whole;
double _Complex number = 3.0 + 4.0 * _Complex_I;
unsigned __int128 wide = 7;
int outer::*member = nullptr;
int (outer::*method)() = nullptr;
struct { int (*call)(int, ...); int (*rows)[2]; } pointers;
__attribute__((noinline, noclone)) void done(void *p) { asm volatile("" : : "r"(p) : "memory"); }
}
__attribute__((noinline)) int count(int n)
{
	static int total = 100;
	return total += n;
}
int main()
{
	whole.part.next = &whole.part;
	count(3);
	done(right::pointer);
	return 0;
}
C
cat >other.cc <<'C'
namespace right {
struct hidden { int before, value; } secret = { 1, 77 };
hidden *pointer = &secret;
}
C
cat >values.d <<'D'
pid$target:a.out:done:entry
{
	printf("%d %d %d %d\n", ``whole.first, ``whole.part.next->value, *``whole.reference, ``_ZN5outer6sharedE);
	printf("hidden %d %d\n", ``_ZN5right7pointerE->value, sizeof(*``_ZN5right7pointerE));
	printf("inner %d total %d\n", sizeof(struct pid`a.out`inner), ``_ZZ5countiE5total);
	printf("kind %d base %d\n", sizeof(enum pid`a.out`kind), ((struct pid`a.out`base *)&``whole)->first);
	printf("wide %d\n", ((userland uint64_t *)&``wide)[0]);
	printf("pointers %d %d\n", sizeof(``member), sizeof(``method));
	print(``whole.kind);
	print(``number);
	print(``pointers.call);
}
D
for how in -O0 -O2 -gdwarf-3 -gdwarf-4 -fdebug-types-section -gsplit-dwarf; do
	g++ -w -g "$how" -o program main.cc other.cc || fail "no program of $how"
	must_trace -q -s values.d -c ./program
	contains '^1 5 5 14$'
	contains '^hidden 77 8$'
	contains '^inner 72 total 103$'
	contains '^kind 1 base 1$'
	contains '^wide 7$'
	contains '^pointers 8 16$'
	contains '^enum kind high$'
	contains '^byte \[16\] '
	contains '^int (\*)(int, \.\.\.) 0$'
done
trace -x errtags -n 'BEGIN { trace(``wide + 1); }' -c ./program
same "$status" 1 "status of a number of 128 bits"
contains '\[D_OP_ARITH\].*((userland uint64_t \*)&x)\[0\]' err

# An object of size 0 is at the address of the next one.
command -v clang >/dev/null || skip "no clang, whose empty structs have no room"
cat >empty.c <<'C'
struct empty { } nothing = { };
int number = 42;
struct empty nothing_else = { };
__attribute__((noinline)) void done(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
int main(void) { done(&nothing); done(&nothing_else); return number == 0; }
C
clang -w -g -o empty empty.c || fail "no program"
must_trace -q -n 'pid$target:a.out:done:entry { printf("%d %d %d\n", sizeof(``nothing), ``number, sizeof(``nothing_else)); exit(0); }' -c ./empty
contains '^0 42 0$'
