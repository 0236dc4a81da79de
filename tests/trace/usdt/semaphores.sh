# What: a semaphore is raised while its probe is traced and lowered at the end, whatever ends dtrace, also in forked children; kill -9 leaves neither it nor
# a breakpoint, a hundred times.  Needs: uprobe python3.  Executors: kernel (jumps of a tracer that was killed stay, and do nothing).
. "$LIB"
TRIGGER_SEEN=$PWD/seen "$TRIGGERS/statics" 1000000 1000 &
target=$!
handles_usr1() {
	[ $((0x$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$target/status") & 0x200)) -ne 0 ]
}
wait_for_program $target statics
until_true 10 handles_usr1 || fail "the target handles no signal"

answers() { wc -l <seen; }
has_answered() { [ "$(answers)" -gt "$before" ]; }
: >seen
# The target's own contents. This runs in subshells, which forget what they count: the answers themselves are counted.
semaphore() {
	before=$(answers)
	kill -USR1 "$target"
	until_true 20 has_answered || fail "no answer"
	tail -n 1 seen
}
is_zero() { [ "$(semaphore)" = 0 ]; }

same "$(semaphore)" 0 "semaphore before"
begin() {
	background -n 'BEGIN { printf("begun\n"); } trig$target:::checked { @ = count(); printf("fired\n"); }
		pid$target:libc.so:getpid:entry, pid$target:libc.so:getpid:return { @f = count(); }' -p "$target"
	until_true 20 grep -qs fired out || fail "never fired"
}

begin
same "$(semaphore)" 1 "semaphore while traced"
text_is_clean "$target" && fail "no breakpoint while traced"
kill -INT "$pid"
wait "$pid"
same "$(semaphore)" 0 "semaphore after the end"

# Killed: the kernel undoes its count, takes its breakpoints away, and the target goes on: it answers. A hundred times, fewer
# where that takes more than a minute.
rounds=0 began=$(date +%s)
while [ $((rounds += 1)) -le 100 ] && { [ "$rounds" -le 20 ] || [ $(($(date +%s) - began)) -le 60 ]; }; do
	begin
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	until_true 5 is_zero || fail "raised after kill -9, round $rounds"
	until_true 10 text_is_clean "$target" || fail "after kill -9, round $rounds: $(cat why)"
done

# Probes without the semaphore leave it alone.
background -n 'BEGIN { printf("begun\n"); } trig$target:::twelve { printf("fired\n"); }' -p "$target"
until_true 20 grep -qs fired out || fail "never fired"
same "$(semaphore)" 0 "semaphore of another probe"
kill -INT "$pid"
wait "$pid"
kill "$target"

# A child forked while its parent is traced continues when tracing ends.
cat >fork.c <<'C'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "notes.h"
SEMAPHORE(forks_semaphore);
static int fire(int n) { if (forks_semaphore) STATIC_PROBE("forks", "fire", "forks_semaphore", "-4@%0", "nor"(n)); return forks_semaphore; }
int main(void)
{
	int end[2], n = 0, raised = 0;
	if (pipe(end)) return 1;
	for (int i = 0; i < 100; i++) n += fire(i);
	if (fork() == 0) {
		char c;
		close(end[1]);
		raised = fire(1000);
		read(end[0], &c, 1);
		for (int i = 0; i < 6000 && fire(2000); i++) usleep(10000);
		printf("child %d, then %d\n", raised, fire(3000));
		return 0;
	}
	for (int i = 0; i < 100; i++) n += fire(i);
	printf("parent %d\n", n);
	fflush(stdout);
	return 0;
}
C
gcc -O1 -w -I "$checkout/tests/trace/triggers" -o fork fork.c || fail "cannot compile"
must_trace -n 'forks$target:::fire { @ = count(); @most = max(arg0); } END { printa("fired %@d\n", @); printa("most %@d\n", @most); }' -c './fork'
contains '^parent 200$'
contains '^fired 200$'
contains '^most 99$'
until_true 20 grep -qs '^child' out || fail "the child hangs"
# Without uprobe_multi the kernel takes a child's probe away when the child meets it.
contains '^child [01], then 0$'
exit 0
