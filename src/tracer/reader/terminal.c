/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/reader/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "process/process.h"

/* Colours and special characters off, the other screen left, the cursor shown, usual keys. */
#define SCREEN_LEFT "\033[0m\017\033[?1049l\033[?25h\033[?1l\033>\r"

struct error *terminal_open(struct terminal *t)
{
	if (t->is_open)
		return NULL;
	if (!isatty(STDOUT_FILENO))
		return error_new("-x oformat=top needs a terminal, and standard output is not one");
	t->fd = open("/proc/self/fd/1", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (t->fd < 0)
		return error_sys(errno, "cannot open the terminal for -x oformat=top");
	t->is_open = true;
	if (tcgetattr(t->fd, &t->modes) < 0)
		return error_sys(errno, "cannot read the modes of the terminal");
	return NULL;
}

struct error *terminal_share(struct terminal *t)
{
	int ends[2];
	if (t->has_pipe || !isatty(STDERR_FILENO))
		return NULL;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_sys(errno, "cannot make a pipe");
	t->has_pipe = true;
	t->messages = ends[0];
	t->written = ends[1];
	return NULL;
}

void terminal_set_streams(const struct terminal *t, struct process_start *start)
{
	start->no_input = isatty(STDIN_FILENO);
	if (t->has_pipe)
		start->output = start->errors = t->written;
}

void terminal_take_messages(struct terminal *t)
{
	if (!t->has_pipe)
		return;
	fflush(stderr);
	t->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (t->errors > 0)
		dup2(t->written, STDERR_FILENO);
}

void terminal_return_messages(struct terminal *t)
{
	if (t->errors > 0) {
		fflush(stderr);
		dup2(t->errors, STDERR_FILENO);
		close(t->errors);
		t->errors = 0;
	}
	if (t->has_pipe)
		close(t->written);
}

/* --- ^Z --- */

#define STOP_WAIT_MS 1000

static volatile sig_atomic_t stops_first;

/* The reader has stopped or ended: such a status is left for its waiter. */
static bool reader_has_stopped(void)
{
	siginfo_t info = { .si_pid = 0 };
	return waitid(P_PID, (id_t)stops_first, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid;
}

/* With the default action: in a process group without a shell nothing stops. */
static void stop_after_reader(int signal_number)
{
	int errnum = errno;
	for (unsigned i = 0; i < STOP_WAIT_MS && !reader_has_stopped(); i++)
		poll(NULL, 0, 1);
	signal(signal_number, SIG_DFL);
	raise(signal_number); /* SA_NODEFER: at once */
	terminal_stop_after(stops_first);
	errno = errnum;
}

void terminal_stop_after(pid_t pid)
{
	struct sigaction old,
		action = { .sa_handler = stop_after_reader, .sa_flags = SA_RESTART | SA_NODEFER };
	stops_first = pid;
	if (sigaction(SIGTSTP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGTSTP, &action, NULL);
}

/* --- the end --- */

/* What the reader has not taken out of the pipe, because it was killed. */
static void messages_rest(struct terminal *t)
{
	char text[4096];
	fcntl(t->messages, F_SETFL, O_NONBLOCK);
	for (ssize_t got; (got = read(t->messages, text, sizeof(text))) > 0;) {
		ssize_t ignored = write(STDERR_FILENO, text, (size_t)got);
		(void)ignored;
	}
	close(t->messages);
}

/* A shell that has the terminal has its own modes in it. */
static bool terminal_is_ours(const struct terminal *t)
{
	return tcgetpgrp(t->fd) == getpgrp();
}

void terminal_close(struct terminal *t, bool is_left)
{
	if (!t->is_open)
		return;
	if (!is_left) {
		ssize_t ignored = write(t->fd, SCREEN_LEFT, strlen(SCREEN_LEFT));
		(void)ignored;
	}
	if (terminal_is_ours(t))
		tcsetattr(t->fd, TCSADRAIN, &t->modes);
	close(t->fd);
	t->is_open = false;
	if (t->has_pipe)
		messages_rest(t);
	t->has_pipe = false;
}
