# What: -p with executor=process: on and off under eight busy threads and signal handlers that call the probed function; dtrace killed; calls counted exactly; a
# process that is stopped stays so; later its memory map is as before.  Needs: x86_64 cc.  Executors: usual (it names them).
. "$LIB"
cat >busy.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static volatile int ends;
static volatile long wanted;
static long calls;
__attribute__((noinline)) long work(long n) { volatile long k = n; return n * 3 + k; }
__attribute__((noinline)) long asked(long n) { volatile long k = n; return n * 3 + k; }
static void on_alarm(int s) { work(s); }
static void on_end(int s) { ends = 1; }
static void on_ask(int s) { wanted += 1000; }
static void *run(void *a)
{
	long n = 0;
	while (!ends && work(n) == n * 4)
		n++;
	__sync_fetch_and_add(&calls, n);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[8];
	struct itimerval often = { { 0, 200 }, { 0, 200 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	sigaction(SIGALRM, &action, NULL);
	signal(SIGTERM, on_end);
	signal(SIGUSR1, on_ask);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (long done = 0; !ends; usleep(1000))
		for (; done < wanted; done++)
			if (asked(done) != done * 4)
				abort();
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	puts("lives");
	return 0;
}
C
cc -O2 -o busy busy.c -lpthread || fail 'the program'
./busy >said &
target=$!
sleep 0.2
lives() {
	kill -0 "$target" 2>err || fail "$1: the process is gone"
}
maps() {
	grep -c 'memfd:dtrace' "/proc/$target/maps"
}
on() {
	trace -x executor=process -n 'pid$target:a.out:work:entry { @ = count(); } pid$target:a.out:work:return { @r = count(); }
		tick-50ms /++n == 2/ { exit(0); } END { printa("%@d %@d\n", @, @r); }' -p "$target"
	[ "$status" -eq 0 ] || fail "status $status"
	lives 'on and off'
	[ ! -s err ] || fail 'messages'
	[ "$(awk '$1 > 1000 && $2 > 1000 { print "fine" }' out)" = fine ] || fail 'few calls'
}
for round in 1 2 3 4 5 6; do
	on
done

# All calls that were asked for, and one signal each.
"$DTRACE" -qx executor=process -n 'BEGIN { printf("begun\n"); } pid$target:a.out:asked:entry { @ = count(); } pid$target:a.out:on_ask:entry { @s = count(); }
	pid$target:a.out:asked:return /++n == 10000/ { exit(0); } END { printa("%@d %@d\n", @, @s); }' -p "$target" >asked 2>err &
tracer=$!
until_true 10 grep -qs begun asked || fail 'it never began'
sleep 0.3
for round in 1 2 3 4 5 6 7 8 9 10; do
	kill -USR1 "$target"
	sleep 0.1
done
wait "$tracer" || fail "status $?"
contains '^10000 10$' asked
[ "$(maps)" = 0 ] || fail 'the memory is still there'

# Killed at any time: the next one takes out what it has left.
for round in 1 2 3 4 5 6 7 8; do
	"$DTRACE" -qx executor=process -n 'pid$target:a.out:work:entry { @ = count(); }' -p "$target" >/dev/null 2>&1 &
	killed=$!
	sleep "0.$((round * 37 % 10))$((round * 7 % 10))"
	kill -KILL "$killed"
	wait "$killed" 2>/dev/null
	lives "killed, round $round"
done
on
[ "$(maps)" = 0 ] || fail 'the memory of killed ones is still there'

# A stopped one.
kill -STOP "$target"
trace -x executor=process -n 'pid$target:a.out:work:entry { @ = count(); } tick-10ms /++n == 2/ { exit(0); }' -p "$target"
[ "$status" -eq 0 ] || fail "status $status of a stopped one"
grep -h '^State' "/proc/$target"/task/*/status | grep -v 'T (stopped)' && fail 'a thread of the stopped process goes on'
kill -CONT "$target"
on
kill -TERM "$target"
wait "$target" || fail "its status: $?"
contains '^lives$' said
exit 0
