# What: a return whose function ends by a jump to code that is not followed fires at the jump, and reading its result is a fault. Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >library.c <<'C'
#define F __attribute__((noinline, noclone))
int inner(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
int F by_stub(int x) { __asm__ volatile("" : "+r"(x)); return inner(x * 2); }
static int chosen(int x) { return x + 7; }
static void *choose(void) { return chosen; }
int several(int x) __attribute__((ifunc("choose")));
int F by_ifunc(int x) { __asm__ volatile("" : "+r"(x)); return several(x * 3); }
C
cat >inner.c <<'C'
int inner(int x) { return x + 100; }
C
cat >main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define F __attribute__((noinline, noclone))
int by_stub(int x);
int by_ifunc(int x);
int other(int x) { __asm__ volatile("" : "+r"(x)); return x * 5; }
int (*volatile pointer)(int) = other;
struct two { long a, b; };
struct two (*volatile both)(long);
struct two F pair(long x) { __asm__ volatile("" : "+r"(x)); return (struct two) { x, x + 1 }; }
int F by_library(int x) { __asm__ volatile("" : "+r"(x)); return abs(x) + 0; }
void F by_free(void *p) { __asm__ volatile("" : "+r"(p)); free(p); }
int F by_pointer(int x) { return pointer(x); }
struct two F by_pair(long x) { return both(x); }
int main(void)
{
	both = pair;
	by_free(malloc(1));
	return by_pointer(1) + (int)by_pair(3).b + by_stub(1) + by_ifunc(1) == 0;
}
C
cat >copies.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
static char from[5000], to[5000];
int main(void)
{
	for (size_t n = 0; n < sizeof(to); n = n * 3 / 2 + 1)
		printf("%zd\n", (char *)mempcpy(to, from, n) - to);
	return 0;
}
C
gcc -O2 -g -fPIC -shared -o libstub.so library.c && gcc -O2 -fPIC -shared -o libinner.so inner.c &&
	gcc -O2 -g -o program main.c ./libstub.so && gcc -O2 -g -fno-builtin -o copies copies.c || fail "cannot compile"

# What does not read the result is as ever.
must_trace -x pidret=insn -c ./program -n 'pid$target:a.out:by_free:return,pid$target:a.out:by_pointer:return,pid$target:a.out:by_pair:return
	{ printf("%s %d\n", probefunc, arg0 < 100); }'
same "$(sed '/^$/d' out)" "by_free 1
by_pointer 1
by_pair 1" "without the result"
for result in arg1 'args[1]' 'args[1].b'; do
	trace -x pidret=insn -c ./program -n 'pid$target:a.out:'"$([ "$result" = 'args[1].b' ] && echo by_pair || echo by_pointer)"':return { printf("%d\n", (int)'"$result"'); }'
	same "$(sed '/^$/d' out)" "" "$result is not printed"
	contains 'return): result unknown: the function ends by a jump to code whose return is not traced (-x pidret=kernel knows it)' err
done

trace -lvv -x pidret=insn -n 'pid$target:a.out:by_pointer:return' -c ./program
contains 'Note: the result is unknown where a jump at +[0-9a-f]* leads to code that is not followed' out

# Through the library's stub, as the dynamic linker resolves it.
must_trace -x pidret=insn -c ./program -n 'pid$target:libstub.so:by_stub:return { printf("%d\n", (int)arg1); }'
same "$(sed '/^$/d' out)" 3 "its own function"
export LD_PRELOAD=$PWD/libinner.so
trace -x pidret=insn -c ./program -n 'pid$target:libstub.so:by_stub:return { @ = count(); } pid$target:libstub.so:by_stub:return { printf("%d\n", (int)arg1); }
	END { printa("%@d times\n", @); }'
unset LD_PRELOAD
same "$(sed '/^$/d' out)" "1 times" "a function of another library"
contains 'by_stub:return): result unknown' err

# What an ifunc has chosen is not known.
trace -x pidret=insn -c ./program -n 'pid$target:libstub.so:by_ifunc:return { @ = count(); } pid$target:libstub.so:by_ifunc:return { printf("%d\n", (int)arg1); }
	END { printa("%@d times\n", @); }'
same "$(sed '/^$/d' out)" "1 times" "a stub of an ifunc"
contains 'by_ifunc:return): result unknown' err

# A jump into the middle of another function of the same library.
cat >middle.c <<'C'
#if defined(__x86_64__)
__asm__(".text\n.globl copy, copy_end\n.type copy, @function\n.type copy_end, @function\n"
	"copy:	mov %rdi, %rax\n"
	".Lmiddle: mov %rdx, %rcx\n	rep movsb\n	ret\n.size copy, . - copy\n"
	"copy_end: lea (%rdi, %rdx), %rax\n	jmp .Lmiddle\n.size copy_end, . - copy_end\n");
#elif defined(__aarch64__)
__asm__(".text\n.globl copy, copy_end\n.type copy, %function\n.type copy_end, %function\n"
	"copy:	mov x3, x0\n"
	".Lmiddle: cbz x2, 2f\n1:	ldrb w4, [x1], #1\n	strb w4, [x0], #1\n	subs x2, x2, #1\n	b.ne 1b\n"
	"2:	mov x0, x3\n	ret\n.size copy, . - copy\n"
	"copy_end: add x3, x0, x2\n	b .Lmiddle\n.size copy_end, . - copy_end\n");
#endif
C
gcc -shared -o libmiddle.so middle.c && gcc -O2 -g -Dmempcpy=copy_end -o middles copies.c ./libmiddle.so || fail "cannot compile"
must_trace -o got -x pidret=insn -c ./middles -n 'pid$target:libmiddle.so:copy_end:return { printf("%d\n", arg1 - (uintptr_t)&``to); }'
same "$(sed '/^$/d' got)" "$(./middles)" "the middle of a function"

# So does libc's mempcpy() into its memmove().  printf() calls it, too.  Of some processors' forms a return has no room for the executor in
# the process, which refuses the function by its name.
./copies >wanted
set -- -o got -x pidret=insn -c ./copies -n 'pid$target:libc.so*:mempcpy:return /arg1 - (uintptr_t)&``to <= 5000/ { printf("%d\n", arg1 - (uintptr_t)&``to); }'
trace "$@"
grep -q "failed to create return probe for 'mempcpy': a return at another instruction has no place" err && exit 0
rm -f got
must_trace "$@"
same "$(sed '/^$/d' got)" "$(cat wanted)" "mempcpy()"
