# What: 40 threads whose signal handlers call the probed function, and threads that come and go: each call is counted once.  Needs: cc.
# Executors: usual (it names them).
. "$LIB"
cat >many.c <<-'END'
	#define _GNU_SOURCE
	#include <pthread.h>
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <time.h>
	#include <unistd.h>

	static __thread volatile unsigned long handled;
	static unsigned long each, calls;

	__attribute__((noinline, noclone)) long called(unsigned long i, unsigned long j)
	{
		__asm__ volatile("" : : "r"(i), "r"(j) : "memory");
		return (long)(i + j);
	}

	static void handler(int signal)
	{
		called(7, 7);
		handled++;
	}

	/* A handler every 100 us of it. */
	static void timer_begin(timer_t *timer)
	{
		struct sigevent e = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
		struct itimerspec every = { { 0, 100000 }, { 0, 100000 } };
		e._sigev_un._tid = gettid();
		if (timer_create(CLOCK_MONOTONIC, &e, timer) || timer_settime(*timer, 0, &every, NULL))
			abort();
	}

	static void *run(void *has_timer)
	{
		timer_t timer;
		sigset_t all;
		if (has_timer)
			timer_begin(&timer);
		for (unsigned long i = 0; i < each; i++)
			called(i, i * 3);
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL);
		if (has_timer)
			timer_delete(timer);
		__atomic_fetch_add(&calls, each + handled, __ATOMIC_RELAXED);
		return NULL;
	}

	/* many ROUNDS THREADS CALLS HANDLERS: calls, and those of handlers among them */
	int main(int argc, char **argv)
	{
		int rounds = atoi(argv[1]), count = atoi(argv[2]), has_timer = atoi(argv[4]);
		struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };
		pthread_t threads[64];
		sigaction(SIGRTMIN, &a, NULL);
		each = strtoul(argv[3], NULL, 0);
		for (int r = 0; r < rounds; r++) {
			for (int i = 0; i < count; i++)
				if (pthread_create(&threads[i], NULL, run, has_timer ? &a : NULL))
					abort();
			for (int i = 0; i < count; i++)
				pthread_join(threads[i], NULL);
		}
		printf("calls %lu of_handlers %lu\n", calls, calls - (unsigned long)rounds * count * each);
		return 0;
	}
END
cc -O1 -pthread -o many many.c || exit 1

# program ARGUMENT... - counts of it in out, what is lost in err
program() {
	timeout 120 "$DTRACE" -x executor=process -q -s many.d -c "./many $*" >out 2>err || fail "status $?"
	calls=$(sed -n 's/^calls \([0-9]*\) .*/\1/p' out)
	lost=$(awk '/drop/ { sum += $2 } END { print sum + 0 }' err)
}
# counted KEY - the sum of the numbers after KEY
counted() {
	awk -v key="$1" '$1 == key { sum += $NF } END { print sum + 0 }' out
}
cat >many.d <<-'END'
	pid$target:a.out:called:entry { @c = count(); @k[arg0 % 32] = count(); @q[arg1 & 3] = quantize(arg0); }
	pid$target:a.out:called:return { @r = count(); }
	END { printa("count %@d\n", @c); printa("key %d %@d\n", @k); printa("return %@d\n", @r); printa(@q); }
END
program 1 40 100000 1
[ "$(sed -n 's/.*of_handlers //p' out)" -gt 0 ] || fail "no handler ran"
same "$(cat err)" "" "nothing is lost"
for what in count key return; do
	same "$(counted $what)" "$calls" "the sum of $what"
done
same "$(awk '/\|/ && $NF ~ /^[0-9]+$/ { sum += $NF } END { print sum }' out)" "$calls" "the sum of quantize()"

# More threads than areas, one after the other, eight at once: the areas of those that ended are used again.
program 600 8 20 0
same "$(($(counted count) + $(counted return) + lost))" "$((2 * calls))" "threads that come and go"

# Records of all of them.
cat >many.d <<-'END'
	#pragma D option bufsize=4m
	pid$target:a.out:called:entry { printf("record %d\n", 1); }
END
program 1 40 5000 1
same "$(($(counted record) + lost))" "$calls" "records"
