# What: clauses in the process go on in programs that it executes, with the same variables and aggregations; calls that fail, children and
# programs that give privileges are left alone.  Executors: process.  Needs: setpriv cc x86_64.
. "$LIB"
cp "$DTRACE" dtrace
chmod 755 . dtrace
cat >program.c <<'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
__attribute__((noipa)) int traced(int n) { char text[64]; return snprintf(text, sizeof(text), "%d", n); }
static void *fires(void *unused) { for (;;) traced(1); return unused; }
static void tick(int number) { traced(2); }
static void how(const char *way, char **next)
{
	int fd = open(next[0], O_RDONLY | O_CLOEXEC), status;
	if (!strcmp(way, "execve"))
		execve(next[0], next, environ);
	if (!strcmp(way, "fexecve"))
		fexecve(fd, next, environ);
	if (!strcmp(way, "execveat"))
		execveat(AT_FDCWD, next[0], next, environ, 0);
	if (!strcmp(way, "raw"))
		__asm__ volatile("syscall" : : "a"(SYS_execve), "D"(next[0]), "S"(next), "d"(environ) : "rcx", "r11", "memory");
	if (!strcmp(way, "number"))
		syscall(SYS_execve, next[0], next, environ);
	if (!strcmp(way, "numberat"))
		syscall(SYS_execveat, AT_FDCWD, next[0], next, environ, 0);
	if (!strcmp(way, "sleep"))
		sleep(1);
	if (!strcmp(way, "fails")) { /* and goes on */
		for (int i = 0; i < 100; i++)
			if (!execl("/nowhere/at-all", "at-all", (char *)0) || errno != ENOENT)
				exit(1);
		for (int i = 0; i < 1000; i++)
			traced(3);
	}
	if (!strcmp(way, "threads")) {
		pthread_t t;
		struct sigaction a = { .sa_handler = tick };
		sigaction(SIGALRM, &a, NULL);
		ualarm(100, 100);
		for (int i = 0; i < 4; i++)
			pthread_create(&t, NULL, fires, NULL);
		usleep(20000);
		ualarm(0, 0); /* it would go on in the next program, which has no handler */
		execv(next[0], next);
	}
	if (!strcmp(way, "children")) {
		pid_t pid;
		for (int i = 0; i < 20; i++) {
			if (posix_spawn(&pid, "/bin/true", NULL, NULL, (char *[]) { "true", NULL }, environ) ||
			    waitpid(pid, &status, 0) != pid || status)
				exit(1);
			if (!vfork())
				execl("/bin/true", "true", (char *)0);
			if (wait(&status) < 0 || status)
				exit(1);
			if (!fork()) {
				traced(4);
				execl("/bin/true", "true", (char *)0);
			}
			if (wait(&status) < 0 || status)
				exit(1);
		}
	}
}
int main(int count, char **words)
{
	for (int i = 0; i < 50; i++)
		traced(0);
	if (count > 1)
		how(words[1], words + 2);
	printf("uid %d\n", (int)geteuid());
	return 0;
}
C
gcc -O1 -pthread -o program program.c && gcc -O1 -pthread -static -o static program.c && cp program other || fail "cannot compile"
calls='pid$target:a.out:traced:entry /arg0 == 0/ { @ = count(); n++; } END { printf("%d ", n); printa("%@d\n", @); }'

# traced WORDS CALLS COMMAND
traced() {
	must_trace -q -x executor=process -Z -n "$calls" -c "$3"
	same "$(sed -n 2p out)" "$2 $2" "$1"
	[ ! -s err ] || fail "$1: something on standard error"
}
for way in execve fexecve execveat number numberat; do
	traced $way 100 "./program $way ./program"
	traced "$way of another file" 150 "./program $way ./other $way ./program"
	traced "$way of a static program" 150 "./program $way ./static $way ./program"
done
traced "through a shell and env" 50 "sh -c 'exec env ./program'"
traced "calls that fail" 50 "./program fails"
traced "children" 50 "./program children"
traced "while threads fire and signals arrive" 150 "./program threads ./other threads ./program"

# What nobody sees before it happens is reported.
trace -q -x executor=process -n "$calls" -c "./program raw /bin/sleep 1"
same "$status" 0 "status of a system call of its own"
contains '^50 50$'
contains 'has executed another program, which is not traced' err
[ "$(id -u)" != 0 ] && exit 0

as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --no-new-privs \
		timeout 60 ./dtrace -q -Z -n "$calls" -c "$1" >out 2>err || fail "status as nobody of $1"
}
as_nobody "sh -c 'exec ./program execve ./static'"
contains '^100 100$'
# Another user's process: only its start is ours.
traced "another user" 150 "./program execve $(command -v setpriv) --reuid=65534 --clear-groups ./program execve ./other"
# Its privileges are those without dtrace.
cp program privileged && chmod 4755 privileged
echo "#!$(pwd)/privileged" >script && chmod 755 script
ln -s /proc/self/fd/9 nine
for file in ./privileged ./script ./nine; do
	setpriv --reuid=65534 --regid=65534 --clear-groups timeout 60 ./dtrace -q -n "$calls" -c "./program execve $file sleep" \
		>out 2>err 9<privileged || fail "status of a program that gives privileges: $file"
	contains '^uid 0$'
	contains '^50 50$'
	contains 'executes a program that may give it privileges, .* not traced' err
done
contains 'has executed another program, which is not traced' err
