/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reborn again FIRST SECOND - both in turn as processes of the same number (Linux 5.5)
 * reborn then FIRST SECOND  - one process executes both
 * reborn call [NEXT]        - getppid(), a while; then execute NEXT
 *
 * FIRST and SECOND are to be copies of this program, which run without randomized addresses: what
 * they call stands at the same addresses.
 */
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "trigger.h"

/* Longer than dtrace believes that a process is still the one that it was. */
#define A_WHILE_US 1500000

static int call(char *next)
{
	getppid();
	trigger_pause(A_WHILE_US);
	if (next)
		execl(next, next, "call", (char *)NULL);
	return next != NULL;
}

static int execute(char *program, char *next)
{
	personality(ADDR_NO_RANDOMIZE);
	execl(program, program, "call", next, (char *)NULL);
	return 1;
}

/* A new process with the number NUMBER; 0: any. */
static pid_t fork_as(pid_t number)
{
	struct clone_args args = {
		.exit_signal = SIGCHLD,
		.set_tid = number ? (uint64_t)(uintptr_t)&number : 0,
		.set_tid_size = number != 0,
	};
	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

static int again(char **programs)
{
	pid_t number = 0;
	for (int i = 0; i < 2; i++) {
		pid_t child = fork_as(number);
		if (child == 0)
			_exit(execute(programs[i], NULL));
		int status;
		if (waitpid(child, &status, 0) != child || status)
			return 1;
		number = child;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "again"))
		return again(argv + 2);
	if (argc > 3 && !strcmp(argv[1], "then"))
		return execute(argv[2], argv[3]);
	return call(argc > 2 ? argv[2] : NULL);
}
