# What: static probes fire in children, whose semaphores are raised while they are traced, and lowered at the end.  Executors: kernel process.  Needs: uprobe cc.
. "$LIB"
cat > probes.c <<'C'
#include "notes.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
SEMAPHORE(semaphore);
static void enabled(int n)
{
	if (semaphore)
		STATIC_PROBE("family", "called", "semaphore", "-4@%0", "nor"(n));
}
int main(void)
{
	for (int i = 0; i < 20; i++) {
		if (fork() == 0) {
			enabled(i);
			_exit(0);
		}
		wait(NULL);
	}
	int before = semaphore, pid = fork();
	if (pid == 0) { /* lives longer than tracing, which ends by exit() */
		enabled(100);
		while (semaphore)
			usleep(1000);
		FILE *f = fopen("after", "w");
		fprintf(f, "%d %d\n", before, semaphore);
		fclose(f);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
C
gcc -O1 -static -I "${LIB%/*}/triggers" -o probes probes.c || fail "cannot compile"
must_trace -x follow=fork -x childkeep -n 'family$target:::called { @[pid == $target, target == $target] = count(); @sum = sum(arg0); }
	family$target:::called /arg0 == 100/ { exit(0); } END { printa("%d %d %@u\n", @); printa("sum %@d\n", @sum); }' -c ./probes
contains '^0 1 21$'
contains "^sum $((190 + 100))\$"
until_true 5 test -s after || fail "the child's semaphore is still raised"
same "$(cat after)" "1 0" "semaphore before and after"
