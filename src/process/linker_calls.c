/* SPDX-License-Identifier: BSD-2-Clause */
#include <sched.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <unistd.h>

#include "arch/arch.h"
#include "process/process_internal.h"

#define CACHE_NAME "ld.so.cache"

/* Where PID has it mapped; 0: nowhere. */
static uint64_t cache_find(int pid)
{
	struct mapping *list;
	size_t count, len;
	uint64_t at = 0;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	if (err)
		return 0;
	for (size_t i = 0; i < count && !at; i++) {
		const char *name = mapping_base_name(list[i].path, &len);
		if (!list[i].offset && len == strlen(CACHE_NAME) && !memcmp(name, CACHE_NAME, len))
			at = list[i].start;
	}
	process_mappings_free(list, count);
	return at;
}

/* --- one processor for both ------------------------------------------------------------------- */

static bool pin(int pid, int cpu, cpu_set_t *before)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_getaffinity(pid, sizeof(*before), before) == 0 &&
	       sched_setaffinity(pid, sizeof(one), &one) == 0;
}

/* Who had all processors has those that come later, too. */
static void unpin(int pid, const cpu_set_t *before)
{
	cpu_set_t mask = *before;
	if (CPU_COUNT(&mask) >= sysconf(_SC_NPROCESSORS_ONLN))
		memset(&mask, 0xff, sizeof(mask));
	sched_setaffinity(pid, sizeof(mask), &mask);
}

void shared_cpu_begin(struct shared_cpu *s, int pid)
{
	int cpu = sched_getcpu();
	*s = (struct shared_cpu) { .pid = pid };
	s->has_ours = cpu >= 0 && cpu < CPU_SETSIZE && pin(0, cpu, &s->ours);
	s->has_its = s->has_ours && pin(pid, cpu, &s->its);
}

void shared_cpu_end(const struct shared_cpu *s)
{
	if (s->has_its)
		unpin(s->pid, &s->its);
	if (s->has_ours)
		unpin(0, &s->ours);
}

/* --- calls ------------------------------------------------------------------------------------ */

bool linker_calls_are_known(int pid)
{
	return process_word(pid) == arch_host()->word;
}

enum linker_progress linker_calls_look(struct linker_calls *c)
{
	struct __ptrace_syscall_info call;
	int pid = c->linker->pid;
	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(call), &call) <= 0)
		return LINKER_UNKNOWN;
	if (call.op != PTRACE_SYSCALL_INFO_ENTRY)
		return LINKER_WORKS;
	if (call.entry.nr == SYS_mprotect && !c->cache) {
		c->cache = cache_find(pid);
		return c->cache ? LINKER_WORKS : LINKER_UNKNOWN;
	}
	if (call.entry.nr != SYS_munmap || !c->cache || call.entry.args[0] != c->cache)
		return LINKER_WORKS;
	c->cache = 0;
	return dynamic_linker_is_consistent(c->linker) ? LINKER_READY : LINKER_WORKS;
}
