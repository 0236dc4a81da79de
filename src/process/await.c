/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * await - the next process that executes a program is held as one that we create
 *
 * The kernel stops it by a signal (kernel/exec_watch.c).  We attach by ptrace, which then holds it,
 * and take the signal back: if we die from then on, the process runs.  Between the two there are
 * some milliseconds in which nobody could release it but a SIGCONT.  It is not our child: it is
 * never killed, and lives on when we end.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "process/process_internal.h"

#define LOOK_US 5000 /* between looks whether it is there */
#define WORDS_MOST 65536

/* Does PID run the program at the absolute PATH? */
static bool program_is_at(int pid, const char *path)
{
	struct stat st;
	auto_free char *exe = mem_printf("/proc/%d/exe", pid);
	struct seen_path seen = process_path(pid, path);
	bool is = seen.is_there && stat(exe, &st) == 0 && st.st_ino == seen.st.st_ino &&
		  st.st_dev == seen.st.st_dev;
	seen_path_deinit(&seen);
	return is;
}

/* Is WORD, of a command line, the script or program NAME? */
static bool word_is(const char *word, const char *name)
{
	return string_equal(*name == '/' ? word : path_base_name(word), name);
}

/* Of a script the kernel puts the interpreter, and maybe its argument, before the name. */
static bool words_have(int pid, const char *name)
{
	auto_strbuf struct strbuf words = { 0 };
	auto_free char *path = mem_printf("/proc/%d/cmdline", pid);
	auto_error struct error *err = file_read(path, WORDS_MOST, &words);
	const char *word = strbuf_text(&words), *end = word + words.len;
	for (unsigned i = 0; i < 3 && !err && word < end; i++, word += strlen(word) + 1)
		if (word_is(word, name))
			return true;
	return false;
}

/* Is PID, whose program has the first characters of NAME, the one? */
static bool is_meant(int pid, const char *name)
{
	if (*name == '/')
		return program_is_at(pid, name) || words_have(pid, name);
	return strlen(name) <= EXEC_NAME_MOST || words_have(pid, name);
}

/* Wait for the process; the result is stopped by a signal. */
static struct error *stopped_find(struct exec_watch *w, const char *name, int *ret)
{
	for (;;) {
		int pid = exec_watch_stopped(w);
		if (pid && is_meant(pid, name)) {
			*ret = pid;
			return NULL;
		}
		if (pid)
			kill(pid, SIGCONT);
		struct error *err = pid ? exec_watch_again(w) : NULL;
		if (err)
			return err;
		usleep(LOOK_US);
	}
}

/* P is stopped by a signal: hold it instead. */
static struct error *signal_to_hold(struct process *p)
{
	int status;
	if (ptrace(PTRACE_SEIZE, p->pid, NULL, (void *)(long)HOLD_OPTIONS) < 0)
		return seize_error(p->pid, errno,
				   "it, and a process has one tracer: start it without that, or "
				   "use -p when it runs");
	p->held = true;
	if (ptrace(PTRACE_INTERRUPT, p->pid, NULL, NULL) < 0 || !hold_wait(p, &status))
		return error_new("it has ended");
	kill(p->pid, SIGCONT);
	return NULL;
}

static struct error *await_and_hold(const char *name, enum process_hold where, bool must,
				    struct exec_watch *w, struct process **ret)
{
	int pid;
	struct error *err = stopped_find(w, name, &pid);
	if (err)
		return err;
	struct process *p = process_new(pid, false);
	err = signal_to_hold(p);
	if (!err)
		err = hold_run_to(p, where, must);
	if (!err) {
		*ret = p;
		return NULL;
	}
	process_free(p);
	kill(pid, SIGCONT);
	return err;
}

struct error *process_await(const char *name, enum process_hold where, bool must,
			    struct process **ret)
{
	struct exec_watch *w = NULL;
	const char *base = path_base_name(name);
	struct error *err = NULL;
	if (!*base || (*name != '/' && base != name))
		err = error_new("it is neither a program's base name nor an absolute path");
	else if (kernel_pid_namespace())
		err = error_new("dtrace is in a PID namespace, where processes have other numbers");
	err = err ? err : exec_watch_new(base, &w);
	err = err ? err : await_and_hold(name, where, must, w, ret);
	exec_watch_free(w);
	return err ? error_wrap(err, "failed to wait for %s", name) : NULL;
}
