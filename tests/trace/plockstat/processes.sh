# What: plockstat's probes are of the processes that are named: several of -c, one of -p, children with -x follow, never those of others; threads that are cancelled go on.  Needs: uprobe btf cc.
# Executors: kernel (it needs system calls of locks).
. "$LIB"
cat >test.d <<'E2'
plockstat$target:::mutex-block { @["block"] = count(); }
plockstat$target:::rw-block { @["rw-block"] = count(); }
plockstat$target:::mutex-acquire /args[1]/ { @["recursive"] = count(); }
plockstat$target:::mutex-error /args[1] == 35/ { @["error"] = count(); }
E2
counts_are() {
	same "$(value_of block) $(value_of rw-block) $(value_of recursive) $(value_of error)" "$1" "$2"
}
# Another process does the same all the time.
"$TRIGGERS/locks" 100000 &
other=$!
trap 'kill $other' EXIT
must_trace -s test.d -c "$TRIGGERS/locks 2" -c "$TRIGGERS/locks 3"
counts_are "15 10 5 5" "two processes"
# Children, all of them static: others that run the files of followed processes would meet the probes, too.
cat >parent.c <<'C'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	pthread_mutex_trylock(&m);
	pthread_mutex_unlock(&m);
	pthread_rwlock_rdlock(&l);
	pthread_rwlock_unlock(&l);
	pthread_rwlock_wrlock(&l);
	pthread_cond_signal(&c);
	for (int i = 0; i < 2; i++)
		if (fork() == 0)
			execl("./locks", "locks", "2", NULL);
	while (wait(NULL) > 0)
		;
	return 0;
}
C
${CC:-cc} -O2 -static -o parent parent.c -pthread || fail "no static program"
${CC:-cc} -O2 -static -D_GNU_SOURCE -I"$checkout/tests/trace/triggers" -o locks "$checkout/tests/trace/triggers/locks.c" -pthread || fail "no static program"
trace -xfollow=all -s test.d -c ./parent
same "$status" 0 "status"
# Older kernels do not hold a static program: what is missing is reported.
grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms || told=$(grep 'executed another program\|ended before they were looked at' err)
[ "${told-}" ] || counts_are "12 8 4 4" "children"
TRIGGER_GATE=$PWD/gate "$TRIGGERS/locks" 4 &
waits=$!
wait_for_program $waits locks
background -s test.d -n 'BEGIN { system("touch gate"); }' -w -p $waits
wait $pid || fail "status $?"
counts_are "12 8 4 4" "a process that ran"
# Its first cancellation loads libgcc_s, which unwinds the stack: returns are traced in another way from then on.
cat >cancels.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;
static void unlock(void *arg)
{
	pthread_mutex_unlock(&m);
}
static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, NULL);
	waits = 1;
	for (;;)
		pthread_cond_wait(&c, &m);
	pthread_cleanup_pop(1);
	return NULL;
}
static int has_begun(void)
{
	pthread_mutex_lock(&m);
	int ret = waits;
	pthread_mutex_unlock(&m);
	return ret;
}
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 3; i++, waits = 0) {
		pthread_create(&t, NULL, wait, NULL);
		while (!has_begun())
			usleep(1000);
		pthread_cancel(t);
		pthread_join(t, NULL);
	}
	for (int i = 0; i < 10; i++) {
		static pthread_mutex_t last = PTHREAD_MUTEX_INITIALIZER;
		pthread_mutex_lock(&last);
		pthread_mutex_unlock(&last);
	}
	puts("whole");
	return 0;
}
C
${CC:-cc} -O2 -o cancels cancels.c -pthread || fail "no program"
trace -n 'plockstat$target:::mutex-acquire { @[arg0] = count(); }' -c ./cancels
same "$status" 0 "status"
contains whole
contains ' 10$'
if grep "return by a jump" err; then fail "returns by a jump are followed"; fi
