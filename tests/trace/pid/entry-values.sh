# What: entry(EXPR) at a return is EXPR's value at the entry of the same call: in recursion, threads, coroutines that move, after longjmp() and
# exceptions, at tail calls; a fault in EXPR is the reader's; what was not seen is counted.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >common.h <<'C'
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
#define USED(r) __asm__ volatile("" : "+r"(r))
C
cat >recursion.c <<'C'
#include "common.h"
F long fact(long n) { long r = n > 1 ? fact(n - 1) * n : 1; USED(r); return r; }
F long named(const char *s, long n) { __asm__ volatile("" : : "r"(s) : "memory"); return n - 10; }
struct pair { int a, b; };
F int taken(struct pair *p) { int r = p->a; p->a = p->b = 0; USED(r); return r; }
int main(void)
{
	static struct pair p = { 3, 4 };
	char text[] = "before";
	fact(10);
	named("first", 1);
	named("second", 12);
	named((const char *)8, 2);
	taken(&p);
	return text[0] != 'b';
}
C
gcc -O1 -g -fno-optimize-sibling-calls -o recursion recursion.c || fail "no recursion"
must_trace -x childstatus -c ./recursion -n 'pid$target:a.out:fact:return { printf("%d! %d\n", entry(arg0), arg1); }'
same "$(cat out)" "1! 1
2! 2
3! 6
4! 24
5! 120
6! 720
7! 5040
8! 40320
9! 362880
10! 3628800" "recursion"
# Both have the entry's values: what the predicate calls, typed arguments, memory that the call changes, names, self variables before the entry's clauses.
must_trace -c ./recursion -n 'pid$target:a.out:named:entry { self->n++; }
	pid$target:a.out:named:return /(long)arg1 < 0 && entry(arg1) != 2/ { printf("%s %d %s %d\n", entry(copyinstr(arg0)), (long)arg1, entry(probename), entry(self->n)); }
	pid$target:a.out:named:return /entry(arg1) > 10/ { printf("%s %d\n", entry(copyinstr(arg0)), entry(self->n)); }
	pid$target:a.out:taken:return { printf("%d %d, %d %d\n", entry(args[0]->a), entry(args.p->b), entry(args[0])->a, entry(*args.p).b); }
	pid$target:a.out:main:return { printf("%d\n", timestamp - entry(timestamp) > 0 && entry(vtimestamp) > 0); }'
same "$(cat out)" "first -9 entry 0
second 1
3 4, 0 4
1" "values"
trace -c ./recursion -n 'pid$target:a.out:named:return { trace(1); trace(entry(copyinstr(arg0))); } ERROR { printf("%d %x %s", arg2, arg5, probename); }
	pid$target:a.out:named:return { n++; } END { printf(" %d", n); }'
same "$(tr -d '\n' <out)" "1first1second2 8 ERROR 3" "a fault is the reader's"
contains 'named:return): invalid address (0x8) in action #2' err
same "$(wc -l <err)" 1 "reported once"
# Larger programs: values in more than the frame holds, and a body in parts.
must_trace -c ./recursion -n 'pid$target:a.out:fact:return /entry(arg0) == 10/ { printf("%d %d %d %d %d %d %d %d %d %d %s\n", entry(arg0), entry(arg0 + 1), entry(arg0 + 2),
	entry(arg0 + 3), entry(arg0 + 4), entry(arg0 + 5), entry(arg0 + 6), entry(arg0 + 7), entry(arg0 + 8), entry(arg0 + 9), entry(probefunc)); }'
same "$(cat out)" "10 11 12 13 14 15 16 17 18 19 fact" "eleven values"

# A function that only returns: its entry and its return are one instruction.
cat >nothing.c <<'C'
#include "common.h"
F void nothing(long n) { __asm__ volatile("" : : "r"(n) : "memory"); }
int main(void) { for (long i = 1; i < 6; i++) nothing(i * i); }
C
gcc -O2 -fcf-protection=none -o nothing nothing.c || fail "no nothing"
must_trace -c ./nothing -n 'pid$target:a.out:nothing:return { printf("%d ", entry(arg0)); }'
same "$(cat out)" "1 4 9 16 25 " "one instruction"

