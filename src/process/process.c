/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process - create, hold and release; grab and follow
 *
 * How a created process comes to its stop:
 *
 *	child:   fork, read a byte ............... execvp, stop | ld.so | stop
 *	parent:  fork, SEIZE with EXITKILL, write ^ set stop point ^      ^ detach
 *
 * The child waits for its byte before it does anything, and ends if the pipe
 * is closed instead: so there is no moment in which our death could leave it
 * stopped.  (With PTRACE_TRACEME and SIGSTOP there is one, before the options
 * are set.)
 *
 * Waits have no timeout: each ends because the child stops or dies, and the
 * child cannot do anything else in between but load its libraries.
 */
#include "process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/open_files.h"
#include "kernel/kernel.h"
#include "process/process_internal.h"

static int open_pidfd(int pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

struct process *process_new(int pid, bool created)
{
	struct process *p = mem_zalloc(sizeof(*p));
	p->pid = p->thread = pid;
	p->created = created;
	p->pidfd = open_pidfd(pid);
	return p;
}

void process_free(struct process *p)
{
	if (!p)
		return;
	hand_release(p);
	if (p->held && p->created) {
		process_kill(p);
		process_exited(p, NULL);
	} else if (p->held) {
		ptrace(PTRACE_DETACH, p->pid, NULL, NULL);
	}
	supervisor_end(&p->supervisor);
	error_free(p->late);
	if (p->pidfd >= 0)
		close(p->pidfd);
	free(p);
}

/* --- the child's side of fork --- */

static void streams_set(const struct process_start *start)
{
	int nothing = start->no_input ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
	if (nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	if (start->output)
		dup2(start->output, STDOUT_FILENO);
	if (start->errors)
		dup2(start->errors, STDERR_FILENO);
}

/*
 * Waits for the start on one pipe and reports on the other why exec failed; a successful exec
 * closes both.
 */
static _Noreturn void become(const struct process_start *start, char **words, int go_fd,
			     int error_fd)
{
	char go;
	/* Before the pipe is read: if the parent dies earlier, the pipe is closed. */
	if (!start->outlives_us)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(go_fd, &go, 1) != 1)
		_exit(127);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* What our caller ignores for its own sake is not the command's. */
	signal(SIGPIPE, SIG_DFL);
	open_files_as_found();
	for (size_t i = 0; i < start->unset_count; i++)
		unsetenv(start->unset[i]);
	for (size_t i = 0; i < start->set_count; i++)
		putenv((char *)start->set[i]);
	streams_set(start);

	execvp(words[0], words);
	int errnum = errno;
	ssize_t ignored = write(error_fd, &errnum, sizeof(errnum));
	(void)ignored;
	_exit(127);
}

/* --- create --- */

struct error *seize_error(int pid, int errnum, const char *remedy)
{
	int tracer = process_tracer(pid);
	if (!tracer)
		return error_sys(errnum, "cannot hold it");
	auto_free char *path = mem_printf("/proc/%d/comm", tracer);
	auto_strbuf struct strbuf name = { 0 };
	struct error *err = file_read(path, 64, &name);
	error_free(err); /* it has no name any more */
	return error_new("%.*s (process %d) traces %s", (int)strcspn(strbuf_text(&name), "\n"),
			 strbuf_text(&name), tracer, remedy);
}

/* Let the child go up to its exec stop.  *ERRNUM is exec's error, or 0. */
static struct error *run_to_exec(struct process *p, int go_fd, int error_fd, int *errnum)
{
	long options = PTRACE_O_EXITKILL | HOLD_OPTIONS;
	if (ptrace(PTRACE_SEIZE, p->pid, NULL, (void *)options) < 0)
		return seize_error(p->pid, errno,
				   "dtrace and its children, and a process has one tracer: start "
				   "that on the command, not on dtrace, or use -p");
	if (write(go_fd, "g", 1) != 1)
		return error_sys(errno, "cannot start it");

	int status;
	bool stopped = hold_wait(p, &status);
	while (stopped) {
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
			return NULL;
		stopped = hold_resume(p, hold_signal_of(status), &status);
	}
	if (read(error_fd, errnum, sizeof(*errnum)) != sizeof(*errnum))
		*errnum = 0;
	return *errnum ? NULL : error_new("it ended before it was started");
}

static struct error *hold(struct process *p, const struct process_start *start, const char *name,
			  enum process_hold where, int go_fd, int error_fd)
{
	int errnum = 0;
	struct error *err = run_to_exec(p, go_fd, error_fd, &errnum);
	if (err)
		return err;
	if (errnum)
		return command_exec_error(name, errnum);
	return hold_run_to(p, where, start->must_hold);
}

static struct error *child_create(const struct process_start *start, char **words,
				  enum process_hold where, struct process **ret)
{
	int go[2], fail[2];
	if (pipe2(go, O_CLOEXEC) < 0)
		return error_sys(errno, "cannot make a pipe");
	auto_close int go_read = go[0], go_write = go[1];
	if (pipe2(fail, O_CLOEXEC | O_NONBLOCK) < 0)
		return error_sys(errno, "cannot make a pipe");
	auto_close int fail_read = fail[0], fail_write = fail[1];

	int pid = fork();
	if (pid < 0)
		return error_sys(errno, "cannot fork");
	if (pid == 0) {
		close(go_write); /* else it would wait for itself when we die */
		become(start, words, go_read, fail_write);
	}
	close(take_fd(fail_write));

	struct process *p = process_new(pid, true);
	p->held = true;
	if (!start->outlives_us)
		p->supervisor = supervisor_start(p->pidfd);
	struct error *err = hold(p, start, words[0], where, go_write, fail_read);
	if (err) {
		process_free(p);
		return err;
	}
	*ret = p;
	return NULL;
}

struct error *process_create(const struct process_start *start, const char *command,
			     enum process_hold where, struct process **ret)
{
	static const struct process_start usual;
	start = start ? start : &usual;
	char **words;
	struct error *err = start->quotes_are_ordinary ? command_split_at_blanks(command, &words)
						       : command_split(command, &words);
	if (err)
		return error_wrap(err, "failed to execute %s", command);
	err = kernel_check_proc();
	if (!err)
		err = child_create(start, words, where, ret);
	if (err)
		err = error_wrap(err, "failed to execute %s", words[0]);
	command_free(words);
	return err;
}

/* --- grab --- */

struct error *process_grab(int pid, struct process **ret)
{
	struct error *err = kernel_check_proc();
	if (err)
		return error_wrap(err, "failed to grab pid %d", pid);
	struct process *p = pid > 0 ? process_new(pid, false) : NULL;
	if (p && p->pidfd < 0 && (errno == EINVAL || errno == ENOENT)) {
		process_free(p);
		return error_new("failed to grab pid %d: it is a thread, not a process", pid);
	}
	int errnum = ESRCH;
	if (p && p->pidfd < 0 && errno != ENOSYS)
		errnum = errno;
	bool there = p && (p->pidfd >= 0 || kill(pid, 0) == 0 || errno == EPERM);
	if (!there || process_exited(p, NULL)) {
		process_free(p);
		return error_new("failed to grab pid %d: %s", pid,
				 there ? "it has ended" : strerror(errnum));
	}
	*ret = p;
	return NULL;
}

/* --- follow --- */

int process_pid(const struct process *p)
{
	return p->pid;
}

bool process_is_created(const struct process *p)
{
	return p->created;
}

int process_caller(const struct process *p)
{
	return p->thread;
}

bool process_is_held(const struct process *p)
{
	return p->held;
}

const char *process_held_late(const struct process *p)
{
	int errnum = p->late ? error_errno(p->late) : 0;
	bool is_harmless = errnum == EACCES || errnum == EPERM;
	return p->late && !is_harmless ? error_text(p->late) : NULL;
}

int process_poll_fd(const struct process *p)
{
	return p->pidfd;
}

struct error *process_run(struct process *p)
{
	hand_release(p);
	if (!p->held)
		return NULL;
	p->held = false;
	if (ptrace(PTRACE_DETACH, p->pid, NULL, NULL) == 0)
		return NULL;
	int errnum = errno;
	if (process_exited(p, NULL))
		return error_new("process %d ended before it was released", p->pid);
	return error_sys(errnum, "cannot release process %d", p->pid);
}

static void reap(struct process *p)
{
	int status;
	/* A held process was killed by us, or is stopped: a wait for its end would not end. */
	int got = waitpid(p->pid, &status, WNOHANG | __WALL);
	if (got == p->pid && !WIFSTOPPED(status)) {
		p->exited = true;
		p->status = status;
	} else if (got < 0 && errno == ECHILD) {
		p->exited = true;
	}
	if (p->exited)
		p->held = false;
}

static bool pidfd_is_readable(int fd)
{
	struct pollfd f = { .fd = fd, .events = POLLIN };
	return poll(&f, 1, 0) == 1 && (f.revents & POLLIN);
}

bool process_exited(struct process *p, int *status)
{
	if (!p->exited && p->created)
		reap(p);
	else if (!p->exited)
		p->exited = p->pidfd >= 0 ? pidfd_is_readable(p->pidfd)
					  : kill(p->pid, 0) < 0 && errno == ESRCH;
	if (p->exited && status)
		*status = p->status;
	return p->exited;
}

/* Our child cannot be another process before we have reaped it. */
void process_kill(struct process *p)
{
	if (!p->created || process_exited(p, NULL))
		return;
	kill(p->pid, SIGKILL);
	if (!p->held)
		return;
	/* Nothing else can happen to it: this wait is short. */
	int status;
	while (!p->exited && hold_wait(p, &status))
		;
}
