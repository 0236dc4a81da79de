/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interpreter - runs compiled groups: the interpreter's machine with calls that a test observes
 *
 * The instructions are interpreter/machine.c's, or translated (translate/native.h); memory is laid
 * out as in abi/state.h, and small functions replace some of rt.def, which fail if the test wants
 * it.
 */
#ifndef TESTS_UNIT_CODEGEN_INTERPRETER_H
#define TESTS_UNIT_CODEGEN_INTERPRETER_H

#include <errno.h>

#include "abi/abi.h"
#include "base/base.h"
#include "interpreter/machine.h"
#include "test.h"

#define BENCH_STEPS 1000000
#define BENCH_TIME 1000 /* the result of time(), until a test changes machine.time */
#define BENCH_WALL 5000 /* wall_time() returns so much more */
#define BENCH_PID 42
#define BENCH_TID 43
#define BENCH_WAKE 2

struct bench_element {
	int map;
	char *key, *value;
};

struct bench_fault {
	enum fault code;
	uint32_t action;
	uint64_t address;
	bool in_error;
};

struct bench_record {
	char *bytes;
	uint32_t size;
};

struct bench {
	const struct program *program;
	uint64_t serial; /* no other has it */
	struct machine machine;
	struct control *control;
	struct area_counters *counters;
	char *globals, *keyless, *scratch, *self, *constants;
	struct suspended *suspended; /* of the only thread */
	bool memory_gone;	     /* it has another address space when it comes back */
	uint64_t time, ticks;
	unsigned looks;	   /* of firings that ask whether the consumer is there */
	bool is_abandoned; /* it is not */
	const char *name;  /* execname */
	VECTOR(struct bench_element) elements;
	VECTOR(struct bench_record) records;
	VECTOR(struct bench_fault) faults;
	uint64_t context[32]; /* as event.def says; for functions and timers registers */
	uint64_t task[32], user_registers[40]; /* those of any machine */
	uint64_t cookie;		       /* which of the group's probes fires */
	uint64_t cpu, area;
	uint64_t steps, calls;
	uint64_t claimed; /* slots, a bit each */
	bool full;	  /* no record finds room */
	unsigned refused;
	bool delete_fails; /* of elements that exist */
	bool wake_lost;	   /* a record was written without what RT_room had said */
	uint64_t mischief; /* not 0: calls may fail in every way they may; a random state */
	VECTOR(void *) owned;
	const char *problem; /* why it stopped; NULL: by its exit */
};

/* Not 0 sometimes, when mischief is wanted. */
static inline unsigned bench_mischief(struct bench *m, unsigned limit)
{
	if (!m->mischief)
		return 0;
	m->mischief = m->mischief * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(m->mischief >> 33) % limit;
}

/* --- memory --------------------------------------------------------------------------------- */

/* The program may touch BYTES, which are ours to free. */
static inline void bench_own(struct bench *m, void *bytes, size_t size, bool read_only)
{
	vector_push(&m->owned, bytes);
	machine_allow(&m->machine, bytes, size, read_only);
}

static inline void *bench_region(struct bench *m, size_t size, bool read_only)
{
	char *bytes = mem_zalloc(size + 8);
	bench_own(m, bytes, size, read_only);
	return bytes;
}

static inline void bench_init(struct bench *m, const struct program *p)
{
	static uint64_t serial;
	*m = (struct bench) { .program = p, .serial = ++serial };
	m->control = bench_region(m, sizeof(*m->control), false);
	m->counters = bench_region(m, p->area_count * sizeof(*m->counters), false);
	m->globals = bench_region(m, p->globals_size, false);
	m->keyless = bench_region(m, (size_t)p->area_count * p->keyless_size, false);
	m->scratch = bench_region(m, (size_t)p->area_count * SLOTS_PER_AREA * p->slot_size, false);
	m->self = bench_region(m, p->self_size, false);
	m->suspended = bench_region(m, p->suspended_size, false);
	m->time = BENCH_TIME;
	m->name = "machine";
	m->area = 1;
	m->task[0] = BENCH_PID;
	m->task[1] = BENCH_TID;
	m->constants = bench_region(m, constants_region_size(p), true);
	constants_fill(p, m->constants);
	m->control->activity = ACTIVITY_ACTIVE;
	m->control->deadman.look_at = 1; /* ticks stand still until a test changes them */
}

