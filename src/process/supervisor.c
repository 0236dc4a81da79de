/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/process_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

void descriptors_keep(int a, int b)
{
	unsigned first = (unsigned)MIN(a, b), second = (unsigned)MAX(a, b);
	if (first)
		syscall(SYS_close_range, 0, first - 1, 0);
	if (second > first + 1)
		syscall(SYS_close_range, first + 1, second - 1, 0);
	syscall(SYS_close_range, second + 1, ~0u, 0);
}

static _Noreturn void supervise(int lifeline, int pidfd)
{
	char byte;
	ssize_t read_bytes;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "supervisor"); /* `killall -9 dtrace` means its parent */
	descriptors_keep(lifeline, pidfd);
	while ((read_bytes = read(lifeline, &byte, 1)) < 0 && errno == EINTR)
		;
	if (read_bytes <= 0)
		syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, NULL, 0);
	_exit(0);
}

struct supervisor supervisor_start(int pidfd)
{
	static const struct supervisor none = { .lifeline = -1 };
	int ends[2];
	if (pidfd < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return none;
	auto_close int its_end = ends[0], our_end = ends[1];
	pid_t pid = fork();
	if (pid < 0)
		return none;
	if (pid == 0) {
		close(our_end); /* or it would wait for itself */
		supervise(its_end, pidfd);
	}
	return (struct supervisor) { pid, take_fd(our_end) };
}

void supervisor_end(struct supervisor *s)
{
	if (!s->pid)
		return;
	/* Not by SIGKILL: if it still closes an inherited uprobe, that would stay in a process. */
	send(s->lifeline, "", 1, MSG_NOSIGNAL);
	while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(s->lifeline);
	*s = (struct supervisor) { .lifeline = -1 };
}
