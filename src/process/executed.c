/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * executed - a thread of a process that runs is held in the program that it executes
 *
 * The thread waits for us, just before its call (agent/inside/execute.c).  It is seized, continues
 * from one system call to the next, and is held when its call has replaced the program; where the
 * call fails the thread goes on without us.  If another thread than the first executes a program,
 * it has the first one's number from then on.
 *
 * A program that gives privileges does not give them to a process with a tracer that may not trace
 * all: then the thread goes on without us, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/clock.h"
#include "process/process_internal.h"

#define STOPS_MOST 200		  /* until the call: a signal handler may run first, */
#define APPROACH_NS 1000000000ull /* or have taken the thread elsewhere */
#define LOOK_NS 20000

enum seized { SEIZED_STOPPED, SEIZED_ENDED, SEIZED_RUNS };

/* The next stop of THREAD, or of P whose number it has got.  TIMED: no longer than APPROACH_NS. */
static enum seized seized_wait(struct process *p, int thread, bool timed, int *status)
{
	uint64_t end = clock_ns(CLOCK_MONOTONIC) + APPROACH_NS;
	const int ids[] = { thread, p->pid };
	for (;;) {
		bool any = false;
		for (unsigned i = 0; i < ARRAY_SIZE(ids); i++) {
			int got = waitpid(ids[i], status, __WALL | WNOHANG);
			any |= got >= 0;
			if (got <= 0)
				continue;
			if (WIFSTOPPED(*status))
				return SEIZED_STOPPED;
			if (got == p->pid) {
				p->exited = true;
				p->status = *status;
				return SEIZED_ENDED;
			}
		}
		if (!any)
			return SEIZED_ENDED;
		if (timed && clock_ns(CLOCK_MONOTONIC) > end)
			return SEIZED_RUNS;
		nanosleep(&(struct timespec) { .tv_nsec = LOOK_NS }, NULL);
	}
}

/* --- programs that give privileges ------------------------------------------------------------ */

#define SCRIPTS_MOST 5 /* that run scripts: fs/exec.c */

static bool path_text_read(int pid, uint64_t address, char *text, size_t size)
{
	auto_close int memory = process_open_memory(pid);
	ssize_t got = memory < 0 ? -1 : pread(memory, text, size - 1, (off_t)address);
	text[MAX(got, (ssize_t)0)] = '\0';
	return got > 0 && strlen(text) < (size_t)got;
}

static bool has_our_root(int pid)
{
	char path[64];
	struct stat ours, theirs;
	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	return stat("/", &ours) == 0 && stat(path, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
	       ours.st_ino == theirs.st_ino;
}

/*
 * The file TEXT as PID resolves it, from its root or else from FOLDER of /proc/PID, not opened.
 * Links that mean another file for us, as /proc/self/fd/9, are not followed.
 */
static int executable_find(int pid, const char *folder, const char *text)
{
	char path[64];
	bool is_absolute = *text == '/';
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS };
	how.resolve |= is_absolute ? RESOLVE_IN_ROOT : 0;
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, is_absolute ? "root" : folder);
	int from = open(path, O_PATH | O_CLOEXEC);
	if (from < 0 || !*text)
		return from;
	int found = (int)syscall(SYS_openat2, from, text, &how, sizeof(how));
	close(from); /* which leaves errno as it is */
	return found;
}

/* It is opened; -1: errno is EACCES only where a folder may not be searched. */
static int file_open_as(int pid, const char *folder, const char *text)
{
	char path[64];
	if (*text != '/' && !has_our_root(pid)) {
		errno = EXDEV;
		return -1;
	}
	auto_close int found = executable_find(pid, folder, text);
	if (found < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0)
		errno = EPERM; /* it may be executed, but not read */
	return file;
}

/* The file of the call execve() or execveat() that PID is stopped before; -1: not known, errno says
 * why. */
static int file_of_call(int pid, const struct __ptrace_syscall_info *call)
{
	char text[4096], folder[32] = "cwd";
	bool has_folder = call->entry.nr == SYS_execveat;
	if (!path_text_read(pid, call->entry.args[has_folder], text, sizeof(text))) {
		errno = EFAULT;
		return -1;
	}
	if (has_folder && (int)call->entry.args[0] != AT_FDCWD)
		snprintf(folder, sizeof(folder), "fd/%d", (int)call->entry.args[0]);
	return file_open_as(pid, folder, text);
}

