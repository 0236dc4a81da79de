/* SPDX-License-Identifier: BSD-2-Clause */
/* memory - the shared state, buffers and constants of a program, and what refers to them */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interpreter/internal.h"

#define RING_LEAST 4096
#define RING_MOST (1ull << 30)
#define ANCESTORS_MOST 256

/* SIZE zero bytes, for WHAT, into *RET. */
static struct error *block(struct interpreter *i, const char *what, size_t size, void *ret)
{
	void *bytes = try_alloc(size + 8);
	if (!bytes)
		return error_new("no memory for %s: %zu bytes", what, size);
	vector_push(&i->blocks, bytes);
	memcpy(ret, &bytes, sizeof(bytes));
	return NULL;
}

/* The same that the program may touch, too. */
static struct error *region(struct interpreter *i, const char *what, size_t size, void *ret)
{
	struct error *err = block(i, what, size, ret);
	if (!err)
		machine_allow(&i->machine, *(char **)ret, size, false);
	return err;
}

static struct error *state_create(struct interpreter *i)
{
	const struct program *p = i->program;
	struct regions r = state_regions(p);
	struct native *n = &i->native;
	char *state;
	struct error *err = region(i, "the state", r.size, &state);
	if (err)
		return err;
	n->control = (struct control *)state;
	n->counters = (struct area_counters *)(state + r.counters);
	i->globals = state + r.globals;
	i->keyless = state + r.keyless;
	if (p->drops_by_clause)
		n->clause_drops = (struct clause_drops *)(state + r.clause_drops);
	return NULL;
}

static struct error *constants_create(struct interpreter *i)
{
	size_t size = constants_region_size(i->program);
	struct error *err = block(i, "constants", size, &i->native.constants);
	if (err)
		return err;
	constants_fill(i->program, i->native.constants);
	machine_allow(&i->machine, i->native.constants, size, true);
	return NULL;
}

static struct error *memory_create(struct interpreter *i)
{
	struct error *err = state_create(i);
	if (!err)
		err = constants_create(i);
	if (!err)
		err = region(i, "scratch memory", scratch_size(i->program), &i->native.scratch);
	return err ? err : region(i, "thread variables", i->program->self_size, &i->native.self);
}

/* --- buffers ---------------------------------------------------------------------------------- */

static bool calls_speculations(const struct program *p)
{
	for (unsigned i = 0; i < p->group_count; i++)
		for (uint32_t k = 0; k < p->groups[i].relocation_count; k++) {
			const struct relocation *r = &p->groups[i].relocations[k];
			if (r->kind == RELOCATE_CALL && r->index == RT_speculation)
				return true;
		}
	return false;
}

static struct error *speculations_create(struct interpreter *i, const struct executor_options *o)
{
	struct native *n = &i->native;
	if (!calls_speculations(i->program))
		return NULL;
	n->speculation_count = o->speculation_count;
	n->speculation_size = MIN(o->speculation_size, n->ring_size - 64) & ~7ull;
	n->speculation_stride = ALIGN_UP(
		sizeof(struct speculation) + n->speculation_size + i->program->slot_size + 16, 64);
	return block(i, "speculations", n->speculation_count * n->speculation_stride,
		     &n->speculations);
}

static struct error *flight_create(struct interpreter *i)
{
	struct native *n = &i->native;
	uint64_t slack = MAX((uint64_t)i->program->slot_size, n->speculation_size);
	n->flight_stride = ALIGN_UP(sizeof(struct flight) + n->ring_size + slack + 64, 64);
	i->flight = (struct flight_memory) { .count = i->program->area_count,
					     .stride = (uint32_t)n->flight_stride,
					     .size = (uint32_t)n->ring_size };
	struct error *err =
		block(i, "buffers", i->program->area_count * n->flight_stride, &n->flight);
	i->flight.memory = n->flight;
	if (!err)
		flight_init(&i->flight);
	return err;
}