static inline void bench_deinit(struct bench *m)
{
	for (size_t i = 0; i < m->owned.count; i++)
		free(m->owned.items[i]);
	for (size_t i = 0; i < m->elements.count; i++)
		free(m->elements.items[i].key);
	for (size_t i = 0; i < m->records.count; i++)
		free(m->records.items[i].bytes);
	vector_free(&m->owned);
	machine_deinit(&m->machine);
	vector_free(&m->elements);
	vector_free(&m->records);
	vector_free(&m->faults);
}
#define auto_bench __attribute__((cleanup(bench_deinit)))

static inline bool bench_stop(struct bench *m, const char *problem)
{
	return machine_stop(&m->machine, problem);
}

static inline bool bench_may_touch(struct bench *m, uint64_t address, size_t size, bool write)
{
	return machine_may_touch(&m->machine, address, size, write);
}

static inline char *bench_element(struct bench *m, int map, const void *key)
{
	uint32_t size = m->program->maps[map].key_size;
	for (size_t i = 0; i < m->elements.count; i++)
		if (m->elements.items[i].map == map && m->elements.items[i].key &&
		    memcmp(m->elements.items[i].key, key, size) == 0)
			return m->elements.items[i].value;
	return NULL;
}

static inline void bench_element_make(struct bench *m, int map, const void *key, const void *value)
{
	const struct map_layout *layout = &m->program->maps[map];
	char *copy = mem_alloc(layout->key_size);
	memcpy(copy, key, layout->key_size);
	char *bytes = bench_region(m, layout->value_size, false);
	memcpy(bytes, value, layout->value_size);
	vector_push(&m->elements, (struct bench_element) { map, copy, bytes });
}

static inline void bench_element_delete(struct bench *m, int map, const void *key)
{
	uint32_t size = m->program->maps[map].key_size;
	for (size_t i = 0; i < m->elements.count; i++)
		if (m->elements.items[i].map == map && m->elements.items[i].key &&
		    memcmp(m->elements.items[i].key, key, size) == 0) {
			free(m->elements.items[i].key);
			m->elements.items[i].key = NULL;
		}
}

/* --- functions for the program --------------------------------------------------------------- */

/* A map's index + 1 is used as its address. */
static inline uint64_t bench_map_call(struct bench *m, enum rt_function f, const uint64_t *r)
{
	int map = (int)r[1] - 1;
	if (map < 0 || map >= (int)m->program->map_count)
		return bench_stop(m, "calls a map function without a map");
	const struct map_layout *layout = &m->program->maps[map];
	const void *key = (const void *)(uintptr_t)r[2];
	if (!bench_may_touch(m, r[2], layout->key_size, false))
		return 0;
	char *found = bench_element(m, map, key);
	if (f == RT_map_lookup)
		return (uintptr_t)found;
	if (f == RT_map_delete && !found)
		return (uint32_t)-ENOENT; /* an int, as in 6.1 */
	if (f == RT_map_delete && (m->delete_fails || bench_mischief(m, 4) == 1))
		return (uint32_t)-EBUSY;
	if (f == RT_map_delete) {
		bench_element_delete(m, map, key);
		return 0;
	}
	if (bench_may_touch(m, r[3], layout->value_size, false) && !found &&
	    bench_mischief(m, 4) != 1)
		bench_element_make(m, map, key, (const void *)(uintptr_t)r[3]);
	return 0;
}

static inline uint64_t bench_slot_claim(struct bench *m)
{
	unsigned i = 0, count = m->program->area_count * SLOTS_PER_AREA;
	while (i < count && m->claimed >> i & 1)
		i++;
	if (i == count || bench_mischief(m, 8) == 1)
		return (uint64_t)-1;
	m->claimed |= 1ull << i;
	uint64_t offset = (uint64_t)i * m->program->slot_size;
	struct slot *slot = (struct slot *)(m->scratch + offset);
	memset(slot, 0xa5, m->program->slot_size);
	*slot = (struct slot) { .busy = 1, .address = (uintptr_t)slot };
	return offset;
}

/* By the table, as runtime/piece.c; the slots follow each other, and nothing follows the last. */
static inline uint64_t bench_piece_test(struct bench *m, const uint64_t *r)
{
	uint64_t size = m->program->slot_size;
	const char *slot = m->scratch + r[1] / size * size;
	const struct piece *pieces = (const struct piece *)(m->scratch + r[1]);
	uint64_t all = m->program->area_count * SLOTS_PER_AREA * size;
	if (r[2] + r[3] < (uintptr_t)m->scratch || r[2] >= (uintptr_t)m->scratch + all)
		return PIECE_OTHER;
	for (uint64_t i = 0; i < r[4]; i++) {
		uintptr_t begin = (uintptr_t)slot + pieces[i].begin;
		uintptr_t end = (uintptr_t)slot + pieces[i].end;
		if (pieces[i].end && r[2] >= begin && r[2] <= end && r[3] <= end - r[2])
			return PIECE_INSIDE;
	}
	return (uint64_t)PIECE_NONE;
}

