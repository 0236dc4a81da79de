# What: a program that another thread than the first executes is probed again after probes of files that nobody maps any more were let go.
# Needs: uprobe.  Executors: kernel (every process).
. "$LIB"
cat >once.c <<'C'
#include <unistd.h>
#include "notes.h"
SEMAPHORE(once_semaphore);
int main(void)
{
	for (int i = 0; i < 12000 && !once_semaphore; i++) usleep(5000);
	STATIC_PROBE(PROVIDER, "go", "once_semaphore", "8@%0", "nor"(1L));
	return 0;
}
C
cat >thread.c <<'C'
#include <pthread.h>
#include <unistd.h>
static char **next;
static void *other(void *unused) { execv(next[0], next); return unused; }
__attribute__((noinline)) int thread_f(int x) { __asm__ volatile(""); return x + 1; }
int main(int argc, char **argv)
{
	pthread_t t;
	int sum = 0;
	next = argv + 1;
	for (int i = 0; argc > 1 && i < 12000 && access("gate", F_OK); i++) usleep(5000);
	if (argc > 1) {
		pthread_create(&t, 0, other, 0);
		pthread_join(t, 0);
	}
	sleep(2);
	for (int i = 0; i < 50; i++) sum += thread_f(i);
	return sum == 0;
}
C
name=reap$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
gcc -O1 -w -DPROVIDER="\"$name\"" -I "$checkout/tests/trace/triggers" -o once once.c &&
	gcc -O1 -o thread thread.c -lpthread || fail "cannot compile"
background -Zn 'BEGIN { printf("begun\n"); } '"$name"':::go { @ = count(); } pid$target:thread:thread_f:entry { @f = count(); }
	END { printa("fired %@d\n", @); printa("called %@d\n", @f); }' -c './thread ./thread'
trap 'kill "$pid" 2>/dev/null' EXIT # also when it fails
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
./once
held() { ls -l "/proc/$pid/fd" 2>/dev/null | grep -q 'once (deleted)'; }
let_go() { ! held; }
rm once
held || fail "the file is not held"
until_true 20 let_go || fail "the deleted file is held" # after the next look at all processes
touch gate
wait "$pid"
same "$?" 0 "status"
contains '^fired 1$'
contains '^called 50$'
gaps=1
grep -q ' bpf_task_work_schedule_resume' /proc/kallsyms && gaps=0 # the program waits
same "$(grep -c 'executed another program: what that called before' err)" $gaps "gaps that are told"
