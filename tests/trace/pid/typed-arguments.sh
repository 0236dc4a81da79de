# What: args[] of functions have the types of the debug information, at entry and return: numbers, pointers that are followed, structs in
# registers and on the stack, constants; with and without optimization, by gcc and clang; from a separate debug file.  What cannot be read
# is refused by name.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v gcc >/dev/null || skip "no C compiler"
cat >main.c <<'C'
#include <stdbool.h>
#include <stdio.h>
#define KEPT __attribute__((noinline, noipa))
#ifdef __clang__
#undef KEPT
#define KEPT __attribute__((noinline))
#endif
#define USE(x) asm volatile("" : : "r"(&(x)) : "memory")
enum color { RED = 1, BLUE = 200 };
struct item { struct item *next; char name[8]; unsigned low : 3, high : 13; enum color color; };
typedef struct item item_t;
struct pair { int a; short b; unsigned char c[2]; };
struct two { long x, y; };
struct mixed { double d; int i; };
struct big { long v[5]; };
KEPT int many(item_t *item, int n, double d, struct pair pair, struct two two, struct big big, char c, unsigned short u, bool yes)
{
	USE(item); USE(n); USE(d); USE(pair); USE(two); USE(big); USE(c); USE(u); USE(yes);
	return n - 10;
}
KEPT void split(struct mixed mixed, signed char small, enum color color, __int128 wide)
{
	USE(mixed); USE(small); USE(color); USE(wide);
}
KEPT struct two two_of(long x) { USE(x); return (struct two){ x, x + 1 }; }
KEPT struct pair pair_of(int a) { USE(a); return (struct pair){ a, 2, { 3, 4 } }; }
KEPT struct big big_of(int hidden) { USE(hidden); return (struct big){ { hidden, 0, 0, 0, 77 } }; }
KEPT double half(int n) { USE(n); return n / 2.0; }
KEPT char letter(void) { asm volatile(""); return 'q'; }
KEPT void nothing(void) { asm volatile(""); }
static __attribute__((noinline)) int shrunk(int first, int nothing, int last) { USE(first); return first * last; }
int main(int argc, char **argv)
{
	item_t second = { NULL, "two", 1, 2, RED }, first = { &second, "one", 5, 4097, BLUE };
	struct pair pair = { -argc, 2, { 3, 4 } };
	struct two two = { 1 + argc, 1L << 40 };
	struct big big = { { 1, 2, 3, 4, argc + 4 } };
	many(&first, argc - 8, argc * 1.5, pair, two, big, 'x', 65535, argc);
	split((struct mixed){ 1.0, argc }, -3, BLUE, argc);
	two_of(argc), pair_of(argc), big_of(argc + 40), half(argc), letter(), nothing();
	printf("%d", shrunk(argc, argc + 1, 21) + shrunk(argc + 4, argc, 21));
	return 0;
}
C
cat >values.d <<'D'
pid$target:a.out:many:entry
{
	print(*args[0]);
	printf("%s %s %d\n", args[0]->name, args[0]->next->name, args[0]->high);
	printf("%d %d %d %d\n", args[1], args[3].a, args[3].b, args[3].c[1]);
	printf("%d %d %d %c %d %d\n", args[4].x, args[4].y, args[5].v[4], args[6], args[7], args[8]);
	print(args[3]);
	this->kept = args[4];
	printf("kept %d\n", this->kept.y);
	print(args[5]);
	@[args[4].x, args[0]->color] = count();
}
pid$target:a.out:many:entry /args[3].b == 2 && args[1] < 0/ { printf("%d bytes\n", sizeof(args[5])); }
pid$target:a.out:many:return { printf("returned %d %d\n", args[0] == arg0, args[1]); }
pid$target:a.out:split:entry { printf("split %d %d\n", args[1], args[2] == 200); print(args[2]); }
pid$target:a.out:*_of:return { printf("%s\n", probefunc); }
pid$target:a.out:two_of:return { printf("%d\n", args[1].x + args[1].y); }
pid$target:a.out:pair_of:return { printf("%d %d\n", args[1].b, args[1].c[0]); }
pid$target:a.out:big_of:entry { printf("hidden %d\n", args[0]); }
pid$target:a.out:big_of:return { printf("%d\n", args[1].v[4]); }
pid$target:a.out:letter:return { print(args[1]); printf("\n"); }
D
# Where a result in memory is, the conventions of aarch64 do not say at the return.
if [ "$(uname -m)" = aarch64 ]; then
	gcc -g -O1 -o main main.c || fail "cannot compile"
	trace -n 'pid$target:a.out:big_of:return { trace(args[1].v[4]); }' -c ./main
	contains 'it is in memory whose address is not known' err
	sed -i 's/printf("%d\\n", args\[1\]\.v\[4\])/printf("77\\n")/' values.d
