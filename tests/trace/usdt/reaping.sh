# What: prov::: for a long time: files that nobody maps any more are let go, links, programs and descriptors are bounded; nothing is lost or counted twice by it, nor when a traced file gets another mode or time; -l shows no provider of an ended process.  Needs: uprobe.
# Executors: kernel (every process).
. "$LIB"
# Fires so often once it is traced; a semaphore says so.  Then, with a second argument, until that file is there.
cat >once.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#include "notes.h"
SEMAPHORE(once_semaphore);
__attribute__((noinline)) static void fire(long n) { STATIC_PROBE(PROVIDER, "go", "once_semaphore", "8@%0", "nor"(n)); }
int main(int count, char **values)
{
	for (int i = 0; i < 12000 && !once_semaphore; i++) usleep(5000);
	usleep(10000);
	for (long i = 0; i < atol(values[1]); i++) fire(i);
	for (int i = 0; count > 2 && i < 60000 && access(values[2], F_OK); i++) usleep(5000);
	for (long i = 0; count > 2 && i < 7; i++) fire(i);
	return 0;
}
C
name=reap$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
gcc -O1 -w -DPROVIDER="\"$name\"" -I "$checkout/tests/trace/triggers" -o once once.c || fail "cannot compile"
cp once stays
background -Zn 'BEGIN { printf("begun\n"); } '"$name"':::go { @ = count(); @p[pid] = count(); } END { printa("sum %@d\n", @); printa("of %@d\n", @p); }'
trap 'kill "$pid" 2>/dev/null' EXIT # also when it fails
begun() { grep -qs begun out; }
until_true 20 begun || fail "tracing has not begun"
before=$(ls "/proc/$pid/fd" | wc -l)

# One that stays and gets another mode and another time, while so many others come and go that all is looked at.
./stays 5 ./gate & c=$!
seen() { ls -l "/proc/$pid/fd" 2>/dev/null | grep -q "$1"; }
until_true 20 seen /stays || fail "stays is not traced"
chmod 711 stays
touch stays
most=0
for i in $(seq 150); do
	cp once "once$i"
	"./once$i" 10
	rm "once$i"
	now=$(ls -l "/proc/$pid/fd" 2>/dev/null | grep -c 'once[0-9]* (deleted)')
	[ "$now" -gt "$most" ] && most=$now
done
[ "$most" -gt 0 ] || fail "no file was ever held"
[ "$most" -lt 110 ] || fail "files that are held: $most"
cp stays twin # another file with the probes, for another look at the one that stays
./twin 3
touch gate
wait "$c"
# After some looks only what has a name is there.
few() { [ "$(ls -l "/proc/$pid/fd" 2>/dev/null | grep -c deleted)" = 0 ]; }
until_true 40 few || fail "deleted files are held"
bounded() { [ "$(ls "/proc/$pid/fd" | wc -l)" -le $((before + 24)) ]; }
until_true 20 bounded || fail "descriptors: $before, then $(ls "/proc/$pid/fd" | wc -l)"

# What has a name is still there: the next run is whole.
./stays 9
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
if has_feature uprobe_multi; then
	contains "^sum $((150 * 10 + 5 + 7 + 3 + 9))\$"
	same "$(grep -c '^of 10$' out)" 150 "short-lived processes"
	contains '^of 12$'
else # what was fired before the program was there is missing, and reported; nothing is counted twice
	sum=$(sed -n 's/^sum //p' out)
	[ "$sum" -gt 750 ] && [ "$sum" -le $((150 * 10 + 5 + 7 + 3 + 9)) ] || fail "counted: $sum"
	grep -q "$semaphores_first" err || fail "no report"
fi
none_of_ours err || fail "something on standard error"

# A process that has ended has no provider.
trace -ln "$name*:::"
[ "$(grep -c " go\$" out)" = 0 ] || fail "listed although nobody maps it"
./stays 1 ./never & c=$!
wait_for_program $c stays
must_trace_all -ln "$name$c:::"
contains "$name$c  *stays  *fire go\$"
kill "$c"
wait "$c" 2>/dev/null
trace -ln "$name$c:::"
[ "$(grep -c " go\$" out)" = 0 ] || fail "the ended process $c is listed"
exit 0
