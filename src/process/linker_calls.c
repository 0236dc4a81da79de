/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

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