fi
cat >wanted <<'W'
one two 4097
-7 -1 2 4
2 1099511627776 5 x 65535 1
kept 1099511627776
40 bytes
returned 1 -17
split -3 1
hidden 41
77
W

check_values() { # PROGRAM
	must_trace -s values.d -c "$1"
	while read -r line; do
		grep -qx -e "$line" out || fail "$1: no line '$line'"
	done <wanted
	contains '^    unsigned int high :13 = 0x1001$'
	contains '^    enum color color = BLUE$'
	contains '^    unsigned char \[2\] c = \[ 0x3, 0x4 \]$'
	contains '^    long \[5\] v = \[ 0x1, 0x2, 0x3, 0x4, 0x5 \]$'
	contains '^ *2  *BLUE  *1$'
	contains "^char 'q'$"
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for level in 0 2; do
		$compiler -g -O$level -o "$compiler$level" main.c || fail "$compiler -O$level"
		check_values "./$compiler$level"
	done
done

# By name, and all at once.
must_trace -n 'pid$target:a.out:many:entry { printf("\n%d %s %d %d\n", args.n, args.item->next->name, args.pair.b, args.big.v[4]); }
	pid$target:a.out:pair_of:entry { print(args); } pid$target:a.out:pair_of:return { print(args); }' -c ./gcc2
contains '^-7 two 2 5$'
contains '^    int a = 0x1$'
contains '^        short b = 0x2$'
must_trace -n 'pid$target:a.out:many:entry { print(args); }' -c ./gcc2
contains '^    double d = <is in a floating-point register, which probes cannot read>$'
contains '^    int n = 0xfffffff9$'
trace -x errtags -n 'pid$target:a.out:many:entry { trace(args.bag); } tick-1s { trace(args.x); }' -c ./gcc2
same "$status" 1 "status of wrong names"
contains '\[D_ARGS_IDX\].*no parameter is called bag: did you mean big?' err
contains '\[D_ARGS_IDX\].*args.x does not exist: arguments of this probe have numbers' err
trace -n 'pid$target:a.out:many:entry { trace(big); }' -c ./gcc2
contains "big is unknown: the function's parameter is args.big" err

# What nobody can read.
trace -x errtags -n 'pid$target:a.out:many:entry { trace(args[2]); } pid$target:a.out:split:entry { trace(args[0]); trace(args[3]); }
	pid$target:a.out:half:return { trace(args[1]); } pid$target:a.out:nothing:return { trace(args[1]); }
	pid$target:a.out:nothing:entry { trace(args[0]); } pid$target:a.out:*:entry { trace(args[0]); }
	pid$target:a.out:many:entry { args[4].x = 1; args[1] = 2; trace(&args[4].x); }' -c ./gcc2
same "$status" 1 "status"
contains '\[D_ARGS_IDX\].*args\[2\] (d) of probe pid[0-9]*:gcc2:many:entry cannot be read: it is in a floating-point register' err
[ "$(uname -m)" = aarch64 ] || # where it is passed in two general registers
	contains '\[D_ARGS_IDX\].*args\[0\] (mixed) of .* cannot be read: it is in a floating-point register' err
contains '\[D_ARGS_IDX\].*args\[3\] (wide) of .* cannot be read: it is of a type that D cannot take from registers' err
contains '\[D_ARGS_IDX\].*args\[1\] of probe pid[0-9]*:gcc2:half:return cannot be read: it is in a floating-point' err
contains '\[D_ARGS_IDX\].*args\[1\] does not exist: the probe has 1 typed argument' err
contains '\[D_ARGS_IDX\].*args\[0\] does not exist: the probe has 0 typed arguments' err
contains '\[D_ARGS_MULTI\].*differ in the types of args' err
same "$(grep -c 'D_OP_WRITE\|D_ADDROF_LVAL' err)" 3 "read-only arguments"

# A parameter that the compiler has removed; one that has become a constant; the others, where they are now.
must_trace -n 'pid$target:a.out:shrunk*:entry { printf("\nshrunk %d %d\n", args[0], args[2]); }' -c ./gcc2
contains '^shrunk 1 21$'
contains '^shrunk 5 21$'
trace -x errtags -n 'pid$target:a.out:shrunk*:entry { trace(args[1]); }' -c ./gcc2
contains '\[D_ARGS_IDX\].*args\[1\] (nothing) of probe pid[0-9]*:gcc2:shrunk.*:entry cannot be read: it was optimized away' err

# Types come from the separate file that .gnu_debuglink names, or the build id; without any, that is said.
cp gcc2 stripped
objcopy --only-keep-debug stripped stripped.debug
objcopy --strip-debug --add-gnu-debuglink=stripped.debug stripped
check_values ./stripped
rm stripped.debug
trace -x errtags -n 'pid$target:a.out:many:entry { trace(args[0]); }' -c ./stripped
same "$status" 1 "status without debug information"
contains '\[D_ARGS_TYPE\].*args\[0\] has no type: stripped has no debug information: compile it with -g' err
must_trace -n 'pid$target:a.out:many:entry { trace(arg1); }' -c ./stripped # as ever

# -lv lists them; of two functions of one name, if they agree.
trace -lv -n 'pid$target:a.out:many:' -c ./gcc2
contains '^		args\[0\]: item_t \*$'
contains '^		args\[5\]: struct big$'
contains '^		args\[1\]: int$'
trace -lv -n 'pid$target:a.out:main:entry' -c ./gcc2
contains '^		args\[1\]: char \*\*$'
trace -lv -n 'pid$target:a.out:nothing:entry' -c ./gcc2
contains '^		None$'
printf 'static __attribute__((noinline, noipa)) long same(struct { int a; } *p, T n) { asm volatile("" : : "r"(p)); return n; }
__attribute__((noinline)) long NAME(T n) { return same(0, n); }\n' >one.c
printf 'long one(int), two(OTHER); int main(void) { return one(3) + two(4); }\n' >both.c
gcc -g -O1 -DT=int -DNAME=one -c -o one.o one.c && gcc -g -O1 -DT=int -DNAME=two -c -o two.o one.c && gcc -g -O1 -DOTHER=int -o both both.c one.o two.o
must_trace -n 'pid$target:a.out:same:entry { @ = sum(arg1); } pid$target:a.out:one:entry { trace(args[0]); }' -c ./both
gcc -g -O1 -DT=long -DNAME=two -c -o two.o one.c && gcc -g -O1 -DOTHER=long -o both both.c one.o two.o
trace -n 'pid$target:a.out:same:entry { trace(args[1]); }' -c ./both
contains 'has several functions same, whose arguments differ' err

# Structs of one name and size with other members are other types.
cat >one.c <<'C'
struct s { FIELDS };
static __attribute__((noinline, noipa)) int same(struct s *p) { return p->v; }
int NAME(void) { struct s x = { 1, 2 }; return same(&x); }
C
gcc -g -O1 -DNAME=one -D'FIELDS=int v, w;' -c -o one.o one.c && gcc -g -O1 -DNAME=two -D'FIELDS=int w, v;' -c -o two.o one.c &&
	printf 'int one(void), two(void); int main(void) { return one() + two(); }\n' >both.c && gcc -g -O1 -o both both.c one.o two.o || fail "cannot compile"
trace -n 'pid$target:a.out:same:entry { trace(args[0]->v); }' -c ./both
contains 'has several functions same, whose arguments differ' err
