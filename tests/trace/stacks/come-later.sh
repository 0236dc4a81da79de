# What: where no probe with ustack() is there at the start, stacks of those that come later are whole: of static probes of every process, and of a
# followed program that deletes itself and its C library, and ends at once.  Needs: uprobe cc.  Executors: kernel (every process).
. "$LIB"
all_whole() { # of JSON records
	[ "$(grep -c '"ustack":' out)" = "$(grep -c '"ended":"whole"' out)" ] || fail "a stack is not whole: $(grep '"ustack":' out | grep -v '"ended":"whole"' | head -n 1)"
}

# Without frame pointers. It waits until it is traced, and ends when its stacks were seen: the first ones are copied and walked later.
cat >later.c <<'C'
#include <unistd.h>
#include "notes.h"
SEMAPHORE(mine_semaphore) __attribute__((visibility("hidden")));
__attribute__((noinline)) static void fire(long n)
{
	STATIC_PROBE(PROVIDER, "fired", "mine_semaphore", "8@%0", "nor"(n));
}
int main(void)
{
	for (int i = 0; i < 12000 && !mine_semaphore; i++) usleep(5000);
	for (long i = 0; i < 20; i++) fire(i);
	for (int i = 0; i < 12000 && access("seen", F_OK); i++) usleep(5000);
	return 0;
}
C
name=later$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
gcc -O2 -fomit-frame-pointer -w -DPROVIDER="\"$name\"" -I "$checkout/tests/trace/triggers" -o later later.c || fail "cannot compile"
background -Z -x oformat=json -n 'BEGIN { trace("begun"); } '"$name"':::fired { ustack(); }'
trap 'kill "$pid" 2>/dev/null' EXIT # also when it fails
begun() { grep -qs '"begun"' out; }
until_true 20 begun || fail "tracing has not begun"
./later &
later=$!
trap 'touch seen; kill "$pid" 2>/dev/null' EXIT
stacks() { [ "$(grep -c '"ustack":' out)" = 20 ]; }
until_true 20 stacks || fail "no stacks of 20 static probes"
touch seen
wait "$later"
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
same "$(grep -c '"ustack":' out)" 20 "stacks of static probes"
all_whole

cat >deleted.c <<'C'
#include <unistd.h>
__attribute__((noinline)) int take(int i) { __asm__ volatile("" : "+r"(i)); return i; }
int main(int argc, char **argv) /* [its C library] */
{
	unlink(argv[0]);
	unlink(argv[1]);
	_exit(take(0));
}
C
libc=$(ldd /bin/sh | sed -n 's,.*=> \(/[^ ]*libc\.so\.6\).*,\1,p')
mkdir own
gcc -O2 -fomit-frame-pointer -Wl,-rpath,"$PWD/own" -o program deleted.c || fail "cannot compile"
for _ in 1 2 3 4 5; do
	cp "$libc" own/libc.so.6 && cp program deleted || fail "cannot copy"
	trace -Z -x follow=all -x oformat=json -n 'pid$target:deleted:take:entry { ustack(); }' -c "sh -c './deleted $PWD/own/libc.so.6; :'"
	same "$status" 0 "status"
	# On a busy machine, or an older kernel, it could not wait for its probes, which is reported.
	grep -q 'could not wait\|ended before they were looked at\|executed another program' err && continue
	same "$(grep -c '"ustack":' out)" 1 "stacks of the program"
	all_whole
done
exit 0
