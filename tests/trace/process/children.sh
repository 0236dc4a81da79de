# What: children do not fire: of fork(), and of vfork(), clone() and posix_spawn(), which share the memory until they execute a program; the parent's
# calls and those of its other threads are all counted.  Executors: process.  Needs: uprobe cc x86_64.
. "$LIB"
cat >program.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
__attribute__((noipa)) int traced(int n) { char b[64]; return snprintf(b, 64, "%d", n); }
static int child(void *unused) { for (int i = 0; i < 10; i++) traced(1); _exit(0); }
static void *fires(void *unused) { for (int i = 0; i < 100000; i++) traced(2); return 0; }
int main(void)
{
	int status;
	pthread_t t;
	static char stack[65536];
	pthread_create(&t, 0, fires, 0);
	for (int n = 0; n < 200; n++) {
		traced(0);
		pid_t pid = vfork();
		if (!pid) {
			for (int i = 0; i < 10; i++)
				traced(1);
			if (n % 2)
				execl("/bin/true", "true", (char *)0);
			_exit(0);
		}
		waitpid(pid, &status, 0);
		traced(0);
		pid = clone(child, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, 0);
		waitpid(pid, &status, 0);
		traced(0);
		if (!fork()) {
			traced(1);
			_exit(0);
		}
		wait(&status);
		if (n % 20 == 0)
			system("true");
	}
	pthread_join(t, 0);
	return 0;
}
C
gcc -O1 -pthread -o program program.c && gcc -O1 -pthread -static -o static program.c || fail "cannot compile"
for p in program static; do
	must_trace -q -x executor=process -n 'pid$target:a.out:traced:entry { @[arg0] = count(); } END { printa("%d:%@d ", @); }' -c ./$p
	same "$(tr -d '\n' <out)" '0:600 2:100000 ' "calls of $p"
done
# What posix_spawn()'s child does in the C library is the child's: the kernel's counts of the process are the same.
for e in process kernel; do
	"$DTRACE" -x executor=$e -o $e -qn 'pid$target:libc:[cps]*:entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./program 2>err ||
		fail "status of $e"
	grep -E '^(clone|posix_spawn|sigaction|snprintf|system) ' $e | sort >$e.sorted
done
cmp process.sorted kernel.sorted || fail "$(diff process.sorted kernel.sorted)"
grep -q '^posix_spawn 10$' process.sorted || fail "$(cat process.sorted)"
# So with -p.
cat >waits.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noipa)) int traced(int n) { volatile int k = n; return k * 3 + n; }
int main(void)
{
	usleep(1500000);
	for (int n = 0; n < 100; n++) {
		traced(0);
		pid_t pid = vfork();
		if (!pid) {
			traced(1);
			execl("/bin/true", "true", (char *)0);
			_exit(0);
		}
		waitpid(pid, 0, 0);
	}
	return 5;
}
C
gcc -O1 -o waits waits.c || fail "cannot compile"
./waits &
must_trace -q -x executor=process -n 'pid$target:a.out:traced:entry { @[arg0] = count(); } END { printa("%d:%@d ", @); }' -p $!
same "$(tr -d '\n' <out)" '0:100 ' 'calls with -p'
# A thread is no such child: no system call is made after it was begun, which a process that may make none would not survive.
cat >strict.c <<'C'
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noipa)) long traced(long n) { volatile long k = n; return k * 3 + n; }
static void *fires(void *n) { return (void *)traced((long)n); }
int main(void)
{
	pthread_t t;
	traced(0);
	pthread_create(&t, 0, fires, (void *)1);
	pthread_join(t, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	traced(2);
	syscall(SYS_exit, 6);
}
C
gcc -O1 -pthread -o strict strict.c || fail "cannot compile"
trace -x executor=process -n 'pid$target:a.out:traced:entry { @[arg0] = count(); } END { printa("%d:%@d ", @); }' -c ./strict
same "$(tr -d '\n' <out)" '0:1 1:1 2:1 ' "calls with strict seccomp: $(cat err)"
