# What: follow=fork with executor=process: children that live longer than tracing get their instructions back; those of -p fire, too; more at once than there is
# room for, and those in another PID namespace, are reported; what is not followed is refused by name.  Executors: process.  Needs: uprobe cc x86_64 unshare.
. "$LIB"
cat >program.c <<'C'
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) int traced(int n) { char b[64]; return snprintf(b, 64, "%d", n); }
static int has(const char *what)
{
	char line[512];
	int has = 0;
	FILE *f = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), f))
		has |= strstr(line, what) != NULL;
	fclose(f);
	return has;
}
int main(int argc, char **argv)
{
	unsigned char before[16], after[16];
	int n = argc > 2 ? atoi(argv[2]) : 0;
	if (!strcmp(argv[1], "lives")) { /* longer than tracing */
		if (fork())
			return 0;
		traced(1);
		memcpy(before, (char *)traced, 16);
		while (has("memfd:dtrace"))
			usleep(1000);
		memcpy(after, (char *)traced, 16);
		FILE *f = fopen("lived", "w");
		fprintf(f, "%d %d\n", memcmp(before, after, 16) != 0, traced(2));
		fclose(f);
	} else if (!strcmp(argv[1], "many")) {
		int gate[2];
		char c;
		pipe(gate);
		for (int i = 0; i < n; i++)
			if (!fork()) {
				close(gate[1]);
				traced(1);
				read(gate[0], &c, 1);
				_exit(0);
			}
		sleep(1);
		close(gate[1]);
		while (wait(NULL) > 0) {}
	} else if (!strcmp(argv[1], "namespace")) {
		if (unshare(CLONE_NEWPID))
			return 1;
		for (int i = 0; i < n; i++) {
			if (!fork()) {
				traced(1);
				_exit(0);
			}
			wait(NULL);
		}
		traced(0);
	} else { /* until its input ends */
		char c;
		while (read(0, &c, 1) == 1) {
			if (!fork()) {
				for (int i = 0; i < 10; i++)
					traced(1);
				_exit(0);
			}
			wait(NULL);
			traced(c == 'e' ? 2 : 0);
			write(1, &c, 1);
		}
	}
	return 0;
}
C
gcc -O1 -o program program.c || fail "cannot compile"
count='pid$target:a.out:traced:entry { @[arg0] = count(); } END { printa("%d:%@d ", @); printf("\n"); }'
must_trace -q -x executor=process -x follow=fork -n "$count"' pid$target:a.out:traced:entry /arg0 == 1/ { exit(0); }' -c "./program lives"
until_true 5 test -s lived || fail "the child still has the memory"
same "$(cat lived)" "1 1" "the child's instructions changed, and it goes on"

trace -q -x executor=process -x follow=fork -n "$count" -c "./program many 300"
same "$status" 0 "status of many"
fired=$(sed -n 's/^1:\([0-9]*\).*/\1/p' out) dropped=$(sed -n 's/^dtrace: \([0-9]*\) firings* dropped: more threads than areas$/\1/p' err)
same $((fired + dropped)) 300 "firings and drops"
[ "$fired" -ge 250 ] || fail "$fired children had an area"

trace -q -x executor=process -x follow=fork -n "$count" -c "./program namespace 1"
same "$(grep . out)" "0:1 " "calls with a child in another PID namespace"
contains '1 child of process [0-9]* is in another PID namespace, and not traced (-x executor=kernel can)' err

# -p: children that it makes from now on.
mkfifo in out_of
./program loop <in >out_of &
pid=$!
exec 4>in 5<out_of
"$DTRACE" -x executor=process -x follow=fork -qo traced.out -n "BEGIN { printf(\"ready\n\"); } $count"' pid$target:a.out:traced:entry /arg0 == 2/ { exit(0); }' -p $pid 2>err &
tracer=$!
until_true 10 grep -qs ready traced.out || fail "no tracing"
for i in x x x x e; do printf $i >&4; head -c 1 <&5 >/dev/null; done
wait $tracer || fail "status with -p"
same "$(grep : traced.out)" "2:1 0:4 1:50 " "calls of -p"
printf x >&4
head -c 1 <&5 >/dev/null || fail "the process is gone"
grep -q memfd:dtrace /proc/$pid/maps && fail "the memory is still mapped"
exec 4>&- 5<&-
wait $pid

for word in exec all tree private; do
	trace -q -x executor=process -x follow=$word -n "$count" -c "./program many 1"
	same "$status" 1 "status with follow=$word"
	contains 'executor=process follows children until they execute a program (follow=fork), and not yet otherwise: use executor=kernel' err
done
trace -q -x executor=process -x follow=fork -x bufpolicy=ring -n "$count" -c "./program many 1"
same "$status" 1 "status with a flight recorder"
contains 'executor=process has no flight recorder of children (bufpolicy=ring): use executor=kernel' err