static inline uint64_t bench_slot_of(struct bench *m, uint64_t firing)
{
	for (unsigned i = 0; i < m->program->area_count * SLOTS_PER_AREA; i++) {
		uint64_t offset = (uint64_t)i * m->program->slot_size;
		struct slot *slot = (struct slot *)(m->scratch + offset);
		if (!(m->claimed >> i & 1) || slot->busy != firing)
			continue;
		slot->busy = 1;
		return offset;
	}
	return bench_stop(m, "goes on without the slot that was left for it");
}

static inline uint64_t bench_slot_release(struct bench *m, uint64_t offset)
{
	unsigned i = (unsigned)(offset / m->program->slot_size);
	if (offset % m->program->slot_size || i >= 64 || !(m->claimed >> i & 1))
		return bench_stop(m, "releases a slot that it does not have");
	if (((const struct slot *)(m->scratch + offset))->truncations_pending)
		return bench_stop(m, "releases a slot whose cut strings are not counted");
	m->claimed &= ~(1ull << i);
	return 0;
}

/* A store of VALUE at the address AT: is it the end of a slot's use? */
static inline void bench_slot_stored(void *bench, uint64_t at, uint64_t value)
{
	struct bench *m = bench;
	uint64_t offset = at - (uintptr_t)m->scratch;
	bool is_busy = offset < (uint64_t)m->program->area_count * SLOTS_PER_AREA *
					m->program->slot_size &&
		       offset % m->program->slot_size == offsetof(struct slot, busy);
	if (!is_busy)
		return;
	if (!value)
		bench_slot_release(m, offset);
	else if (!(m->claimed >> offset / m->program->slot_size & 1)) /* else: left on its way */
		bench_stop(m, "claims a slot that may have been claimed");
}

/* No string is truncated here.  The slot's offset may be that of none. */
static inline uint64_t bench_truncations_end(struct bench *m, uint64_t offset)
{
	uint64_t i = offset / m->program->slot_size;
	if (i < 64 && m->claimed >> i & 1)
		((struct slot *)(m->scratch + offset))->truncations_pending = 0;
	return 0;
}

static inline uint64_t bench_output(struct bench *m, uint64_t address, uint64_t size)
{
	if (!bench_may_touch(m, address, size, false))
		return 0;
	char *copy = mem_alloc(size);
	memcpy(copy, (const void *)(uintptr_t)address, size);
	vector_push(&m->records, (struct bench_record) { copy, (uint32_t)size });
	return 0;
}

static inline uint64_t bench_fault(struct bench *m, const uint64_t *r, bool in_error)
{
	if (bench_may_touch(m, r[1], sizeof(struct record_header), false))
		vector_push(&m->faults,
			    (struct bench_fault) { (enum fault)(uint32_t)r[2],
						   (uint32_t)(r[2] >> 32), r[3], in_error });
	return 0;
}

static inline uint64_t bench_read(struct bench *m, const uint64_t *r)
{
	if (!bench_may_touch(m, r[1], r[2], true))
		return 0;
	if (!machine_owns(&m->machine, r[3], r[2])) /* an address of nothing */
		return bench_mischief(m, 2) ? 0 : (uint64_t)-14;
	memmove((void *)(uintptr_t)r[1], (const void *)(uintptr_t)r[3], r[2]);
	return 0;
}

/* Both places must be the program's own. */
static inline uint64_t bench_copy(struct bench *m, const uint64_t *r)
{
	if (bench_may_touch(m, r[3], r[2], false) && bench_may_touch(m, r[1], r[2], true))
		memmove((void *)(uintptr_t)r[1], (const void *)(uintptr_t)r[3], r[2]);
	return MACHINE_GARBAGE; /* nobody looks */
}

static inline uint64_t bench_wait(struct bench *m, uint64_t address, uint64_t resume)
{
	if (!resume || address < 4096 || bench_mischief(m, 3) == 1)
		return 0;
	m->suspended->pending = 1;
	m->suspended->gone = 0;
	m->suspended->resume = (uint32_t)resume;
	m->control->suspended++;
	return (uintptr_t)m->suspended;
}

static inline uint64_t bench_overtaken(struct bench *m)
{
	m->control->overtaken += m->suspended->pending;
	m->control->suspended -= m->suspended->pending;
	m->suspended->pending = 0;
	return 0;
}

