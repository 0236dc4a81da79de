# What: functions that end by jumps return once, with their results: of a program of C, of C++, a static one, a followed one. Needs: uprobe cc.
# Executors: kernel (a return has no place for a jump).
. "$LIB"
cat >tail.c <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
#ifdef __cplusplus
extern "C" {
#endif
static FILE *said; /* what callers get is what dtrace must print */
static int say(const char *name, int result) { fprintf(said, "%s %d\n", name, result); return result; }
static jmp_buf out;
static volatile int jumps_out;

int F f_last(int x) { HIDE(x); return x * 2; }
int F f_other(int x) { HIDE(x); return x + 1000; }
int F f_jumps(int x) { HIDE(x); if (jumps_out) longjmp(out, 1); return x * 3; }
int F f_one(int x) { HIDE(x); return f_last(x + 1); }
int F f_two(int x) { HIDE(x); return f_one(x + 1); }
int F f_several(int x) { HIDE(x); if (x % 3 == 0) return f_last(x); if (x % 3 == 1) return f_other(x); return -x; }
int F f_out(int x) { HIDE(x); return f_jumps(x + 1); }
int F f_deep(int n);
int F f_deeper(int n) { HIDE(n); int r = n ? f_deep(n - 1) + 1 : 0; HIDE(r); return r; }
int F f_deep(int n) { HIDE(n); return f_deeper(n); }
int F f_odd(int n);
int F f_even(int n) { HIDE(n); return n ? f_odd(n - 1) : 1; }
int F f_odd(int n) { HIDE(n); return n ? f_even(n - 1) : 0; }
/* Two conditional jumps out of a function, where they are known, and one into the middle of another. */
int f_when(int x);
int f_middle(int x);
#ifdef __x86_64__
#define WHEN "cmp $5, %edi; je f_last; jl f_other; mov $-1, %eax; ret"
#define WHOLE "mov $1, %edi\nf_inside: lea 7(%rdi), %eax; ret"
#define MIDDLE "add $1, %edi; jmp f_inside"
#else
#define WHEN "cmp w0, #5; b.ne 1f; b f_last; 1: b.ge 2f; b f_other; 2: mov w0, #-1; ret"
__asm__(".globl leaves_if\n.type leaves_if, %function\nleaves_if: cbz w0, f_other; ret\n.size leaves_if, . - leaves_if\n");
#define WHOLE "mov w0, #1\nf_inside: add w0, w0, #7; ret"
#define MIDDLE "add w0, w0, #1; b f_inside"
#endif
#define FUNCTION(name, code) ".globl " name "\n.type " name ", %function\n" name ": " code "\n.size " name ", . - " name "\n"
__asm__(FUNCTION("f_when", WHEN) FUNCTION("f_whole", WHOLE) FUNCTION("f_middle", MIDDLE));

static ucontext_t here, there;
int F f_switches(int x) { HIDE(x); swapcontext(&there, &here); return x + 5; }
int F f_waits(int x) { HIDE(x); return f_switches(x + 1); }
static void coroutine(void) { say("f_waits", f_waits(7)); swapcontext(&there, &here); }
static char stack[65536];
static void *resume(void *arg) { swapcontext(&here, &there); return arg; }

static void *thread(void *arg)
{
	for (int i = 0; i < 500; i++)
		if (f_two(i) != (i + 2) * 2)
			*(int *)arg = 1;
	return NULL;
}

static int threads(void)
{
	pthread_t t[4];
	int wrong = 0;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, &wrong);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < 2000; i++) {
		say("f_two", (i % 500 + 2) * 2);
		say("f_one", (i % 500 + 2) * 2);
	}
	return wrong;
}

static void calls(void)
{
	for (int i = 0; i < 9; i++) {
		say("f_one", f_one(i));
		say("f_one", say("f_two", f_two(i)));
		say("f_several", f_several(i));
		say("f_when", f_when(i));
		say("f_middle", f_middle(i));
		f_last(i);
	}
	for (int i = 0; i < 4; i++) { /* the same call again */
		jumps_out = i < 2;
		if (!setjmp(out))
			say("f_out", f_out(i));
	}
	for (int i = f_deep(300); i >= 0; i--)
		say("f_deep", i);
}

