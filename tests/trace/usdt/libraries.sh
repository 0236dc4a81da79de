# What: static probes of libraries, also of those loaded later, from their first firing on; of the program executed next.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
cat >library.c <<'C'
#include "notes.h"
SEMAPHORE(semaphore) __attribute__((visibility("hidden")));
__attribute__((noinline)) int loaded_inner(int x) { STATIC_PROBE("late", "inner", "0", "-4@%0", "nor"(x)); return x + 1; }
__attribute__((noinline)) int loaded_f(int x)
{
	if (semaphore)
		STATIC_PROBE("late", "f", "semaphore", "-4@%0", "nor"(x));
	return loaded_inner(x) * 2;
}
__attribute__((constructor)) static void first(void) { loaded_f(1000); }
C
for name in one two three; do
	gcc -O1 -w -shared -fPIC -I "$checkout/tests/trace/triggers" -o "lib$name.so" library.c || fail "cannot compile"
done

trace -n 'late$target:::f { @ = count(); }' -c "$TRIGGERS/loads ./libone.so"
same "$status" 1 "status without -Z"
contains 'no file of process [0-9]* has static probes (-Z waits for libraries that it loads later)' err
trace -ln 'late$target:::f' -c "$TRIGGERS/loads ./libone.so"
contains 'no file of process [0-9]* has static probes (libraries that it loads later are not listed: use -p then)' err
must_trace_arrivals -Z -n 'late$target:::f { @f = count(); } late$target:libone::inner { @v = sum(arg0); }
	END { printa("f %@d\n", @f); printa("v %@d\n", @v); }' -c "$TRIGGERS/loads ./libone.so"
contains '^f 101$'
contains "^v $((99 * 100 / 2 + 1000))\$"
must_trace_arrivals -Z -n 'late$target::: { @[probemod, probename] = count(); } END { printa("%s %s %@d\n", @); }' \
	-c "$TRIGGERS/loads ./libone.so ./libtwo.so ./libone.so ./libthree.so"
for name in one:201 two:101 three:101; do
	contains "^lib${name%:*}.so f ${name#*:}\$"
	contains "^lib${name%:*}.so inner ${name#*:}\$"
done

# A process that runs already.
mkfifo in
"$TRIGGERS/loads" wait ./libone.so ./libtwo.so <in &
target=$!
exec 3>in
wait_for_program $target loads
background -Z -n 'BEGIN { printf("begun\n"); } late$target:lib*::f { @[probemod] = count(); }
	END { printa("%s %@d\n", @); }' -p "$target"
until_true 20 grep -qs begun out || fail "never began"
printf x >&3
exec 3>&-
wait "$pid"
contains '^libone.so 101$'
contains '^libtwo.so 101$'

# Executed: the next program has another one's probes.
must_trace_arrivals -Z -n 'trig$target:::twelve { @ = count(); } END { printa("executed %@d\n", @); }' -c "sh -c 'exec $TRIGGERS/statics 50'"
contains '^executed 50$'
exit 0