static inline uint64_t bench_resume(struct bench *m)
{
	if (!m->program->suspended_size || !m->suspended->pending)
		return 0;
	m->suspended->pending = 0;
	m->suspended->gone = m->memory_gone;
	m->control->suspended--;
	return (uintptr_t)m->suspended;
}

/* A short text at the address R2 into the slot at R1; in mischief any text. */
static inline uint64_t bench_text(struct bench *m, const uint64_t *r)
{
	struct slot *slot =
		(struct slot *)(m->scratch + r[1] / m->program->slot_size * m->program->slot_size);
	const char *from = m->mischief ? "any" : (const char *)(uintptr_t)r[2];
	if (m->mischief ? bench_mischief(m, 2) : !machine_owns(&m->machine, r[2], 1)) {
		slot->fault = FAULT_BADADDR + 1;
		slot->fault_address = r[2];
		return 0;
	}
	size_t size = strlen(from) + 1;
	if (size > m->program->string_size + 1)
		return bench_stop(m, "reads a text that this executor does not cut");
	if (bench_may_touch(m, (uintptr_t)m->scratch + r[1], size, true))
		memcpy(m->scratch + r[1], from, size);
	return size;
}

static inline uint64_t bench_divide(enum rt_function f, int64_t x, int64_t y)
{
	if (y == 0)
		return MACHINE_GARBAGE;
	if (y == -1)
		return f == RT_divide_signed ? 0 - (uint64_t)x : 0;
	return (uint64_t)(f == RT_divide_signed ? x / y : x % y);
}

/*
 * Functions that this executor does not have: any result, and sometimes a fault, in the form of
 * all functions that may fault: in the slot of the argument or the last one.
 */
static inline uint64_t bench_any(struct bench *m, enum rt_function f)
{
	static const uint64_t answers[] = { 0, 1, 2, 7, 8, 16, 100, (uint64_t)-1 };
	if (!m->mischief)
		return bench_stop(m, "calls what this executor does not have");
	if (m->claimed && bench_mischief(m, 4) == 1) {
		unsigned last = 63 - (unsigned)__builtin_clzll(m->claimed);
		struct slot *slot =
			(struct slot *)(m->scratch + (size_t)last * m->program->slot_size);
		slot->fault = FAULT_BADADDR + 1;
	}
	return answers[bench_mischief(m, ARRAY_SIZE(answers))];
}

static inline uint64_t bench_rt(void *bench, enum rt_function f, const uint64_t *r)
{
	struct bench *m = bench;
	m->calls++;
	switch (f) {
	case RT_time:
		return m->time;
	case RT_ticks:
		return m->ticks;
	case RT_look:
		m->looks++;
		return m->is_abandoned;
	case RT_wall_time:
		return r[1] + BENCH_WALL;
	case RT_suspend:
		return bench_wait(m, r[1], r[2]);
	case RT_overtaken:
		return bench_overtaken(m);
	case RT_resume:
		return bench_resume(m);
	case RT_resumed:
		return (uintptr_t)m->suspended;
	case RT_text_kernel:
	case RT_text_user:
	case RT_text_user_sleepable:
		return bench_text(m, r);
	case RT_pid_tgid:
		return (uint64_t)BENCH_PID << 32 | BENCH_TID;
	case RT_cpu:
		return m->cpu;
	case RT_area:
		return m->area;
	case RT_aggregate_max:
		return 0;	 /* nobody looks */
	case RT_lquantize_index: /* of a value in the middle */
		return 1 + (r[1] - r[2]) / r[3];
	case RT_task:
		return (uintptr_t)m->task;
	case RT_task_number:
		return 0xffff888000001000;
	case RT_user_regs:
		return (uintptr_t)m->user_registers;
	case RT_cookie:
		return m->cookie;
	case RT_copy:
		return bench_copy(m, r);
	case RT_read_kernel:
	case RT_read_user:
	case RT_read_user_sleepable:
		return bench_read(m, r);
	case RT_comm:
		if (bench_may_touch(m, r[1], r[2], true))
			strncpy((char *)(uintptr_t)r[1], m->name, r[2]);
		return 0;
	case RT_slot_claim:
		return bench_slot_claim(m);
	case RT_slot_of:
		return bench_slot_of(m, r[1]);
	case RT_slot_release:
		return bench_slot_release(m, r[1]);
	case RT_piece_test:
		return bench_piece_test(m, r);
	case RT_truncations_end:
	case RT_truncations_forget:
		return bench_truncations_end(m, r[1]);
	case RT_room:
		m->refused += m->full;
		return m->full || bench_mischief(m, 8) == 1 ? 0 : BENCH_WAKE;
	case RT_output:
		m->wake_lost |= r[3] != BENCH_WAKE;
		return bench_output(m, r[1], r[2]);
	case RT_output_slot:
		m->wake_lost |= r[3] != BENCH_WAKE;
		return bench_output(m, (uintptr_t)m->scratch + r[1], r[2]);
	case RT_fault:
	case RT_error_in_error:
		return bench_fault(m, r, f == RT_error_in_error);
	case RT_exit:
		m->control->activity = ACTIVITY_DRAINING;
		m->control->exited = 1;
		return 0;
	case RT_map_lookup:
	case RT_map_update:
	case RT_map_delete:
		return bench_map_call(m, f, r);
	case RT_self_find:
	case RT_self_make:
		return bench_mischief(m, 3) == 1 ? 0 : (uintptr_t)m->self;
	case RT_divide_signed:
	case RT_modulo_signed:
		return bench_divide(f, (int64_t)r[1], (int64_t)r[2]);
	default:
		return bench_any(m, f);
	}
}

