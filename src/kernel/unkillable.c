/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unkillable - work that kill -9 does not interrupt
 *
 * A task with a deadly signal cannot change the text of a process: the kernel's
 * uprobe_unregister() then fails with EINTR, prints "leaking uprobe", and the
 * breakpoints stay in the traced process (Linux 6.18; killing a dtrace that was
 * attaching 2,126 places left some fifty each time).  All attaching and
 * detaching is therefore done by a child process that shares memory and
 * descriptors with us, but no signals, and is in its own process group.  We
 * wait until it has ended, as with vfork(); if we are killed meanwhile, it
 * finishes its work, and the last process to end closes the descriptors.
 *
 * A child costs some 60 us.
 */
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/kernel.h"

#define STACK_SIZE (128 * 1024)

struct work {
	void (*function)(void *arg);
	void *arg;
	bool first;
	int cpu;   /* of FIRST */
	bool soon; /* the child would lose its parent's priority */
};

static int work_run(void *arg)
{
	struct work *w = arg;
	syscall(SYS_setpgid, 0, 0);
	if (w->soon)
		kernel_run_soon();
	if (w->first)
		kernel_run_first(w->cpu);
	w->function(w->arg);
	syscall(SYS_exit, 0);
	return 0;
}

static void work_do(struct work *work)
{
	sigset_t all, before;
	void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int pid = stack == MAP_FAILED ? -1
				      : clone(work_run, (char *)stack + STACK_SIZE,
					      CLONE_VM | CLONE_FILES | CLONE_VFORK, work);
	if (pid > 0)
		waitpid(pid, NULL, __WCLONE);
	else
		work->function(work->arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (stack != MAP_FAILED)
		munmap(stack, STACK_SIZE);
}

void run_unkillable(void (*function)(void *arg), void *arg)
{
	struct work w = { function, arg, .soon = getpriority(PRIO_PROCESS, 0) < 0 };
	work_do(&w);
}

void run_unkillable_first(int cpu, void (*function)(void *arg), void *arg)
{
	struct work w = { function, arg, .first = true, .cpu = cpu };
	work_do(&w);
}
