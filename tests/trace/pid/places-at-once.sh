# What: many functions of a process are one event of tracefs where the kernel has no uprobe_multi: each fires as itself, the event goes with
# dtrace, or, after kill -9, when the next one makes an event; another dtrace's stays.  Needs: uprobe cc.
# Executors: kernel (it is the kernel's way to attach).
. "$LIB"
has_feature uprobe_multi && skip "this kernel has uprobe_multi (Linux 6.6)"
events=/sys/kernel/tracing/events/dtrace_places
[ -w "${events%/events/*}/uprobe_events" ] || skip "no events of uprobes in tracefs"
# Events of a dtrace that is not this test's may be there, too.
listed() {
	ls "$events" 2>/dev/null | grep '^p[0-9]' | sort
}
for i in 0 1 2 3 4 5 6 7 8 9; do
	echo "__attribute__((noinline)) int f$i(int x) { __asm__ volatile(\"\" : \"+r\"(x)); return x + $i; }"
done >many.c
cat >>many.c <<'C2'
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++)
		f2(f7(f9(i)));
	while (argc > 1)
		usleep(10000);
	return 0;
}
C2
gcc -O1 -o many many.c || fail "cannot compile"
listed >before

# Entries and exits are themselves; nothing stays.
must_trace -c ./many -n 'pid$target:a.out:f?:entry { @[probefunc, arg0] = count(); }
	pid$target:a.out:f?:return { @r[probefunc, arg1] = count(); }
	END { printa("%s %d %@d\n", @); printa("%s = %d %@d\n", @r); }'
cat >wanted <<'T'
f2 = 18 1
f2 = 19 1
f2 = 20 1
f2 16 1
f2 17 1
f2 18 1
f7 = 16 1
f7 = 17 1
f7 = 18 1
f7 9 1
f7 10 1
f7 11 1
f9 = 9 1
f9 = 10 1
f9 = 11 1
f9 0 1
f9 1 1
f9 2 1
T
LC_ALL=C sort wanted >wanted.sorted
grep . out | LC_ALL=C sort | diff wanted.sorted - >difference || fail "$(cat difference)"
listed | diff before - >difference || fail "an event stays: $(cat difference)"

# One is killed, another one traces on; a third one removes what the first one has left, alone.
endless='pid$target:a.out:f?:entry { @ = count(); } tick-100ms { printf("on\n"); }'
"$DTRACE" -qn "$endless" -c './many on' -o killed 2>&1 &
first=$!
until_true 60 grep -qs on killed || fail "the first one never started"
listed | comm -13 before - >of_first
same "$(wc -l <of_first)" 1 "events of the first one"
background -o other -n "$endless" -c './many on'
until_true 60 grep -qs on other || fail "the second one never started"
kill -9 "$first"
wait "$first"
listed | comm -12 of_first - | grep -q . || fail "the first one's event has gone by itself"
must_trace -c ./many -n 'pid$target:a.out:f?:entry { @ = count(); }'
listed | comm -12 of_first - | grep . && fail "the first one's event stays"
listed | comm -13 before - >of_second
same "$(wc -l <of_second)" 1 "events of the second one"
until_true 60 interrupted || fail "the second one does not end"
listed | comm -12 of_second - | grep . && fail "the second one's event stays"
exit 0
