# What: probes created at run time by threads that fire while another one hides and shows them, and by forked children: every firing that the library counts is seen, nothing crashes.  Needs: uprobe.
# Executors: kernel (probes that the process creates).
. "$LIB"

cat >threads.c <<'C'
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "dtrace-usdt.h"
static struct dtusdt_probe *probe;
static volatile bool is_over;
static long traced;
static void *fire(void *arg)
{
	long n = 0;
	(void)arg;
	for (int i = 1; !is_over; i++) {
		n += dtusdt_fire(probe, 1, "text");
		if (i % 16 == 0) sched_yield(); /* there may be one CPU, and dtrace needs it */
	}
	__atomic_fetch_add(&traced, n, __ATOMIC_RELAXED);
	return NULL;
}
int main(int count, char **values)
{
	pthread_t threads[3];
	struct dtusdt_provider *p = dtusdt_provider("hiding");
	probe = dtusdt_probe(p, "a", "int, char *");
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, fire, NULL);
	for (int round = 0; round < atoi(values[count - 1]); round++) {
		char name[16];
		if (round % 10 == 9) { /* another file */
			snprintf(name, sizeof name, "more%d", round);
			dtusdt_probe(p, name, "");
		}
		if (dtusdt_enable(p) < 0) { puts(dtusdt_error()); return 1; }
		usleep(2000);
		if (dtusdt_disable(p) < 0) { puts(dtusdt_error()); return 1; }
	}
	is_over = true;
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	dtusdt_free(p);
	printf("traced %ld\n", traced);
	return 0;
}
C
build_usdt gcc threads threads.c
must_trace_arrivals -Zn 'hiding$target:::a { @ = sum(arg0); } END { printa("seen %@d\n", @); }' -c './threads 30'
traced=$(value_of traced)
[ "$traced" -gt 100 ] || fail "only $traced firings"
same "$(value_of seen)" "$traced" "firings that were seen"

# Children have the probes; hiding them in one does not hide them in the others.
cat >forks.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "dtrace-usdt.h"
int main(void)
{
	struct dtusdt_provider *p = dtusdt_provider("forking");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "int");
	int traced = 0;
	if (!a || dtusdt_enable(p) < 0) return 1;
	for (int child = 0; child < 5; child++)
		if (fork() == 0) {
			int n = 0;
			for (int i = 0; i < 100; i++) n += dtusdt_fire(a, 1);
			if (dtusdt_disable(p) < 0 || dtusdt_fire(a, 1)) return 1;
			if (dtusdt_enable(p) < 0) return 1;
			for (int i = 0; i < 100; i++) n += dtusdt_fire(a, 1);
			return n == 200 ? 0 : 2;
		}
	for (int i = 0; i < 100; i++) traced += dtusdt_fire(a, 1000);
	for (int status, bad = 0; wait(&status) > 0 || (printf("parent %d, bad children %d\n", traced, bad), 0);)
		bad += status != 0;
	return 0;
}
C
build_usdt gcc forks forks.c
must_trace_arrivals -Zn 'forking:::a { @[pid == $target] = count(); @s = sum(arg0); } END { printa("%d %@d\n", @); printa("sum %@d\n", @s); }' -c ./forks
contains '^parent 100, bad children 0$'
contains '^0 1000$'
contains '^1 100$'
contains '^sum 101000$'

# The parent's probes alone, when only it is traced.
must_trace_arrivals -Zn 'forking$target:::a { @ = sum(arg0); } END { printa("sum %@d\n", @); }' -c ./forks
contains '^sum 100000$'
contains '^parent 100'
exit 0
