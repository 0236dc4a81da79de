/* SPDX-License-Identifier: BSD-2-Clause */
#include "output/writer.h"

#include <fcntl.h>
#include <sys/wait.h>

#include "test.h"

#define BYTES ((size_t)1 << 20)

/* A child that reads all of FD and ends with status 0 if these were BYTES. */
static int reader_start(int fd, int other_end)
{
	fflush(stdout);
	int pid = fork();
	if (pid)
		return pid;
	close(other_end);
	char part[4096];
	size_t sum = 0;
	for (ssize_t n; (n = read(fd, part, sizeof(part))) > 0;)
		sum += (size_t)n;
	_exit(sum == BYTES ? 0 : 1);
}

TEST(full_pipe_that_does_not_block_is_waited_for)
{
	int ends[2], status = -1;
	CHECK(pipe(ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
	CHECK(fcntl(ends[1], F_SETPIPE_SZ, 4096) > 0);
	int pid = reader_start(ends[0], ends[1]);
	struct writer w;
	writer_init(&w, ends[1]);
	writer_fill(&w, 'x', BYTES);
	CHECK_INT(writer_flush(&w), 0);
	writer_deinit(&w);
	close(ends[1]);
	close(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_INT(status, 0);
}

TEST_MAIN
