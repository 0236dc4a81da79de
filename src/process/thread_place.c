/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thread_place - where the threads of a process that runs are
 *
 * The kernel says it in /proc of a thread that waits, in a system call or elsewhere; such a thread
 * is not disturbed, as a stop would end some of its calls early (epoll_wait() answers EINTR).  One
 * that runs is stopped for a moment.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "arch/arch.h"
#include "base/file.h"
#include "process/process_internal.h"

/* False: it runs, or has ended. */
static bool waiting_place(int pid, int thread, struct thread_place *ret)
{
	char path[64];
	auto_strbuf struct strbuf text = { 0 };
	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, thread);
	auto_error struct error *err = file_read(path, 4096, &text);
	/* The last two of its numbers, of which there are three or nine. */
	const char *pc = err ? NULL : strrchr(strbuf_text(&text), ' ');
	while (pc && pc > strbuf_text(&text) && *--pc != ' ')
		;
	return pc && sscanf(pc, " %" SCNx64 " %" SCNx64, &ret->stack, &ret->pc) == 2;
}

/* An end of the first thread is that of the process, which is not reported again. */
static bool stop_wait(struct process *p, int thread, int *status)
{
	while (waitpid(thread, status, __WALL) < 0)
		if (errno != EINTR)
			return false;
	if (WIFSTOPPED(*status))
		return true;
	if (thread == p->pid) {
		p->exited = true;
		p->status = *status;
	}
	return false;
}

static bool running_place(struct process *p, int thread, struct thread_place *ret)
{
	int status;
	struct registers r;
	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) < 0)
		return false;
	/* It fails only of a thread that ends: the wait sees the end. */
	ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
	if (!stop_wait(p, thread, &status))
		return false;
	bool known = registers_read(thread, &r);
	if (known) {
		ret->pc = register_value(&r, r.arch->pc);
		ret->stack = register_value(&r, r.arch->stack_pointer);
	}
	ptrace(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)hold_signal_of(status));
	return known;
}

bool process_thread_place(struct process *p, int thread, struct thread_place *ret)
{
	return !p->held && !p->exited &&
	       (waiting_place(p->pid, thread, ret) || running_place(p, thread, ret));
}
