# What: programs that switch, move or unwind their stacks compute and end as they do untraced while all of their returns are traced, from
# their start or from a moment at which calls are under way; returns are as many as entries.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >switch.h <<'C'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
#define STACK 65536
static long total;
/* With an argument, the program waits here, some calls deep, for a byte on its standard input. */
static char end;
static F long waits(int deep) { long r = deep ? waits(deep - 1) + 1 : read(0, &end, 1); __asm__ volatile("" : "+r"(r)); return r; }
static F void begin(int argc) { if (argc > 1 && waits(5) != 6) abort(); }
static F void say(void) { printf("total %ld\n", total); fflush(stdout); }
C
cat >ucontext.c <<'C'
#include "switch.h"
#include <ucontext.h>
static ucontext_t ours, theirs;
F long give(long n) { total += n; swapcontext(&theirs, &ours); return total; }
F void producer(void) { for (long i = 1; i < 50; i++) give(i * 3); }
F long take(void) { swapcontext(&ours, &theirs); total *= 3; total %= 1000003; return total; }
int main(int argc, char **argv)
{
	static char stack[STACK];
	begin(argc);
	getcontext(&theirs);
	theirs.uc_stack.ss_sp = stack;
	theirs.uc_stack.ss_size = sizeof(stack);
	theirs.uc_link = &ours; /* producer() returns to what makecontext() put there */
	makecontext(&theirs, producer, 0);
	for (int i = 0; i < 50; i++)
		take();
	say();
}
C
# Three stacks in turn; one of them ends in the middle, inside of calls, and its memory is another's.
cat >byhand.c <<'C'
#include "switch.h"
void stack_switch(void **save, void *to);
__asm__(".globl stack_switch\n.type stack_switch, @function\nstack_switch:\n"
	"push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\nmov %rsp, (%rdi)\nmov %rsi, %rsp\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n.size stack_switch, .-stack_switch\n");
