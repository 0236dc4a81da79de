# What: a function's probe and a static probe with a semaphore at one place work together, in one program and in two, whichever comes first.  Needs: uprobe.
# Executors: kernel (two tracers).
. "$LIB"
cat >place.c <<'C'
#include <stdio.h>
#include <unistd.h>
#include "notes.h"
SEMAPHORE(place_semaphore);
/* The site is the function's first instruction. */
long placed(long);
__asm__(".globl placed\n.type placed, @function\nplaced:\n"
	NOTE("sameplace", "here", "place_semaphore", "8@%rdi")
	"mov %rdi, %rax\nret\n.size placed, . - placed\n");
int main(void)
{
	for (long i = 0; i < 100; i++) placed(i);
	for (long i = 0; getenv("WAIT") && i < 60000; i++) { placed(i); usleep(10000); }
	printf("semaphore %d\n", place_semaphore);
	return 0;
}
C
[ "$(uname -m)" = x86_64 ] || sed -i 's/mov %rdi, %rax/nop/; s/%rdi/x0/' place.c
gcc -O1 -w -I "$checkout/tests/trace/triggers" -o place place.c || fail "cannot compile"
static='sameplace$target:::here { @["static"] = count(); }'
entry='pid$target:a.out:placed:entry { @["entry"] = count(); }'
offset='pid$target:a.out:placed:0 { @["offset"] = count(); }'
for program in "$static $entry $offset" "$offset $entry $static"; do
	must_trace -n "$program END { printa(\"%s %@d\\n\", @); }" -c ./place
	for name in static entry offset; do contains "^$name 100\$"; done
	contains '^semaphore 1$'
done

# Two tracers: one is there before the other.
WAIT=1 ./place >/dev/null &
target=$!
trap 'kill "$target"' EXIT
wait_for_program $target place
first() {
	TRIGGER_COUNTS=/dev/null env --default-signal=INT "$DTRACE" -q -n "$1 tick-10ms /++n == 5/ { printf(\"begun\\n\"); }" -p "$target" >first 2>&1 &
	pid=$!
	until_true 20 grep -qs begun first || fail "the first tracer has not begun"
}
for pair in "$entry|$static" "$offset|$static" "$static|$entry"; do
	first "${pair%|*}"
	must_trace -n "${pair#*|} tick-20ms /++n == 10/ { exit(0); } END { printa(\"%s %@d\\n\", @); }" -p "$target"
	contains '^[a-z]* [1-9]'
	kill -INT "$pid"
	wait "$pid"
done
exit 0
