/* SPDX-License-Identifier: BSD-2-Clause */
/* refer - what code refers to, and this process as the library reads it */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interpreter/internal.h"

#define ANCESTORS_MOST 256

/* The fields of /proc/PID/stat after the program's name. */
static bool read_stat(uint32_t pid, uint32_t *parent, uint64_t *arguments, uint64_t *arguments_end)
{
	auto_free char *path = mem_printf("/proc/%u/stat", pid);
	char text[2048];
	FILE *f = fopen(path, "re");
	size_t got = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[got] = '\0';
	char *at = strrchr(text, ')'), *save;
	if (!at || sscanf(at, ") %*c %u", parent) != 1)
		return false;
	unsigned field = 2; /* the name */
	for (at = strtok_r(at, " ", &save); at; at = strtok_r(NULL, " ", &save), field++) {
		if (field == 48)
			*arguments = strtoull(at, NULL, 10);
		if (field == 49)
			*arguments_end = strtoull(at, NULL, 10);
	}
	return true;
}

void describe_process(struct native_task *task, struct native_task **ancestors,
		      struct machine *machine)
{
	struct native_task *last = task, *next = mem_zalloc(ANCESTORS_MOST * sizeof(*next));
	uint32_t parent = 0;
	uint64_t ignored;
	*ancestors = next;
	machine_allow(machine, next, ANCESTORS_MOST * sizeof(*next), true);
	*task = (struct native_task) { .self = &native.task, .tgid = (uint32_t)getpid() };
	read_stat(task->tgid, &parent, &task->arguments, &task->arguments_end);
	for (unsigned n = 0; n < ANCESTORS_MOST && parent; n++, next++) {
		next->tgid = parent;
		last->parent = next;
		last = next;
		if (!read_stat(next->tgid, &parent, &ignored, &ignored))
			break;
	}
}

bool interpreter_refer(void *interpreter, const struct relocation *r, uint64_t *ret)
{
	const struct interpreter *i = interpreter;
	const struct interpreter_memory *m = &i->native.memory;
	const struct program *p = i->program;
	switch (r->kind) {
	case RELOCATE_MAP: /* a map's index + 1 is used as its address */
		*ret = r->index + 1;
		return true;
	case RELOCATE_CONTROL:
		*ret = (uintptr_t)m->control + r->addend;
		return true;
	case RELOCATE_GLOBALS:
		*ret = (uintptr_t)m->globals + r->addend;
		return true;
	case RELOCATE_KEYLESS:
		*ret = (uintptr_t)m->keyless + r->addend;
		return true;
	case RELOCATE_SCRATCH:
		*ret = (uintptr_t)m->scratch + r->addend;
		return true;
	case RELOCATE_SLOTS_LAST:
		*ret = scratch_last_slot(p);
		return true;
	case RELOCATE_STACK_SKIP:
		*ret = 0;
		return true;
	case RELOCATE_CONSTANTS:
		*ret = (uintptr_t)i->native.constants + r->addend;
		return true;
	case RELOCATE_CONSTANTS_END:
		*ret = constants_last_string(p);
		return true;
	case RELOCATE_PROBES:
		*ret = (uintptr_t)i->native.constants + r->addend +
		       constants_table(p, (unsigned)(i->machine.group - p->groups));
		return true;
	case RELOCATE_PARTS: /* machine.c knows them */
	case RELOCATE_FUNCTION:
	case RELOCATE_CALLS: /* it has no returns */
	case RELOCATE_CALLS_LAST:
	case RELOCATE_THREADS: /* RT_self_copy is refused */
	case RELOCATE_CGROUPS: /* no event that the interpreter runs tests its task */
		*ret = 0;
		return true;
	case RELOCATE_CALL:
	case RELOCATE_ERROR:
		return false;
	}
	return false;
}
