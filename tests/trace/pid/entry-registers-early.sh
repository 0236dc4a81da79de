# What: what a register contained at the entry of a call that was under way when tracing began is not known: the clause does not run, which is
# counted; the same of an argument of an inlined copy is a fault.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >work.c <<'C'
#include <unistd.h>
#define F __attribute__((noinline, noclone, noipa))
static volatile long sink;
F void use(long x) { sink += x; }
static inline __attribute__((always_inline)) long note(long p)
{
	use(9);
	return sink;
}
F long waits(long n)
{
	char c;
	use(1);
	if (read(0, &c, 1) < 0)
		use(2);
	use(3);
	return note(n) + 1;
}
int main(void)
{
	waits(77);
	return waits(78) == 0;
}
C
line() { grep -n "$1" work.c | tail -1 | cut -d: -f1; }
gcc -g -O2 -o work work.c || fail "cannot compile"
mkfifo gate
./work <gate &
child=$!
exec 3>gate
wait_for_program $child work
background -n "BEGIN { printf(\"ready\\n\"); } pid\$target:a.out:work.c@$(line 'use(3)'): { printf(\"%d\\n\", \`n); }
	pid\$target:a.out:note:entry { printf(\"%d!\\n\", arg0); }" -p $child
until_true 20 grep -q '^ready' out || fail "never ready: $(cat err)"
echo 12 >&3
wait $child || fail "status of the program"
wait "$pid" || fail "status of dtrace"
same "$(grep . out)" "ready
78
78!" "one call was seen from its entry"
contains 'note:entry): the argument cannot be read here' err
contains '^dtrace: 2 firings left out, as variables there are what registers contained at the entry of the function' err
