# What: a process that ran only on a CPU that came online while tracing, and has ended, has names in its stacks; so has one that had begun there unseen.  Needs: cc x86_64 two-cpus unshare.
. "$LIB"
# A list of CPUs made by the test: no CPU really comes or goes.
echo 0 >online
cat >late.c <<'C'
#include <unistd.h>
__attribute__((noinline)) void work(void)
{
	for (int i = 0; i < 3; i++)
		getppid();
	__asm__ volatile("");
}
/* A word: waits for a line first */
int main(int argc, char **argv)
{
	char line[8];
	if (argc > 1 && read(0, line, 1) != 1)
		return 1;
	work();
	usleep(200000); /* until its stacks, which are copied, have been walked */
	return 0;
}
C
gcc -O1 -o late late.c || fail "cannot compile"
cat >inside <<'END'
mount --bind online /sys/devices/system/cpu/online || exit 77
exec env --default-signal=INT "$DTRACE" -x statusrate=50ms -x ustackmerge=off -qn 'BEGIN { printf("ready\n"); }
	syscall::getppid:entry /progenyof($1)/ { @[execname, ustack()] = count(); } END { printa("%s %k %@u\n", @); }' "$1"
END
unshare -m true 2>/dev/null || skip "no mount namespaces here"
unshare -m sh inside $$ >out 2>err &
pid=$!
until_true 10 grep -qs ready out || fail "dtrace does not begin: $(cat err)"
mkfifo go
cp late begun
taskset -c 1 ./begun waits <go &
begun=$!
exec 5>go
until_true 10 has_executed "$begun" begun || fail "no process"
echo 0-1 >online
sleep 1 # some rounds that read the list, on a busy machine, too
cp late later
taskset -c 1 ./later
echo >&5
wait "$begun"
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
grep '^ *0x' out && fail "a frame has no name"
contains 'later`work'
contains 'begun`work'
[ -s err ] && fail "something on standard error"
exit 0
