/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Children of traced processes, if the run follows them (head.follows)
 *
 * A child of fork() has its parent's jumps and the shared memory; its own page is wiped.  At its
 * first firing it fills that page by the kept one, of which fork() has made a copy, and by system
 * calls that say who it is.  From then on it fires as its parent does, in areas of its own threads.
 *
 * A child that shares the memory (vfork()) reads its parent's pages, also its thread's number.  It
 * asks the kernel who it is, at each firing.
 */
#include <asm/stat.h>
#include <linux/fcntl.h>

#include "agent/inside/host.h"

extern struct process_kept agent_kept;

/* --- who it is --- */

/* Numbers of another PID namespace are not those that the tracer knows. */
static bool is_foreign(void)
{
	struct stat st;
	if (!agent_kept.pid_namespace)
		return false;
	st.st_ino = 0;
	SYSTEM(SYS_newfstatat, AT_FDCWD, "/proc/self/ns/pid", &st, 0);
	return st.st_ino ? st.st_ino != agent_kept.pid_namespace : SYSTEM(SYS_getpid) == 1;
}

/* The parent may be a child that never fired, or one of those before it, if a parent has ended. */
static void lineage_add(uint32_t pid, uint32_t parent)
{
	struct process_kept *k = &agent_kept;
	uint32_t count = k->lineage_count, n = count;
	if (count && k->lineage[count - 1] == pid)
		return;
	while (n && k->lineage[n - 1] != parent)
		n--;
	if (!n) {
		n = count;
		if (n < PROCESS_ANCESTORS)
			k->lineage[n++] = parent;
	}
	if (n == PROCESS_ANCESTORS) /* what is between is left out */
		n--;
	k->lineage[n] = pid;
	__atomic_store_n(&k->lineage_count, n + 1, __ATOMIC_RELEASE);
}

static void tasks_fill(struct process_own *own)
{
	uint32_t count = agent_kept.lineage_count;
	for (uint32_t n = 0; n < count; n++) {
		struct process_task *task = &own->tasks[n];
		if (!n)
			*task = agent_kept.task;
		task->self = (uintptr_t)task;
		task->parent = n + 1 < count ? (uintptr_t)(task + 1) : 0;
		task->tgid = agent_kept.lineage[count - 1 - n];
	}
}

/* The C library's number of the thread: it is old in a child that clone() has made by itself. */
static uint64_t thread_number_place(void)
{
	uint64_t at = agent_kept.first.thread_number;
	return at && thread_word(at) == (uint32_t)SYSTEM(SYS_gettid) ? at : 0;
}

static void own_fill(struct process_own *own, const struct process_own *first)
{
	uint32_t pid = (uint32_t)SYSTEM(SYS_getpid);
	lineage_add(pid, (uint32_t)SYSTEM(SYS_getppid));
	tasks_fill(own);
	own->pid = pid;
	own->clock_gettime = first->clock_gettime;
	own->getcpu = first->getcpu;
	own->stack_end = first->stack_end;
	own->thread_number = thread_number_place();
	own->mappings = first->mappings;
	own->program = first->program;
	own->is_child = 1;
	__atomic_store_n(&own->process, pid, __ATOMIC_RELEASE);
}

bool child_begin(void)
{
	if (!HEAD->follows || agent_own.is_foreign || tracer_has_ended())
		return false;
	if (is_foreign()) {
		agent_own.is_foreign = 1;
		__sync_fetch_and_add(&HEAD->foreigners, 1);
		return false;
	}
	own_fill(&agent_own, &agent_kept.first);
	return true;
}

/* --- children that share the memory --- */

void sharing_begin(void)
{
	agent_own.has_shared = 1;
}

bool is_sharing_child(void)
{
	return (uint32_t)SYSTEM(SYS_getpid) != agent_own.pid;
}

/* Whose it is says the area of a firing: its owner. */
uint64_t sharing_numbers(void)
{
	uint64_t n = port_area();
	return n < HEAD->area_count ? area_at(n)->owner & ~(AREA_CLAIMED | AREA_FORKS)
				    : area_key(agent_own.process, thread_number());
}

/* --- ends, and libraries --- */

/* The owner's memory is gone, with its end or by another program.  By the thread: the first one of
 * its process may have ended before. */
static bool memory_is_gone(uint32_t thread, uint64_t address)
{
	char byte;
	uint64_t here[2] = { (uintptr_t)&byte, 1 }, there[2] = { address, 1 };
	long got = SYSTEM(SYS_process_vm_readv, thread, here, 1, there, 1, 0);
	return got == -ESRCH || got == -EFAULT;
}

bool owner_is_gone(const struct process_area *area, uint64_t key)
{
	uint32_t process = (uint32_t)(key >> 32), thread = (uint32_t)key;
	if (process == agent_own.process)
		return SYSTEM(SYS_tgkill, agent_own.pid, thread, 0) == -ESRCH;
	return HEAD->follows && process && !agent_own.is_foreign &&
	       (memory_is_gone(thread, area->own) ||
		SYSTEM(SYS_tgkill, process, thread, 0) == -ESRCH);
}

/* The thread of a child is about to execute a program, and does not fire any more. */
void child_leaves(void)
{
	if (!HEAD->follows)
		return;
	uint64_t key = sharing_numbers(), n = port_area();
	if (n < HEAD->area_count)
		__sync_bool_compare_and_swap(&area_at(n)->owner, key, AREA_FREE);
}

/* Tables are for what its parent had mapped: from now on its stacks are walked without. */
void child_arrived(void)
{
	agent_own.mappings = agent_kept.first.mappings = 0;
	__sync_fetch_and_add(&HEAD->arrivals_in_children, 1);
}
