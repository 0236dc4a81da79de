# What: stacks of processes that nobody named and that have ended are printed with names: programs, forked children, processes that were there before; the file may be deleted.  Needs: cc x86_64.
. "$LIB"
cat >ended.c <<'C'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void work(int n)
{
	for (int i = 0; i < n; i++)
		getppid();
	__asm__ volatile("");
}
__attribute__((noinline)) void children(int n)
{
	for (int i = 0; i < n; i++) {
		if (!fork()) {
			work(1);
			_exit(0);
		}
		wait(NULL);
	}
}
/* work|children TIMES; a word more: waits for a line first */
int main(int argc, char **argv)
{
	char line[8];
	if (argc > 3 && read(0, line, 1) != 1)
		return 1;
	(strcmp(argv[1], "work") ? children : work)(atoi(argv[2]));
	usleep(200000); /* until its first stacks, which are copied, have been walked */
	return 0;
}
C
gcc -O1 -o ended ended.c || fail "cannot compile"
mkfifo go
./ended children 20 waits <go & # before the start
before=$!
exec 5>go
background -x ustackmerge=off -n 'BEGIN { printf("ready\n"); } syscall::getppid:entry /progenyof($1)/ { @[ustack()] = count(); }
	END { printa("%k %@u\n", @); }' $$
until_true 10 grep -qs ready out || fail "dtrace does not begin"
echo >&5
wait "$before"
for run in 1 2 3 4 5; do
	cp ended copy
	./copy work 3
	rm -f copy
done
./ended children 30
kill -INT "$pid"
wait "$pid"
same "$?" 0 "status"
grep -q '^ *0x' out && fail "a frame has no name: $(grep -m 3 '^ *0x' out)"
for frame in 'ended`children' 'ended`work' 'ended`main' 'copy`work' 'ended`_start'; do
	contains "$frame" out
done
same "$(grep -c 'copy`_start' out) $(grep -c 'ended`_start' out)" "5 50" "stacks of processes"
[ -s err ] && fail "something on standard error"
exit 0
