# What: -x follow=all: static probes of programs that children of -c execute are all traced in the very first run, however short: through sh, and through a program that starts them itself.  Needs: uprobe cc.
. "$LIB"
grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms || skip "this kernel cannot hold a program before its first instruction"
cat >short.c <<'C'
#include "notes.h"
__attribute__((noinline)) static void go(long n) { STATIC_PROBE(PROVIDER, "go", "0", "8@%0", "nor"(n)); }
__attribute__((constructor)) static void first(void) { go(0); }
int main(void) { for (long i = 1; i < 10; i++) go(i); return 0; }
C
cat >starts.c <<'C'
#include <stdlib.h>
int main(int count, char **values) { for (int i = 1; i < count; i++) system(values[i]); return 0; }
C
name=first$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
gcc -O1 -w -DPROVIDER="\"$name\"" -I "$checkout/tests/trace/triggers" -o short short.c && gcc -O1 -w -o starts starts.c || fail "cannot compile"
for command in "sh -c './short1; ./short2 & wait; ./short3; :'" './starts ./short1 ./short2 ./short3'; do
	for i in 1 2 3; do
		rm -f "short$i"
		cp short "short$i" # a file that nobody has seen
	done
	must_trace -x follow=all -Zn "$name\$target:::go { @[execname, arg0] = count(); } END { printa(\"%s %d %@d\\n\", @); }" -c "$command"
	for i in 1 2 3; do
		for n in 0 1 2 3 4 5 6 7 8 9; do
			contains "^short$i $n 1\$"
		done
	done
	same "$(grep -c . out)" 30 "firings of $command"
done
exit 0