/* The interpreter in the first line of the script FILE; -1: it is none; -2: it cannot be opened. */
static int interpreter_open(int pid, int file)
{
	char line[PATH_MAX] = "";
	ssize_t got = pread(file, line, sizeof(line) - 1, 0);
	if (got < 2 || line[0] != '#' || line[1] != '!')
		return -1;
	line[got] = '\0';
	char *name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	int opened = file_open_as(pid, "cwd", name);
	return *name && opened >= 0 ? opened : -2;
}

/* Takes FILE.  What is not known may give privileges. */
static bool file_gives_privileges(int pid, int file)
{
	struct stat st;
	bool gives = false;
	for (int i = 0; i < SCRIPTS_MOST && file >= 0 && !gives; i++) {
		gives = fstat(file, &st) < 0 || st.st_mode & (S_ISUID | S_ISGID) ||
			fgetxattr(file, "security.capability", NULL, 0) > 0;
		int next = interpreter_open(pid, file);
		close(file);
		file = next;
	}
	if (file >= 0)
		close(file);
	return gives || file != -1;
}

static bool call_gives_privileges(int pid, const struct __ptrace_syscall_info *call)
{
	if (!geteuid())
		return false;
	int file = file_of_call(pid, call);
	if (file < 0) /* a call for what is not there fails, as with each folder of PATH */
		return errno != ENOENT && errno != ENOTDIR && errno != EACCES;
	return file_gives_privileges(pid, file);
}

/* --- the run to the new program --------------------------------------------------------------- */

enum call_end { CALL_GOES_ON, CALL_LEFT, CALL_GIVES_PRIVILEGES };

/* Of THREAD, which is stopped at a call.  *UNDER_WAY: it is the one that executes a program. */
static enum call_end call_look(int thread, bool *under_way)
{
	struct __ptrace_syscall_info call;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof(call), &call) <= 0)
		return CALL_LEFT;
	if (call.op != PTRACE_SYSCALL_INFO_ENTRY)
		return *under_way ? CALL_LEFT : CALL_GOES_ON; /* it has failed */
	*under_way = call.entry.nr == SYS_execve || call.entry.nr == SYS_execveat;
	return *under_way && call_gives_privileges(thread, &call) ? CALL_GIVES_PRIVILEGES
								  : CALL_GOES_ON;
}

static void seized_leave(int thread, int signal_number)
{
	ptrace(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)signal_number);
}

/* It runs, and is stopped only to be left. */
static void seized_interrupt(struct process *p, int thread)
{
	int status;
	ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
	if (seized_wait(p, thread, true, &status) == SEIZED_STOPPED)
		seized_leave(thread, hold_signal_of(status));
}

static bool is_executed(int status)
{
	return status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8);
}

/* THREAD is seized and stopped.  True: its call has executed the program, whose first stop it is
 * at. */
static bool run_to_program(struct process *p, int thread)
{
	bool under_way = false;
	int status, pass = 0;
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		if (ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)pass) < 0)
			return false;
		enum seized s = seized_wait(p, thread, !under_way, &status);
		if (s == SEIZED_RUNS)
			seized_interrupt(p, thread);
		if (s != SEIZED_STOPPED)
			return false;
		if (is_executed(status))
			return true;
		bool is_call = hold_is_call(status);
		pass = is_call ? 0 : hold_signal_of(status);
		enum call_end end = is_call ? call_look(thread, &under_way) : CALL_GOES_ON;
		if (end == CALL_GIVES_PRIVILEGES)
			message_loss("process %d executes a program that may give it privileges, "
				     "or that is not known: it is not traced (root can)",
				     p->pid);
		if (end != CALL_GOES_ON)
			break;
	}
	seized_leave(thread, pass);
	return false;
}

static bool is_thread_of(const struct process *p, int thread)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/task/%d", p->pid, thread);
	return thread > 0 && access(path, F_OK) == 0;
}

bool process_seize_caller(struct process *p, int thread)
{
	int status;
	if (p->held || p->exited || !is_thread_of(p, thread) ||
	    ptrace(PTRACE_SEIZE, thread, NULL, (void *)(long)HOLD_OPTIONS) < 0)
		return false;
	ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
	return seized_wait(p, thread, true, &status) == SEIZED_STOPPED;
}

struct error *process_hold_executed(struct process *p, int thread, bool *ret)
{
	*ret = run_to_program(p, thread);
	if (!*ret)
		return NULL;
	p->held = true;
	if (p->created)
		ptrace(PTRACE_SETOPTIONS, p->pid, NULL,
		       (void *)(long)(HOLD_OPTIONS | PTRACE_O_EXITKILL));
	return hold_run_to(p, PROCESS_HOLD_PREINIT, false);
}
