# What: args[] of functions by the sections .BTF and .ctf of files without DWARF: of several compilations, structures by value, bit-fields, unions, enums, results, a library; damaged sections are refused.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
cat >types.h <<'C'
#include <stdio.h>
enum color { RED, GREEN = 5, DARK = -2 };
struct point { int x, y; unsigned flag : 3; signed more : 5; };
union number { int i; long l; };
struct item { const char *name; struct point at; double weight; enum color color; union number n; struct item *next; short list[3]; int (*call)(int); };
typedef struct item item_t;
int greet(item_t *it, const char *greeting, struct point p, _Bool yes, volatile char c);
long other(long n, const struct item *i);
void variadic(const char *f, ...);
struct point made(int x);
int three(void);
C
cat >one.c <<'C'
#include "types.h"
__attribute__((noinline)) int greet(item_t *it, const char *greeting, struct point p, _Bool yes, volatile char c)
{
	__asm__ volatile("" : : "r"(it), "r"(greeting), "r"(p.x), "r"(yes), "r"(c));
	return it->at.x - 10;
}
int main(void)
{
	struct item last = { .name = "last" }, i = { "tea", { 3, -4, 1, -9 }, 2.5, DARK, { .l = 7 }, &last, { 1, 2, 3 }, 0 };
	greet(&i, "hello", i.at, 1, 'c');
	variadic("%d", 8);
	made(21);
	return other(7, &i) == 0 || three() == 0;
}
C
cat >two.c <<'C'
#include "types.h"
struct own { int a, b; };
static __attribute__((noinline)) void hidden(char c, struct own *o) { __asm__ volatile("" : : "r"(c), "r"(o) : "memory"); }
__attribute__((noinline)) void variadic(const char *f, ...) { __asm__ volatile("" : : "r"(f)); }
__attribute__((noinline)) struct point made(int x) { return (struct point) { x, x * 2, 0, 0 }; }
long other(long n, const struct item *i)
{
	struct own o = { 1, 2 };
	hidden('h', &o);
	return n > 3 ? 99 : 0;
}
C
echo 'int three(void); int three(void) { return 3; }' >three.c
# A struct item of its own, and a function that has another one's name.
cat >conflict.c <<'C'
struct item { int first, second; };
int three(void);
static __attribute__((noinline)) int mine(struct item *i) { __asm__ volatile("" : : "r"(i) : "memory"); return i->second; }
static __attribute__((noinline)) int hidden(long n) { __asm__ volatile("" : : "r"(n)); return 1; }
int three(void)
{
	struct item i = { 5, 6 };
	return mine(&i) + hidden(3);
}
C

script='pid$target::greet:entry { print(*args[0]); printf("%s %s %s %d %d %d\n", args[0]->name, stringof(args[1]), args[0]->next->name, args[2].y, args[2].more, args[3]);
	printf("%f %d %d %c\n", args[0]->weight, args[0]->n.l, args[0]->list[2], args[4]); }
	pid$target::greet:return { printf("greet %d\n", args[1]); }
	pid$target::variadic:entry { printf("variadic %s\n", stringof(args[0])); }
	pid$target::made:return { printf("made %d %d\n", args[1].x, args[1].y); }
	pid$target::other:entry { printf("other %d %d\n", args[0], args[1] != NULL); } pid$target::other:return { printf("other %d\n", args[1]); }'
works() { # PROGRAM
	readelf -SW "$1" | grep -q debug_info && fail "$1 has DWARF: the test is wrong"
	must_trace -n "$script" -c "./${2:-$1}"
	for line in 'enum color color = DARK' 'int more :5 = 0x17' 'struct item \*next = 0x' '^tea hello last -4 -9 1$' '^2.500000 7 3 c$' \
		'^greet -7$' '^variadic %d$' '^made 21 42$' '^other 7 1$' '^other 99$'; do
		contains "$line"
	done
	# A cast names the same types, for arguments that have none.
	must_trace -n 'pid$target::greet:entry { this->p = (struct pid`'"$1"'`item *)arg0; printf("\n%s %d %d\n", this->p->name, this->p->at.x, sizeof(struct pid`'"$1"'`item));
		printf("%d\n", ((pid`'"$1"'`item_t *)arg0)->at.y); }' -c "./${2:-$1}"
	contains "^tea 3 72\$"
	contains '^-4$'
	must_trace -lvn 'pid$target::greet:entry' -c "./${2:-$1}"
	contains 'args\[0\]: item_t \*'
	contains 'args\[2\]: struct point'
}

echo 'int main(void) { return 0; }' >empty.c
gcc -gbtf empty.c -o empty 2>/dev/null || skip "this compiler has no -gbtf"
gcc -O1 -gbtf one.c two.c three.c -o btf || fail "-gbtf"
works btf
must_trace -n 'pid$target::hidden:entry { printf("%c %d\n", args.c, args.o->b); }' -c ./btf
contains '^h 2$'
sed 's/int main(void)/int run(void); int run(void)/' one.c >library.c
echo 'int run(void); int main(void) { return run(); }' >run.c
gcc -O1 -gbtf -shared -fPIC library.c two.c three.c -o libboth.so && gcc run.c -L. -lboth -Wl,-rpath,'$ORIGIN' -o run || fail "library"
works libboth.so run

# Each compilation has its own struct item; of two functions of one name that differ neither is chosen.
gcc -O1 -gbtf one.c two.c conflict.c -o conflict || fail "conflict"
works conflict
must_trace -n 'pid$target::mine:entry { printf("mine %d\n", args[0]->second); }' -c ./conflict
contains '^mine 6$'
trace -n 'pid$target:a.out:hidden:entry { printf("%d\n", args[0]); }' -c ./conflict
same "$status" 1 "two functions hidden"
contains 'debug information of conflict describes several functions hidden' err

if gcc -gctf empty.c -o empty 2>/dev/null && ldconfig -p | grep -q 'libctf\(-nobfd\)\{0,1\}\.so\.0'; then
	gcc -O1 -gctf -rdynamic one.c two.c three.c -o ctf || fail "-gctf"
	works ctf
	trace -n 'pid$target::greet:entry { printf("%d\n", args.it->at.x); }' -c ./ctf
	contains 'no parameter is called it' err
	gcc -O1 -gctf -shared -fPIC library.c two.c three.c -o libboth.so || fail "-gctf, library"
	works libboth.so run
fi

# What is damaged is refused, or says less; the program runs as ever.
damaged() { # PROGRAM SECTION
	objcopy -O binary --only-section=$2 --set-section-flags $2=alloc $1 section || fail "objcopy"
	size=$(stat -c %s section)
	for at in 0 2 4 8 12 16 20 24 40 $((size / 2)) $((size - 2)); do
		cp section wrong
		printf '\377\377' | dd of=wrong bs=1 seek=$at conv=notrunc 2>/dev/null
		objcopy --update-section $2=wrong $1 bad 2>/dev/null || fail "objcopy"
		trace -n 'pid$target:a.out:greet:entry { printf("%d\n", args[0]->at.x); }' -c ./bad
		[ "$status" -le 1 ] || fail "status $status of $2, damaged at byte $at"
	done
	head -c 10 section >wrong
	objcopy --update-section $2=wrong $1 bad
	trace -n 'pid$target:a.out:greet:entry { printf("%d\n", args[0]->at.x); }' -c ./bad
	same "$status" 1 "half a header"
	contains 'args\[0\] has no type: ' err
}
damaged btf .BTF
[ ! -e ctf ] || damaged ctf .ctf
exit 0