/* --- references ------------------------------------------------------------------------------ */

static inline uint64_t bench_address(const struct bench *m, const struct relocation *r)
{
	const struct program *p = m->program;
	switch (r->kind) {
	case RELOCATE_MAP:
		return r->index + 1;
	case RELOCATE_CONTROL:
		return (uintptr_t)m->control + r->addend;
	case RELOCATE_GLOBALS:
		return (uintptr_t)m->globals + r->addend;
	case RELOCATE_KEYLESS:
		return (uintptr_t)m->keyless + r->addend;
	case RELOCATE_SCRATCH:
		return (uintptr_t)m->scratch + r->addend;
	case RELOCATE_SLOTS_LAST:
		return scratch_last_slot(p);
	case RELOCATE_STACK_SKIP:
		return 0;
	case RELOCATE_CONSTANTS:
		return (uintptr_t)m->constants + r->addend;
	case RELOCATE_CONSTANTS_END:
		return constants_last_string(p);
	case RELOCATE_PROBES:
		return (uintptr_t)m->constants + r->addend +
		       constants_table(p, (unsigned)(m->machine.group - p->groups));
	case RELOCATE_CALL:
	case RELOCATE_ERROR:
	case RELOCATE_FUNCTION: /* the machine knows them */
	case RELOCATE_CALLS:	/* it has no returns */
	case RELOCATE_CALLS_LAST:
	case RELOCATE_THREADS:
	case RELOCATE_CGROUPS: /* no test sets task_tests */
	case RELOCATE_PARTS:   /* the machine knows them */
		break;
	}
	return 0;
}

static inline bool bench_refer(void *bench, const struct relocation *r, uint64_t *ret)
{
	*ret = bench_address(bench, r);
	return r->kind != RELOCATE_CALL && r->kind != RELOCATE_ERROR;
}

static inline bool bench_interpret(struct bench *m, const struct group_code *group)
{
	return machine_run(&m->machine, group, m->context);
}

/* Runs GROUP; false: see machine.problem. */
static bool (*bench_run)(struct bench *m, const struct group_code *group) = bench_interpret;

/*
 * Fire EVENT's probe with this index: a system call's number, of BEGIN and END the
 * context, else the cookie.  False: see machine.problem.
 */
static inline bool bench_fire(struct bench *m, const struct group_code *group, uint64_t index)
{
	if (m->area >= m->program->area_count) { /* abi/state.h */
		m->control->no_area++;
		return true;
	}
	const struct {
		const void *bytes;
		size_t size;
	} mine[] = { { m->context, sizeof(m->context) },
		     { m->task, sizeof(m->task) },
		     { m->user_registers, sizeof(m->user_registers) } };
	size_t regions[ARRAY_SIZE(mine)];
	bool is_call = group->kind == EVENT_SYSCALL_ENTRY;
	if (event_is_syscall(group->kind))
		m->context[0] = (uintptr_t)m->user_registers;
	if (is_call || group->kind == EVENT_BEGIN || group->kind == EVENT_END)
		m->context[is_call] = index;
	m->cookie = index;
	m->machine.arg = m;
	m->machine.call = bench_rt;
	m->machine.refer = bench_refer;
	m->machine.stored = bench_slot_stored;
	m->machine.steps_most = BENCH_STEPS;
	for (size_t i = 0; i < ARRAY_SIZE(mine); i++)
		regions[i] = machine_allow(&m->machine, mine[i].bytes, mine[i].size, true);
	bench_run(m, group);
	for (size_t i = 0; i < ARRAY_SIZE(mine); i++)
		machine_forbid(&m->machine, regions[i]);
	m->steps += m->machine.steps;
	m->problem = m->machine.problem;
	return !m->problem;
}

#endif