static void *tops[4];
static int now;
F void yield_to(int to) { int from = now; now = to; stack_switch(&tops[from], tops[to]); }
F long work(int me, long n) { total = total * 31 % 1000003 + n; yield_to((me + 1) % 4); return n + 1; }
F long deeper(int me, long n, int deep) { return deep ? deeper(me, n, deep - 1) + 1 : work(me, n); }
F void thread(void) { for (long n = 0;; ) n = deeper(now, n, now); }
static void start(int i, char *stack) { void **top = (void **)(stack + STACK) - 8; memset(top, 0, 64); top[6] = thread; tops[i] = top; }
int main(int argc, char **argv)
{
	static char stacks[3][STACK] __attribute__((aligned(16)));
	begin(argc);
	for (int i = 1; i < 4; i++)
		start(i, stacks[i - 1]);
	for (int i = 0; i < 100; i++) {
		if (i == 50)
			start(2, stacks[1]);
		deeper(0, i, 3);
	}
	say();
}
C
# Handlers on a stack above the thread's and below it, which return, or leave by a jump.
cat >signals.c <<'C'
#include "switch.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
static sigjmp_buf back;
static volatile int jumps;
F long inner(long n) { total = total * 7 % 1000003 + n; return total; }
F long interrupted(long n) { raise(SIGUSR1); return inner(n) + 1; }
static F void handler(int s) { inner(s); inner(1); if (jumps) siglongjmp(back, 1); }
F long tries(int i) { return sigsetjmp(back, 1) ? inner(i) : interrupted(i); }
static void *run(void *stack)
{
	stack_t s = { .ss_sp = stack, .ss_size = STACK };
	sigaltstack(&s, NULL);
	for (int i = 0; i < 40; i++) {
		jumps = i % 3 == 2;
		tries(i);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	begin(argc);
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	sigaction(SIGUSR1, &a, NULL);
	char *memory = mmap(NULL, 16 * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 2; i++) {
		pthread_t t;
		pthread_attr_t attr;
		pthread_attr_init(&attr);
		pthread_attr_setstack(&attr, memory + 4 * STACK, 8 * STACK);
		pthread_create(&t, &attr, run, i ? memory : memory + 14 * STACK);
		pthread_join(t, NULL);
	}
	say();
}
C
# A coroutine begins in one thread and goes on in others.
cat >moves.c <<'C'
#include "switch.h"
#include <pthread.h>
#include <ucontext.h>
static ucontext_t callers, fiber;
F long pause_here(long n) { swapcontext(&fiber, &callers); return n * 2; }
F long nested(long n, int deep) { return deep ? nested(n, deep - 1) + 1 : pause_here(n); }
F void body(void) { for (long i = 0; i < 30; i++) total += nested(i, i % 5); }
F void *resume(void *arg) { swapcontext(&callers, &fiber); return arg; }
int main(int argc, char **argv)
{
	static char stack[STACK];
	begin(argc);
	getcontext(&fiber);
	fiber.uc_stack.ss_sp = stack;
	fiber.uc_stack.ss_size = sizeof(stack);
	fiber.uc_link = &callers;
	makecontext(&fiber, body, 0);
	for (int i = 0; i < 31; i++) {
		pthread_t t;
		pthread_create(&t, NULL, resume, NULL);
		pthread_join(t, NULL);
	}
	say();
}
C
# Threads end inside of calls, by pthread_exit() and by cancellation, with handlers that run then.
cat >exits.c <<'C'
#include "switch.h"
#include <pthread.h>
F void cleanup(void *arg) { total += (long)arg; }
F long leaves(long n) { if (n % 2) pthread_exit((void *)n); for (;;) pause(); return n; }
F long calls(long n) { pthread_cleanup_push(cleanup, (void *)n); leaves(n); pthread_cleanup_pop(0); return n; }
static void *run(void *arg) { return (void *)calls((long)arg); }
int main(int argc, char **argv)
{
	begin(argc);
	for (long i = 0; i < 20; i++) {
		pthread_t t;
		void *result;
		pthread_create(&t, NULL, run, (void *)i);
		if (i % 2 == 0)
			pthread_cancel(t);
		pthread_join(t, &result);
		total = total * 3 % 1000003 + (result == PTHREAD_CANCELED ? 1000 : (long)result);
	}
	say();
}
C
# The code that switches is loaded by a function that is traced already, and switches below it.
cat >loads.c <<'C'
#include "switch.h"
#include <dlfcn.h>
F long callback(long n) { total = total * 5 % 1000003 + n; return total; }
F long loader(int n)
{
	void *library = dlopen("./libfiber.so", RTLD_NOW | RTLD_LOCAL);
	long (*run)(long (*)(long), int) = library ? (long (*)(long (*)(long), int))dlsym(library, "fiber_run") : NULL;
	return run ? run(callback, n) + 1 : -1;
}
F long outer(int n) { return loader(n) * 2; }
int main(int argc, char **argv) { begin(argc); total += outer(40); say(); }
C
cat >fiber.c <<'C'
#include <ucontext.h>
static ucontext_t ours, theirs;
static long (*function)(long);
static long at;
static __attribute__((noinline)) void give(void) { swapcontext(&theirs, &ours); }
static void body(void) { for (;;) { function(at++); give(); } }
long fiber_run(long (*f)(long), int n)
{
	static char stack[65536];
	long sum = 0;
	function = f;
	getcontext(&theirs);
	theirs.uc_stack.ss_sp = stack;
	theirs.uc_stack.ss_size = sizeof(stack);
	makecontext(&theirs, body, 0);
	for (int i = 0; i < n; i++) {
		swapcontext(&ours, &theirs);
		sum += f(i);
	}
	return sum;
}
C
# An exception inside of a coroutine, and one that passes frames of C.
cat >throws.cc <<'C'
extern "C" {
#include "switch.h"
}
#include <ucontext.h>
static ucontext_t ours, theirs;
F long throws(long n) { if (n % 3 == 0) throw n; return n; }
F long passes(long n, int deep) { return deep ? passes(n, deep - 1) + 1 : throws(n); }
F void give() { swapcontext(&theirs, &ours); }
static void body() { for (long i = 0;; i++) { try { total += passes(i, i % 7); } catch (long n) { total = total * 3 % 1000003 + n; } give(); } }
int main(int argc, char **argv)
{
	static char stack[STACK * 4];
	begin(argc);
	getcontext(&theirs);
	theirs.uc_stack.ss_sp = stack;
	theirs.uc_stack.ss_size = sizeof(stack);
	makecontext(&theirs, body, 0);
	for (int i = 0; i < 40; i++) {
		swapcontext(&ours, &theirs);
		try { total += passes(i + 1, 2); } catch (long n) { total += n; }
	}
	say();
}
C

# traced PROGRAM HOW ARGUMENT... - its output is the untraced run's, and its status 0
traced() {
	program=$1 how=$2
	shift 2
	"$@" >out 2>err || fail "status $? of $program $how"
	same "$(grep '^total' out)" "$(cat "$program.wanted")" "what $program says $how"
}

at_once() {
	traced "$1" "under -c $2" "$DTRACE" -q -n "pid\$target:$2::entry, pid\$target:$2::return { @ = count(); }" -c "./$1"
}

# under_way PROGRAM MODULE - dtrace comes when the program is inside of calls
under_way() {
	mkfifo "gate.$1"
	"./$1" wait <"gate.$1" >"said.$1" &
	child=$!
	exec 3>"gate.$1"
	wait_for_program $child "$1"
	background -n "BEGIN { printf(\"ready\n\"); } pid\$target:$2::return { @ = count(); }" -p $child
	until_true 20 grep -q '^ready' out || fail "never ready: $(cat err)"
	echo >&3
	wait $child
	same "$? $(cat "said.$1")" "0 $(cat "$1.wanted")" "status and output of $1 under -p $2"
	exec 3>&-
	wait "$pid" || fail "status of dtrace for $1"
	rm "gate.$1"
}

programs='ucontext signals moves exits loads'
[ "$(uname -m)" != x86_64 ] || programs="$programs byhand"
gcc -O1 -shared -fPIC -o libfiber.so fiber.c || fail "no library"
for program in $programs; do
	gcc -O1 -o "$program" "$program.c" -pthread || fail "no $program"
done
if command -v g++ >/dev/null; then
	programs="$programs throws"
	g++ -O1 -o throws throws.cc || fail "no throws"
fi
for program in $programs; do
	"./$program" >"$program.wanted" || fail "$program alone"
	at_once "$program" a.out
	under_way "$program" a.out
	has_feature uprobe_multi || continue # else each function takes 0.1 s
	at_once "$program" ''
	under_way "$program" libc
done
# Calls that end by returning are counted as often at both ends.
must_trace -n 'pid$target:a.out:take:entry, pid$target:a.out:take:return, pid$target:a.out:give:entry, pid$target:a.out:give:return
	{ @[probefunc, probename] = count(); } END { printa("%s %s %@d\n", @); }' -c ./ucontext
same "$(grep '^[a-z]* [er]' out | sort)" "give entry 49
give return 49
take entry 50
take return 50" "entries and returns of coroutines"