cat >threads.c <<'C'
#include "common.h"
F long deep(long n) { long r = n % 100 ? deep(n - 1) + 1 : usleep(100); USED(r); return r; }
static void *run(void *arg) { for (int i = 0; i < 50; i++) deep((long)arg + i % 7); return arg; }
int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, (void *)(1000 * (i + 1)));
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
C
cat >moves.c <<'C'
#include "common.h"
static ucontext_t callers, fiber[2];
static int now;
F long pause_here(long n) { swapcontext(&fiber[now], &callers); return n * 2; }
F long nested(long n, int more) { long r = more ? nested(n, more - 1) + 1 : pause_here(n); USED(r); return r; }
F void body(void) { for (long i = 0; i < 30; i++) nested(i, i % 5); }
F void *resume(void *arg) { now = (long)arg; swapcontext(&callers, &fiber[now]); return arg; }
int main(void)
{
	static char stack[2][65536];
	for (int i = 0; i < 2; i++) {
		getcontext(&fiber[i]);
		fiber[i].uc_stack.ss_sp = stack[i];
		fiber[i].uc_stack.ss_size = sizeof(stack[i]);
		fiber[i].uc_link = &callers;
		makecontext(&fiber[i], body, 0);
	}
	for (long i = 0; i < 62; i++) {
		pthread_t t;
		pthread_create(&t, NULL, resume, (void *)(i % 2));
		pthread_join(t, NULL);
	}
}
C
cat >jumps.c <<'C'
#include "common.h"
static jmp_buf back;
F long inner(long n) { if (n % 3 == 0) longjmp(back, 1); USED(n); return n + 1; }
F long outer(long n) { long r = inner(n) + 1; USED(r); return r; }
int main(void) { for (volatile long i = 1; i < 300; i++) if (!setjmp(back)) outer(i); }
C
cat >throws.cc <<'C'
extern "C" {
#include "common.h"
F long inner(long n);
F long outer(long n);
}
F long inner(long n) { if (n % 3 == 0) throw n; USED(n); return n + 1; }
F long outer(long n) { long r = inner(n) + 1; USED(r); return r; }
int main() { for (long i = 1; i < 300; i++) try { outer(i); } catch (long) { } }
C
cat >tails.c <<'C'
#include "common.h"
F long second(long a, long b) { USED(a); return a * 100 + b; }
F long first(long a, long b) { USED(a); return second(a + 1, b + 1); }
int main(void) { return first(1, 2) + first(5, 6) != 810; }
C
for program in threads moves jumps; do
	gcc -O1 -fno-optimize-sibling-calls -o "$program" "$program.c" -pthread || fail "no $program"
done
gcc -O2 -o tails tails.c || fail "no tails"
# Each result belongs to its argument.
must_trace -c ./threads -n 'pid$target:a.out:deep:return { @n = count(); @bad = sum(entry(arg0) % 100 != arg1); } END { printa("%@d ", @n); printa("%@d\n", @bad); }'
same "$(cat out)" "394 0" "two threads"
must_trace -c ./moves -n 'pid$target:a.out:nested:return { @n = count(); @bad = sum(entry(arg0) * 2 + entry(arg1) != arg1); }
	pid$target:a.out:pause_here:return { @p = count(); @worse = sum(entry(arg0) * 2 != arg1 || entry(tid) == tid); } END { printa("%@d ", @n, @p); printa("%@d %@d\n", @bad, @worse); }'
same "$(cat out)" "180 0 0" "coroutines that go on in other threads"
programs=jumps
if command -v g++ >/dev/null; then
	programs="jumps throws"
	g++ -O1 -fno-optimize-sibling-calls -o throws throws.cc || fail "no throws"
fi
for program in $programs; do
	must_trace -c "./$program" -n 'pid$target:a.out:inner:return, pid$target:a.out:outer:return { @[probefunc] = count(); @bad = sum(entry(arg0) + 1 + (probefunc == "outer") != arg1); }
		END { printa("%s %@d\n", @); printa("%@d\n", @bad); }'
	same "$(cat out)" "inner 200
outer 200
0" "frames that were left: $program"
	same "$(cat err)" "" "$program: all entries were seen"
done
must_trace -x childstatus -c ./tails -n 'pid$target:a.out:first:return, pid$target:a.out:second:return { printf("%s %d %d\n", probefunc, entry(arg0), arg1); }'
same "$(cat out)" "second 2 203
first 1 203
second 6 607
first 5 607" "tail calls"

# A call that is under way when tracing begins.
cat >under.c <<'C'
#include "common.h"
F long waits(long n) { char c; long r = n ? waits(n - 1) + 1 : read(0, &c, 1); USED(r); return r; }
int main(void) { long r = waits(3) + waits(0); return r != 5; }
C
gcc -O1 -fno-optimize-sibling-calls -o under under.c || fail "no under"
mkfifo gate
./under <gate &
child=$!
exec 3>gate
wait_for_program $child under
background -n 'BEGIN { printf("ready\n"); } pid$target:a.out:waits:return /pid == $target/ { printf("%d\n", entry(arg0)); }' -p $child
until_true 20 grep -q '^ready' out || fail "never ready: $(cat err)"
echo 12 >&3
wait $child || fail "status of the program"
wait "$pid" || fail "status of dtrace"
same "$(cat out)" "ready
0" "one call was seen from its entry"
contains '^dtrace: 4 returns left out, as entry() has no value there' err
