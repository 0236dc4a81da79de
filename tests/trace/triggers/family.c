/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * family WORD ... - processes that fork, execute programs and call functions
 *
 *   call N         call work() N times
 *   forks N        N children by fork and N by vfork, one after the other; each calls work() 10
 * times storm N        N children at once that do this run N PROGRAM  execute PROGRAM (a path) in N
 * children, one after the other; each calls before() first child          the rest of the words is
 * done by a child, at the same time daemon MS      the rest is done by a child, MS milliseconds
 * after its parent has ended wait           for all children; so at the end, too busy call work()
 * once in a millisecond until a byte comes on standard input, or its end pid            print the
 * process number
 *
 * It is linked statically, so that no probe is in a file that others run.
 */
#include "trigger.h"

#include <poll.h>
#include <sys/wait.h>

PROBED int work(int n)
{
	return n + 1;
}

PROBED int before(int n)
{
	return n + 2;
}

static void call(int n)
{
	for (int i = 0; i < n; i++)
		work(i);
}

static _Noreturn void child_calls(void)
{
	call(10);
	_exit(0);
}

static void wait_for_all(void)
{
	while (wait(NULL) > 0)
		;
}

static void forks(int n)
{
	for (int i = 0; i < n; i++) {
		if (fork() == 0)
			child_calls();
		wait_for_all();
		if (vfork() == 0)
			child_calls();
		wait_for_all();
	}
}

static void storm(int n)
{
	for (int i = 0; i < n; i++)
		if (fork() == 0)
			child_calls();
	wait_for_all();
}

static void run(int n, const char *program)
{
	for (int i = 0; i < n; i++) {
		if (fork() == 0) {
			before(i);
			execl(program, program, NULL);
			_exit(1);
		}
		wait_for_all();
	}
}

static void daemonize(int ms)
{
	int parent = getpid();
	if (fork())
		_exit(0);
	while (getppid() == parent)
		usleep(1000);
	usleep((useconds_t)ms * 1000);
}

static void busy(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	while (poll(&input, 1, 1) == 0)
		work(0);
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		int n = i + 1 < argc ? atoi(argv[i + 1]) : 0;
		if (!strcmp(word, "call"))
			call(n), i++;
		else if (!strcmp(word, "forks"))
			forks(n), i++;
		else if (!strcmp(word, "storm"))
			storm(n), i++;
		else if (!strcmp(word, "run") && i + 2 < argc)
			run(n, argv[i + 2]), i += 2;
		else if (!strcmp(word, "daemon"))
			daemonize(n), i++;
		else if (!strcmp(word, "child") && fork())
			break;
		else if (!strcmp(word, "wait"))
			wait_for_all();
		else if (!strcmp(word, "busy"))
			busy();
		else if (!strcmp(word, "pid"))
			printf("%d\n", getpid());
	}
	wait_for_all();
	return 0;
}
