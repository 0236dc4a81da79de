# What: prov::: reports each process that ended before the probes of its new file were in place; the next run of the file, and a program that waits, are whole. Needs: uprobe.
# Executors: kernel (every process).
. "$LIB"
# Fires so often; with a second argument once it is traced, which a semaphore says.
cat >brief.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#include "notes.h"
SEMAPHORE(brief_semaphore);
__attribute__((noinline)) static void fire(long n) { STATIC_PROBE(PROVIDER, "go", "brief_semaphore", "8@%0", "nor"(n)); }
int main(int count, char **values)
{
	for (int i = 0; count > 2 && i < 12000 && !brief_semaphore; i++) usleep(5000);
	usleep(10000); /* before Linux 6.6 the semaphore is up a moment before the program is there */
	for (long i = 0; i < atol(values[1]); i++) fire(i);
	return 0;
}
C
name=brief$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
gcc -O1 -w -DPROVIDER="\"$name\"" -I "$checkout/tests/trace/triggers" -o one brief.c || fail "cannot compile"
cp one two
cp one three
for i in 1 2 3 4 5; do cp one "more$i"; done
background -Zn 'BEGIN { printf("begun\n"); } '"$name"':::go { @ = count(); } '"$name"':::go /arg0 == 0/ { @runs = count(); }
	END { printa("fired %@d\n", @); printa("runs %@d\n", @runs); }'
trap 'kill -CONT "$pid"; kill "$pid"' EXIT # also when it fails
until_true 20 grep -qs begun out || fail "tracing has not begun"
# It cannot look at them before they have ended.
kill -STOP "$pid"
./one 100
./one 100
./two 100
for i in 1 2 3 4 5; do "./more$i" 100; done
kill -CONT "$pid"
./one 3 later # its probes come before those of the others: it ends before these have theirs
./two 4 later
./three 5 later
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
trap - EXIT
contains '^fired 12$'
contains '^runs 3$'
grep -v 'ended before' err >more
none_of_ours more || fail "more on standard error"
same "$(grep 'ended before' err)" "dtrace: 8 processes ended before the probes of files first mapped by them were in place: what they fired is not traced" messages
