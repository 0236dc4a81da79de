/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost FILE COMMAND... - run the command; its peak resident memory in KiB goes to FILE
 *
 * A process inherits the peak of the one that started it, so this one must be small.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "trigger.h"

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	pid_t pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	int status;
	struct rusage usage;
	if (wait4(pid, &status, 0, &usage) != pid)
		return 1;
	FILE *f = fopen(argv[1], "w");
	if (!f)
		return 1;
	fprintf(f, "%ld\n", usage.ru_maxrss);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
