/* SPDX-License-Identifier: BSD-2-Clause */
/* The process of a reader, from its start to its document */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "tracer/reader/reader.h"

#define NOBODY 65534
#define DOCUMENT_MOST (1u << 30)
#define STATUS_NOT_STARTED 127
#define WAIT_MS 100

/* Beside us in the folder of a build, else where `make install` puts it. */
static char *reader_path(const char *form)
{
	auto_free char *own = own_program_path();
	int folder = (int)(path_base_name(own) - own);
	char *built = mem_printf("%.*sshow/%s", folder, own, form);
	if (access(built, X_OK) == 0)
		return built;
	free(built);
	return mem_printf("%.*s../libexec/dtrace/%s", folder, own, form);
}

/* Of our environment, which other processes of nobody could read: what a screen depends on. */
static const char *const environment_names[] = { "TZ",	 "TERM",   "TERMINFO", "TERMINFO_DIRS",
						 "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR" };

struct environment {
	char *variables[ARRAY_SIZE(environment_names) + 1];
};

static void environment_make(struct environment *ret)
{
	size_t count = 0;
	for (size_t i = 0; i < ARRAY_SIZE(environment_names); i++) {
		const char *value = getenv(environment_names[i]);
		if (value)
			ret->variables[count++] = mem_printf("%s=%s", environment_names[i], value);
	}
	ret->variables[count] = NULL;
}

static void environment_free(struct environment *e)
{
	for (size_t i = 0; e->variables[i]; i++)
		free(e->variables[i]);
}

/* --- in the new process ---------------------------------------------------------------------- */

