/* SPDX-License-Identifier: BSD-2-Clause */
/* program - other programs that we start for an action: the shell, packet decoders */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/open_files.h"
#include "output/internal.h"

int program_start(const char *const words[], const struct program_pipes *pipes, int output,
		  pid_t *ret)
{
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t files;
	sigset_t none;
	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, pipes ? POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
						    : POSIX_SPAWN_SETSIGMASK);
	if (pipes) {
		/* Its standard input and output; its standard error is not read. */
		posix_spawn_file_actions_adddup2(&files, pipes->in, STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&files, pipes->out, STDOUT_FILENO);
		posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	} else if (output)
		posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	open_files_as_found();
	int errnum =
		posix_spawnp(ret, words[0], &files, &attributes, (char *const *)words, environ);
	open_files_as_raised();
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attributes);
	return errnum;
}