static struct error *buffers_create(struct interpreter *i, const struct executor_options *o)
{
	struct native *n = &i->native;
	n->ring_size = RING_LEAST;
	while (n->ring_size < o->buffer_size && n->ring_size < RING_MOST)
		n->ring_size *= 2;
	n->control->wake_bytes = n->ring_size / 4;
	struct error *err =
		block(i, "buffers", i->program->area_count * sizeof(*n->rings), &n->rings);
	if (!err)
		err = speculations_create(i, o);
	return err || n->policy != POLICY_RING ? err : flight_create(i);
}

/* --- this process, as the library reads it ---------------------------------------------------- */

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

static void describe_process(struct interpreter *i)
{
	struct native_task *task = &i->native.task, *last = task;
	uint32_t parent = 0;
	i->ancestors = mem_zalloc(ANCESTORS_MOST * sizeof(*i->ancestors));
	vector_push(&i->blocks, (void *)i->ancestors);
	machine_allow(&i->machine, i->ancestors, ANCESTORS_MOST * sizeof(*i->ancestors), true);
	*task = (struct native_task) { .self = &native.task, .tgid = (uint32_t)getpid() };
	read_stat(task->tgid, &parent, &task->arguments, &task->arguments_end);
	for (unsigned n = 0; n < ANCESTORS_MOST && parent; n++) {
		uint64_t ignored;
		struct native_task *next = &i->ancestors[n];
		next->tgid = parent;
		last->parent = next;
		last = next;
		if (!read_stat(next->tgid, &parent, &ignored, &ignored))
			break;
	}
}

/* --- all -------------------------------------------------------------------------------------- */

static bool owns(void *machine, uint64_t address, size_t size)
{
	return machine_owns(machine, address, size);
}

struct error *memory_init(struct interpreter *i, const struct executor_options *o)
{
	const struct program *p = i->program;
	struct native *n = &i->native;
	*n = (struct native) { .program = p,
			       .policy = o->policy,
			       .wall_offset = o->wall_offset,
			       .owner = &i->machine,
			       .owns = owns };
	machine_allow(&i->machine, i->context, sizeof(i->context), true);
	i->maps = mem_zalloc(p->map_count * sizeof(*i->maps));
	for (unsigned k = 0; k < p->map_count; k++)
		elements_init(&i->maps[k], &p->maps[k], &i->machine);
	struct error *err = memory_create(i);
	if (!err)
		err = buffers_create(i, o);
	if (err)
		return err;
	if (p->self_size)
		n->control->self_limit = MAX(o->dynamic_size / (p->self_size + MAP_ELEMENT), 1u);
	describe_process(i);
	return NULL;
}

void memory_deinit(struct interpreter *i)
{
	for (unsigned k = 0; i->maps && k < i->program->map_count; k++)
		elements_deinit(&i->maps[k]);
	free(i->maps);
	for (uint32_t area = 0; i->native.rings && area < i->program->area_count; area++)
		free(i->native.rings[area].bytes);
	flight_deinit(&i->flight);
	for (size_t k = 0; k < i->blocks.count; k++)
		free(i->blocks.items[k]);
	vector_free(&i->blocks);
}

bool memory_refer(void *interpreter, const struct relocation *r, uint64_t *ret)
{
	const struct interpreter *i = interpreter;
	const struct program *p = i->program;
	switch (r->kind) {
	case RELOCATE_MAP: /* a map's index + 1 is used as its address */
		*ret = r->index + 1;
		return true;
	case RELOCATE_CONTROL:
		*ret = (uintptr_t)i->native.control + r->addend;
		return true;
	case RELOCATE_GLOBALS:
		*ret = (uintptr_t)i->globals + r->addend;
		return true;
	case RELOCATE_KEYLESS:
		*ret = (uintptr_t)i->keyless + r->addend;
		return true;
	case RELOCATE_SCRATCH:
		*ret = (uintptr_t)i->native.scratch + r->addend;
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
	case RELOCATE_CGROUPS: /* no event that the interpreter runs tests its task */
		*ret = 0;
		return true;
	case RELOCATE_CALL:
	case RELOCATE_ERROR:
		return false;
	}
	return false;
}