/* Signals that are for all processes of a terminal or a service: what was traced is still drawn. */
static void ignore_signals(void)
{
	static const int ours[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	sigset_t none;
	for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
		signal(ours[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A namespace of users may have no such user, and its root has no privileges outside. */
static bool change_user(void)
{
	bool is_changed = setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
			  setresuid(NOBODY, NOBODY, NOBODY) == 0;
	return is_changed || kernel_in_user_namespace();
}

static bool become_nobody(void)
{
	return (geteuid() || change_user()) &&
	       prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0 &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* GIVEN becomes READER_FD; the result is PROGRAM, which may have had that. */
static int descriptor_give(int given, int program)
{
	program = fcntl(program, F_DUPFD_CLOEXEC, READER_FD + 1);
	if (given == READER_FD)
		fcntl(given, F_SETFD, 0);
	else
		dup2(given, READER_FD);
	return program;
}

/*
 * PROGRAM is open, for nobody may not have the right to pass the folders above it.  IS_LIVE: what
 * it reads comes from us, and what was traced before a signal is to be drawn.
 */
static void become_reader(int program, char *const *arguments, char *const *environment, int input,
			  int output, int given, bool is_live)
{
	if (is_live)
		ignore_signals();
	if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0)
		_exit(STATUS_NOT_STARTED);
	close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
	if (given >= 0)
		program = descriptor_give(given, program);
	if (become_nobody())
		fexecve(program, arguments, environment);
	_exit(STATUS_NOT_STARTED);
}

/* --- in ours --------------------------------------------------------------------------------- */

static struct error *open_descriptors(int input, bool keeps, struct reader *r, int *theirs)
{
	int pair[2];
	r->stream = r->document = *theirs = -1;
	if (keeps && (r->document = memfd_create("document", MFD_CLOEXEC)) < 0)
		return error_sys(errno, "cannot make a document in memory");
	if (input >= 0)
		return NULL;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_sys(errno, "cannot make a socket");
	r->stream = pair[0];
	*theirs = pair[1];
	return NULL;
}

static void close_descriptors(struct reader *r)
{
	if (r->stream >= 0)
		close(r->stream);
	if (r->document >= 0)
		close(r->document);
	r->stream = r->document = -1;
}

static int reader_output(const struct reader *r)
{
	return r->terminal.is_open ? r->terminal.fd
	       : r->document >= 0  ? r->document
				   : STDOUT_FILENO;
}

/* What it has as READER_FD; -1: nothing. */
static int reader_given(const struct reader *r)
{
	return r->listener.is_open    ? r->listener.fd
	       : r->terminal.has_pipe ? r->terminal.messages
				      : -1;
}

static struct error *reader_run(int program, char *const *arguments, int input, struct reader *r)
{
	struct environment environment;
	environment_make(&environment);
	fflush(stdout);
	signal(SIGCHLD, SIG_DFL); /* ignored, there would be no status */
	r->pid = fork();
	if (r->pid == 0)
		become_reader(program, arguments, environment.variables, input, reader_output(r),
			      reader_given(r), r->stream >= 0);
	environment_free(&environment);
	if (r->pid > 0) {
		if (r->terminal.is_open)
			terminal_stop_after(r->pid);
		return NULL;
	}
	r->pid = 0;
	return error_sys(errno, "cannot start a process");
}

/* What OPTIONS say to it; all but PATH is of ARENA. */
static char *const *reader_arguments(struct arena *a, char *path, const struct options *options)
{
	size_t labels, count = 0;
	const char *show = option_text(options, OPTION_show);
	const char *const *names = option_list(options, OPTION_labels, &labels);
	const char *endpoint = option_text(options, OPTION_endpoint);
	char **ret = arena_alloc(a, (labels + 6) * sizeof(*ret));
	ret[count++] = path;
	if (show)
		ret[count++] = arena_printf(a, "--show=%s", show);
	for (size_t i = 0; i < labels; i++)
		ret[count++] = arena_printf(a, "--labels=%s", names[i]);
	if (option_is_set(options, OPTION_series))
		ret[count++] =
			arena_printf(a, "--series=%" PRIu64, option_number(options, OPTION_series));
	if (endpoint)
		ret[count++] = arena_printf(a, "--endpoint=%s", endpoint);
	if (option_is_set(options, OPTION_pushrate))
		ret[count++] = arena_printf(a, "--pushrate=%" PRIu64,
					    option_number(options, OPTION_pushrate));
	ret[count] = NULL;
	return ret;
}

struct error *reader_start(const struct options *options, int input, bool keeps, struct reader *ret)
{
	const char *form = option_text(options, OPTION_oformat);
	auto_free char *path = reader_path(form);
	auto_close int program = open(path, O_RDONLY | O_CLOEXEC);
	if (program < 0)
		return error_sys(errno, "cannot start %s, which draws -x oformat=%s", path, form);
	auto_close int theirs = -1;
	struct error *err = open_descriptors(input, keeps, ret, &theirs);
	struct arena *a = arena_new();
	if (!err)
		err = reader_run(program, reader_arguments(a, path, options),
				 input >= 0 ? input : theirs, ret);
	arena_free(a);
	listener_close(&ret->listener);
	if (err)
		close_descriptors(ret);
	return err;
}

/* --- the end --------------------------------------------------------------------------------- */

/* The status of PID as waitpid() gives it.  An interrupt may come just before a wait. */
static int reader_wait(pid_t pid, const volatile sig_atomic_t *interrupts)
{
	int status;
	auto_close int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	for (;;) {
		if (interrupts && *interrupts > 1)
			kill(pid, SIGKILL);
		pid_t ended = waitpid(pid, &status, WNOHANG);
		if (ended == pid)
			return status;
		if (ended < 0 && errno != EINTR)
			return STATUS_NOT_STARTED << 8;
		poll(&end, 1, WAIT_MS);
	}
}

static struct error *document_place(int document, const char *path)
{
	auto_strbuf struct strbuf text = { 0 };
	off_t size = lseek(document, 0, SEEK_END);
	int errnum = size < 0 ? errno : size > DOCUMENT_MOST ? EFBIG : 0;
	if (!errnum && lseek(document, 0, SEEK_SET) < 0)
		errnum = errno;
	if (!errnum)
		errnum = fd_read_all(document, DOCUMENT_MOST, &text);
	if (!errnum)
		errnum = file_replace(path, &text, 0);
	return errnum ? error_sys(errnum, "failed to write %s", path) : NULL;
}

/* IS_OURS: the document goes to our standard output, which nobody reads if SIGPIPE has come. */
static struct error *reader_error(const char *form, int status, bool is_ours)
{
	if (is_ours && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
		return error_sys(EPIPE, "failed to write to <stdout>");
	if (WIFSIGNALED(status))
		return error_new("nothing is drawn: %s was ended by SIG%s", form,
				 sigabbrev_np(WTERMSIG(status)));
	if (WEXITSTATUS(status) == STATUS_NOT_STARTED)
		return error_new("nothing is drawn: %s could not be started as nobody", form);
	return error_new("nothing is drawn by %s", form); /* it has printed the reason */
}

struct error *reader_finish(struct reader *r, const char *form, const char *path,
			    const volatile sig_atomic_t *interrupts)
{
	/* Not closed yet: requests that nobody has read would make the end of the lines an error.
	 */
	if (r->stream >= 0)
		shutdown(r->stream, SHUT_WR);
	terminal_return_messages(&r->terminal);
	int status = reader_wait(r->pid, interrupts);
	r->pid = 0;
	terminal_close(&r->terminal, status == 0);
	struct error *err = status ? reader_error(form, status, r->document < 0) : NULL;
	if (!err && r->document >= 0 && path)
		err = document_place(r->document, path);
	close_descriptors(r);
	return err;
}