static void moves(void)
{
	pthread_t t;
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	makecontext(&there, coroutine, 0);
	resume(NULL);
	pthread_create(&t, NULL, resume, NULL); /* another thread goes on */
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[2], "loop") == 0)
		return f_even(100001);
	if (argc > 2 && fork()) {
		int status;
		return wait(&status) < 0 || status;
	}
	said = fopen(argv[1], "w");
	calls();
	moves();
	return threads() | fclose(said);
}
#ifdef __cplusplus
}
#endif
C
command -v g++ >/dev/null || skip "no C++ compiler"
cp tail.c tail.cc
gcc -O2 -foptimize-sibling-calls -pthread -o in-c tail.c || fail "cannot compile"
g++ -O2 -pthread -o in-cpp tail.cc || fail "cannot compile as C++"
gcc -O2 -static -pthread -o in-static tail.c || fail "cannot link a static program"
same "$(jump_of in-c f_two)" "<f_one>" "it ends by a jump"

probes='pid$target:a.out:f_one:return, pid$target:a.out:f_two:return, pid$target:a.out:f_several:return, pid$target:a.out:f_out:return,
	pid$target:a.out:f_deep:return, pid$target:a.out:f_when:return, pid$target:a.out:f_middle:return, pid$target:a.out:f_waits:return'
# check FILE WORDS ARGUMENT...
check() {
	file=$1
	words=$2
	shift 2
	must_trace "$@" -x bufsize=16m -n "$probes"' { printf("%s %d\n", probefunc, (int)arg1); }'
	sed '/^$/d' out | sort >got
	sort said >wanted
	cmp -s wanted got || fail "$words: $(diff wanted got | head -n 20)"
}
for file in in-c in-cpp in-static; do
	check "$file" "$file" -x pidret=insn -c "./$file said"
	# with all of their destinations, and by a pattern
	must_trace -x pidret=insn -x bufsize=16m -c "./$file said" -n 'pid$target:a.out:f_*:return /probefunc != "f_last" && probefunc != "f_other" &&
		probefunc != "f_jumps" && probefunc != "f_deeper" && probefunc != "f_switches" && probefunc != "f_whole"/ { printf("%s %d\n", probefunc, (int)arg1); }'
	sed '/^$/d' out | sort >got
	cmp -s wanted got || fail "$file, all: $(diff wanted got | head -n 20)"
done
for file in in-c in-cpp in-static; do
	check "$file" "$file, in a child" -x follow=fork -c "./$file said child"
done

# Flags are not read on aarch64: such a function is refused, with its reason.
if [ "$(uname -m)" = aarch64 ]; then
	trace -c './in-c said' -n 'pid$target:a.out:leaves_if:return { n++; }'
	same "$status" 1 "a conditional jump out of a function"
	contains "'leaves_if': it is left by a jump whose condition is not known" err
fi

# The own return first, then the one that was noted last; arg0 is the jump's offset.
must_trace -x pidret=insn -c './in-c said' -n 'pid$target:a.out:f_last:return,pid$target:a.out:f_one:return,pid$target:a.out:f_two:return /n < 5/
	{ n++; printf("%s %d %d\n", probefunc, arg0 > 0 && arg0 < 100, (int)arg1); }'
same "$(sed '/^$/d' out)" "f_last 1 2
f_one 1 2
f_last 1 4
f_one 1 4
f_two 1 4" "the order"

# A loop of tail calls: each fires; where the next turn comes before the return, without a result.
must_trace -x pidret=insn -c './in-c said loop' -n 'pid$target:a.out:f_even:return,pid$target:a.out:f_odd:return { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }'
same "$(sed '/^$/d' out)" "f_even 50001
f_odd 50001" "a loop"
trace -x pidret=insn -c './in-c said loop' -n 'pid$target:a.out:f_odd:return { @ = sum(1 + arg1); } END { printa("%@d\n", @); }'
same "$(sed '/^$/d' out)" 2 "the last result is known, and that of the last turn before"
contains 'f_odd:return): result unknown: .*(-x pidret=kernel knows it)' err
