# What: with target=cgroup and no -c or -p, a process of pid probes is still followed into the program that it executes.
# Needs: uprobe.  Executors: kernel (the process is not one of -c or -p).
. "$LIB"
own_group
# A static program has no dynamic linker that could report it.
cat >static.c <<'C'
#include <unistd.h>
__attribute__((noinline)) int called(int x) { __asm__ volatile(""); return x + 1; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 50; i++) {
		sum += called(i);
		usleep(20000);
	}
	return sum == 0;
}
C
gcc -O1 -static -o static static.c || fail "cannot compile"
mkfifo go
sh within wanted sh -c 'read -r unused <go; exec ./static' &
process=$!
until_true 10 grep -qs "^$process\$" "$group/wanted/cgroup.procs" || fail "no process in the group"
background -Z -x "target=cgroup:$path/wanted" -n "BEGIN { printf(\"ready\\n\"); }
	pid$process:a.out:called:entry { @ = count(); }
	syscall::exit_group:entry /pid == $process/ { exit(0); } END { printa(\"%@u\\n\", @); }"
until_true 10 grep -qs ready out || fail "dtrace does not begin"
echo >go
wait "$process"
wait "$pid"
same "$?" 0 "status"
calls=$(grep -x '[0-9]*' out)
# Where the kernel cannot hold the program before its start, the first calls are lost, and this is reported.
if grep -q ' bpf_task_work_schedule_resume' /proc/kallsyms; then
	same "$calls $(cat err)" "50 " "calls of the program executed"
else
	[ "${calls:-0}" -ge 10 ] && [ "$calls" -le 50 ] || fail "$calls calls of 50"
	contains 'executed another program: what that called before' err
fi
