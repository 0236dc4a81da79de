# What: dtrace -p with executor=process killed at any step while it enters: the process has the mappings and descriptors that it had before, at once or after the
# next dtrace -p.  Needs: x86_64 cc strace.  Executors: usual (it names them).
. "$LIB"
cat >busy.c <<'C'
#include <signal.h>
#include <stdlib.h>
static volatile int ends;
__attribute__((noinline)) long work(long n) { volatile long k = n; return n * 3 + k; }
static void on_end(int s) { ends = 1; }
int main(void)
{
	signal(SIGTERM, on_end);
	for (long n = 0; !ends; n++) {
		if (work(n) != n * 4)
			abort();
		free(malloc(10));
	}
	return 0;
}
C
cc -w -O1 -o busy busy.c || fail 'the program'
./busy &
target=$!
sleep 0.2
state() {
	cut -d' ' -f1,2 "/proc/$target/maps"
	ls "/proc/$target/fd"
}
is_as_before() {
	state >now
	cmp -s before now
}
clause='pid$target::malloc:entry,pid$target:a.out:work:entry { @ = count(); } tick-10ms { exit(0); }'
trace -x executor=process -n "$clause" -p "$target"
[ "$status" -eq 0 ] || fail "status $status"
state >before
# Each of its requests to the process that holds the target is a send().
for step in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20 21 22 23 24 25 26 27 28 30 32 34 36 38; do
	strace -o calls -e trace=sendto -e inject=sendto:signal=SIGKILL:when=$step \
		"$DTRACE" -qx executor=process -n "$clause" -p "$target" >/dev/null 2>&1
	sleep 0.05
	is_as_before && continue
	trace -x executor=process -n "$clause" -p "$target"
	[ "$status" -eq 0 ] || fail "status $status after a kill at step $step"
	is_as_before || fail "killed at step $step: $(diff before now)"
done
kill -TERM "$target"
wait "$target" || fail "its status: $?"
exit 0
