/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interpreter - runs compiled groups in this process
 *
 * The smallest executor of abi/abi.h: the instructions that codegen emits, memory
 * laid out as abi/state.h says, and small functions for some of rt.def.  It is
 * harsher than the kernel: memory and registers begin as garbage, calls destroy
 * R1 to R5, and each access must lie in memory that the program may touch.
 */
#ifndef TESTS_UNIT_CODEGEN_INTERPRETER_H
#define TESTS_UNIT_CODEGEN_INTERPRETER_H

#include <errno.h>

#include "abi/abi.h"
#include "base/base.h"
#include "test.h"

#define MACHINE_GARBAGE 0xa5a5a5a5a5a5a5a5ull
#define MACHINE_STEPS 1000000
#define MACHINE_TIME 1000 /* what time() answers, until a test changes machine.time */
#define MACHINE_WALL 5000 /* more is what wall_time() answers */
#define MACHINE_PID 42
#define MACHINE_TID 43
#define MACHINE_WAKE 2

struct machine_region {
	char *bytes;
	size_t size;
	bool read_only;
};

struct machine_element {
	int map;
	char *key, *value;
};

struct machine_fault {
	enum fault code;
	uint32_t action;
	uint64_t address;
	bool in_error;
};

struct machine_record {
	char *bytes;
	uint32_t size;
};

struct machine {
	const struct program *program;
	const struct group_code *group;
	struct control *control;
	struct area_counters *counters;
	char *globals, *keyless, *scratch, *self, *constants;
	struct waiting *waiting; /* of the only thread */
	bool memory_gone;	 /* it has another address space when it comes back */
	uint64_t time;
	const char *name; /* execname */
	VECTOR(struct machine_element) elements;
	VECTOR(struct machine_record) records;
	VECTOR(struct machine_fault) faults;
	uint64_t context[32]; /* as event.def says; for functions and timers registers */
	uint64_t task[32], user_registers[32];
	uint64_t cookie; /* which of the group's probes fires */
	uint64_t cpu, area;
	uint64_t steps, calls;
	uint64_t claimed; /* slots, a bit each */
	bool full;	  /* no record finds room */
	unsigned refused;
	bool delete_fails; /* of elements that exist */
	bool wake_lost;	   /* a record was written without what RT_room had said */
	uint64_t mischief; /* not 0: calls may fail in every way they may; a random state */
	VECTOR(struct machine_region) regions;
	const char *problem; /* why it stopped; NULL: by its exit */
};

/* Not 0 sometimes, when mischief is wanted. */
static inline unsigned machine_mischief(struct machine *m, unsigned limit)
{
	if (!m->mischief)
		return 0;
	m->mischief = m->mischief * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(m->mischief >> 33) % limit;
}

/* --- memory --------------------------------------------------------------------------------- */

static inline void *machine_region(struct machine *m, size_t size, bool read_only)
{
	char *bytes = mem_zalloc(size + 8);
	vector_push(&m->regions, (struct machine_region) { bytes, size, read_only });
	return bytes;
}

static inline void machine_init(struct machine *m, const struct program *p)
{
	*m = (struct machine) { .program = p };
	m->control = machine_region(m, sizeof(*m->control), false);
	m->counters = machine_region(m, p->area_count * sizeof(*m->counters), false);
	m->globals = machine_region(m, p->globals_size, false);
	m->keyless = machine_region(m, (size_t)p->area_count * p->keyless_size, false);
	m->scratch =
		machine_region(m, (size_t)p->area_count * SLOTS_PER_AREA * p->slot_size, false);
	m->self = machine_region(m, p->self_size, false);
	m->waiting = machine_region(m, p->waiting_size, false);
	m->time = MACHINE_TIME;
	m->name = "machine";
	m->area = 1;
	m->task[0] = MACHINE_PID;
	m->task[1] = MACHINE_TID;
	m->constants = machine_region(m, p->constants_size, true);
	memcpy(m->constants, p->constants, p->constants_size);
	m->control->activity = ACTIVITY_ACTIVE;
}

static inline void machine_deinit(struct machine *m)
{
	for (size_t i = 0; i < m->regions.count; i++)
		free(m->regions.items[i].bytes);
	for (size_t i = 0; i < m->elements.count; i++)
		free(m->elements.items[i].key);
	for (size_t i = 0; i < m->records.count; i++)
		free(m->records.items[i].bytes);
	vector_free(&m->regions);
	vector_free(&m->elements);
	vector_free(&m->records);
	vector_free(&m->faults);
}
#define auto_machine __attribute__((cleanup(machine_deinit)))

static inline bool machine_stop(struct machine *m, const char *problem)
{
	if (!m->problem)
		m->problem = problem;
	return false;
}

/* The region that holds these bytes, or NULL. */
static inline const struct machine_region *machine_find(const struct machine *m, uint64_t address,
							size_t size)
{
	for (size_t i = 0; i < m->regions.count; i++) {
		const struct machine_region *r = &m->regions.items[i];
		uint64_t offset = address - (uintptr_t)r->bytes;
		if (offset < r->size && size <= r->size - offset)
			return r;
	}
	return NULL;
}

static inline bool machine_may_touch(struct machine *m, uint64_t address, size_t size, bool write)
{
	const struct machine_region *r = machine_find(m, address, size);
	if (!r)
		return machine_stop(m, "touches memory that is not its own");
	return !(write && r->read_only) || machine_stop(m, "writes read-only memory");
}

static inline char *machine_element(struct machine *m, int map, const void *key)
{
	uint32_t size = m->program->maps[map].key_size;
	for (size_t i = 0; i < m->elements.count; i++)
		if (m->elements.items[i].map == map && m->elements.items[i].key &&
		    memcmp(m->elements.items[i].key, key, size) == 0)
			return m->elements.items[i].value;
	return NULL;
}

static inline void machine_element_make(struct machine *m, int map, const void *key,
					const void *value)
{
	const struct map_layout *layout = &m->program->maps[map];
	char *copy = mem_alloc(layout->key_size);
	memcpy(copy, key, layout->key_size);
	char *bytes = machine_region(m, layout->value_size, false);
	memcpy(bytes, value, layout->value_size);
	vector_push(&m->elements, (struct machine_element) { map, copy, bytes });
}

static inline void machine_element_delete(struct machine *m, int map, const void *key)
{
	uint32_t size = m->program->maps[map].key_size;
	for (size_t i = 0; i < m->elements.count; i++)
		if (m->elements.items[i].map == map && m->elements.items[i].key &&
		    memcmp(m->elements.items[i].key, key, size) == 0) {
			free(m->elements.items[i].key);
			m->elements.items[i].key = NULL;
		}
}

/* --- what the program may call --------------------------------------------------------------- */

/* A map's index + 1 stands for its address. */
static inline uint64_t machine_map_call(struct machine *m, enum rt_function f, const uint64_t *r)
{
	int map = (int)r[1] - 1;
	if (map < 0 || map >= (int)m->program->map_count)
		return machine_stop(m, "calls a map function without a map");
	const struct map_layout *layout = &m->program->maps[map];
	const void *key = (const void *)(uintptr_t)r[2];
	if (!machine_may_touch(m, r[2], layout->key_size, false))
		return 0;
	char *found = machine_element(m, map, key);
	if (f == RT_map_lookup)
		return (uintptr_t)found;
	if (f == RT_map_delete && !found)
		return (uint32_t)-ENOENT; /* an int, as in 6.1 */
	if (f == RT_map_delete && (m->delete_fails || machine_mischief(m, 4) == 1))
		return (uint32_t)-EBUSY;
	if (f == RT_map_delete) {
		machine_element_delete(m, map, key);
		return 0;
	}
	if (machine_may_touch(m, r[3], layout->value_size, false) && !found &&
	    machine_mischief(m, 4) != 1)
		machine_element_make(m, map, key, (const void *)(uintptr_t)r[3]);
	return 0;
}

static inline uint64_t machine_slot_claim(struct machine *m)
{
	unsigned i = 0, count = m->program->area_count * SLOTS_PER_AREA;
	while (i < count && m->claimed >> i & 1)
		i++;
	if (i == count || machine_mischief(m, 8) == 1)
		return (uint64_t)-1;
	m->claimed |= 1ull << i;
	uint64_t offset = (uint64_t)i * m->program->slot_size;
	struct slot *slot = (struct slot *)(m->scratch + offset);
	memset(slot, 0xa5, m->program->slot_size);
	*slot = (struct slot) { .busy = 1, .address = (uintptr_t)slot };
	return offset;
}

static inline uint64_t machine_slot_release(struct machine *m, uint64_t offset)
{
	unsigned i = (unsigned)(offset / m->program->slot_size);
	if (offset % m->program->slot_size || i >= 64 || !(m->claimed >> i & 1))
		return machine_stop(m, "releases a slot that it does not have");
	if (((const struct slot *)(m->scratch + offset))->cuts_wait)
		return machine_stop(m, "releases a slot whose cut strings are not counted");
	m->claimed &= ~(1ull << i);
	return 0;
}

/* A store of VALUE at the address AT: is it the end of a slot's use? */
static inline void machine_slot_stored(struct machine *m, uint64_t at, uint64_t value)
{
	uint64_t offset = at - (uintptr_t)m->scratch;
	bool is_busy = offset < (uint64_t)m->program->area_count * SLOTS_PER_AREA *
					m->program->slot_size &&
		       offset % m->program->slot_size == offsetof(struct slot, busy);
	if (!is_busy)
		return;
	if (value)
		machine_stop(m, "claims a slot that may have been claimed");
	else
		machine_slot_release(m, offset);
}

/* No string is cut here.  The slot's offset may be that of none. */
static inline uint64_t machine_cuts_end(struct machine *m, uint64_t offset)
{
	uint64_t i = offset / m->program->slot_size;
	if (i < 64 && m->claimed >> i & 1)
		((struct slot *)(m->scratch + offset))->cuts_wait = 0;
	return 0;
}

static inline uint64_t machine_output(struct machine *m, uint64_t address, uint64_t size)
{
	if (!machine_may_touch(m, address, size, false))
		return 0;
	char *copy = mem_alloc(size);
	memcpy(copy, (const void *)(uintptr_t)address, size);
	vector_push(&m->records, (struct machine_record) { copy, (uint32_t)size });
	return 0;
}

static inline uint64_t machine_fault(struct machine *m, const uint64_t *r, bool in_error)
{
	if (machine_may_touch(m, r[1], sizeof(struct record_header), false))
		vector_push(&m->faults,
			    (struct machine_fault) { (enum fault)(uint32_t)r[2],
						     (uint32_t)(r[2] >> 32), r[3], in_error });
	return 0;
}

static inline uint64_t machine_read(struct machine *m, const uint64_t *r)
{
	if (!machine_may_touch(m, r[1], r[2], true))
		return 0;
	if (!machine_find(m, r[3], r[2])) /* an address of nothing */
		return machine_mischief(m, 2) ? 0 : (uint64_t)-14;
	memmove((void *)(uintptr_t)r[1], (const void *)(uintptr_t)r[3], r[2]);
	return 0;
}

/* Both places must be the program's own. */
static inline uint64_t machine_copy(struct machine *m, const uint64_t *r)
{
	if (machine_may_touch(m, r[3], r[2], false) && machine_may_touch(m, r[1], r[2], true))
		memmove((void *)(uintptr_t)r[1], (const void *)(uintptr_t)r[3], r[2]);
	return MACHINE_GARBAGE; /* nobody looks */
}

static inline uint64_t machine_wait(struct machine *m, uint64_t address, uint64_t resume)
{
	if (!resume || address < 4096 || machine_mischief(m, 3) == 1)
		return 0;
	m->waiting->waits = 1;
	m->waiting->gone = 0;
	m->waiting->resume = (uint32_t)resume;
	m->control->waiting++;
	return (uintptr_t)m->waiting;
}

static inline uint64_t machine_overtaken(struct machine *m)
{
	m->control->overtaken += m->waiting->waits;
	m->control->waiting -= m->waiting->waits;
	m->waiting->waits = 0;
	return 0;
}

static inline uint64_t machine_resume(struct machine *m)
{
	if (!m->program->waiting_size || !m->waiting->waits)
		return 0;
	m->waiting->waits = 0;
	m->waiting->gone = m->memory_gone;
	m->control->waiting--;
	return (uintptr_t)m->waiting;
}

/* A short text at the address R2 into the slot at R1; in mischief any text. */
static inline uint64_t machine_text(struct machine *m, const uint64_t *r)
{
	struct slot *slot =
		(struct slot *)(m->scratch + r[1] / m->program->slot_size * m->program->slot_size);
	const char *from = m->mischief ? "any" : (const char *)(uintptr_t)r[2];
	if (m->mischief ? machine_mischief(m, 2) : !machine_find(m, r[2], 1)) {
		slot->fault = FAULT_BADADDR + 1;
		slot->fault_address = r[2];
		return 0;
	}
	size_t size = strlen(from) + 1;
	if (size > m->program->string_size + 1)
		return machine_stop(m, "reads a text that this executor does not cut");
	if (machine_may_touch(m, (uintptr_t)m->scratch + r[1], size, true))
		memcpy(m->scratch + r[1], from, size);
	return size;
}

static inline uint64_t machine_divide(enum rt_function f, int64_t x, int64_t y)
{
	if (y == 0)
		return MACHINE_GARBAGE;
	if (y == -1)
		return f == RT_divide_signed ? 0 - (uint64_t)x : 0;
	return (uint64_t)(f == RT_divide_signed ? x / y : x % y);
}

/*
 * What this executor does not have: any answer, and sometimes a fault, as all
 * functions that may fault leave it: in the slot of the argument or the last one.
 */
static inline uint64_t machine_any(struct machine *m, enum rt_function f)
{
	static const uint64_t answers[] = { 0, 1, 2, 7, 8, 16, 100, (uint64_t)-1 };
	if (!m->mischief)
		return machine_stop(m, "calls what this executor does not have");
	if (m->claimed && machine_mischief(m, 4) == 1) {
		unsigned last = 63 - (unsigned)__builtin_clzll(m->claimed);
		struct slot *slot =
			(struct slot *)(m->scratch + (size_t)last * m->program->slot_size);
		slot->fault = FAULT_BADADDR + 1;
	}
	return answers[machine_mischief(m, ARRAY_SIZE(answers))];
}

static inline uint64_t machine_rt(struct machine *m, enum rt_function f, const uint64_t *r)
{
	m->calls++;
	switch (f) {
	case RT_time:
		return m->time;
	case RT_wall_time:
		return r[1] + MACHINE_WALL;
	case RT_wait:
		return machine_wait(m, r[1], r[2]);
	case RT_overtaken:
		return machine_overtaken(m);
	case RT_resume:
		return machine_resume(m);
	case RT_text_kernel:
	case RT_text_user:
	case RT_text_user_wait:
		return machine_text(m, r);
	case RT_pid_tgid:
		return (uint64_t)MACHINE_PID << 32 | MACHINE_TID;
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
		return machine_copy(m, r);
	case RT_read_kernel:
	case RT_read_user:
	case RT_read_user_wait:
		return machine_read(m, r);
	case RT_comm:
		if (machine_may_touch(m, r[1], r[2], true))
			strncpy((char *)(uintptr_t)r[1], m->name, r[2]);
		return 0;
	case RT_slot_claim:
		return machine_slot_claim(m);
	case RT_slot_release:
		return machine_slot_release(m, r[1]);
	case RT_cuts_end:
	case RT_cuts_forget:
		return machine_cuts_end(m, r[1]);
	case RT_room:
		m->refused += m->full;
		return m->full || machine_mischief(m, 8) == 1 ? 0 : MACHINE_WAKE;
	case RT_output:
		m->wake_lost |= r[3] != MACHINE_WAKE;
		return machine_output(m, r[1], r[2]);
	case RT_output_slot:
		m->wake_lost |= r[3] != MACHINE_WAKE;
		return machine_output(m, (uintptr_t)m->scratch + r[1], r[2]);
	case RT_fault:
	case RT_error_in_error:
		return machine_fault(m, r, f == RT_error_in_error);
	case RT_exit:
		m->control->activity = ACTIVITY_DRAINING;
		m->control->exited = 1;
		return 0;
	case RT_map_lookup:
	case RT_map_update:
	case RT_map_delete:
		return machine_map_call(m, f, r);
	case RT_self_find:
	case RT_self_make:
		return machine_mischief(m, 3) == 1 ? 0 : (uintptr_t)m->self;
	case RT_divide_signed:
	case RT_modulo_signed:
		return machine_divide(f, (int64_t)r[1], (int64_t)r[2]);
	default:
		return machine_any(m, f);
	}
}

/* --- references
 * ------------------------------------------------------------------------------------ */

static inline const struct relocation *machine_relocation(const struct machine *m, uint32_t at)
{
	const struct relocation *list = m->group->relocations;
	size_t low = 0, high = m->group->relocation_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (list[middle].instruction == at)
			return &list[middle];
		if (list[middle].instruction < at)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static inline uint64_t machine_address(struct machine *m, const struct relocation *r)
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
		return (uint64_t)(p->area_count * SLOTS_PER_AREA - 1) * p->slot_size;
	case RELOCATE_STACK_SKIP:
		return 0;
	case RELOCATE_CONSTANTS:
		return (uintptr_t)m->constants + r->addend;
	case RELOCATE_CONSTANTS_END:
		return p->constants_size - p->string_size - 24;
	case RELOCATE_PROBES:
		return (uintptr_t)m->group->probe_table + r->addend;
	case RELOCATE_CALL:
	case RELOCATE_ERROR:
		break;
	}
	return machine_stop(m, "loads the address of a function");
}

/* --- instructions
 * ------------------------------------------------------------------------------------ */

static inline uint64_t machine_alu(struct machine *m, int op, uint64_t a, uint64_t b, int bits)
{
	uint64_t mask = bits == 64 ? ~0ull : UINT32_MAX;
	unsigned shift = (unsigned)b & (unsigned)(bits - 1);
	a &= mask;
	b &= mask;
	switch (op) {
	case BPF_ADD:
		return (a + b) & mask;
	case BPF_SUB:
		return (a - b) & mask;
	case BPF_MUL:
		return (a * b) & mask;
	case BPF_DIV:
		return b ? a / b : 0;
	case BPF_MOD:
		return b ? a % b : a;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return (a << shift) & mask;
	case BPF_RSH:
		return a >> shift;
	case BPF_ARSH:
		return (bits == 64 ? (uint64_t)((int64_t)a >> shift)
				   : (uint64_t)((int32_t)a >> shift)) &
		       mask;
	case BPF_NEG:
		return (0 - a) & mask;
	case BPF_MOV:
		return b;
	default:
		return machine_stop(m, "an arithmetic instruction that does not exist");
	}
}

static inline bool machine_jumps(struct machine *m, int op, uint64_t a, uint64_t b, bool wide)
{
	int64_t sa = wide ? (int64_t)a : (int32_t)a, sb = wide ? (int64_t)b : (int32_t)b;
	a = wide ? a : (uint32_t)a;
	b = wide ? b : (uint32_t)b;
	switch (op) {
	case BPF_JA:
		return true;
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return a <= b;
	case BPF_JSGT:
		return sa > sb;
	case BPF_JSGE:
		return sa >= sb;
	case BPF_JSLT:
		return sa < sb;
	case BPF_JSLE:
		return sa <= sb;
	case BPF_JSET:
		return a & b;
	default:
		return machine_stop(m, "a jump that does not exist");
	}
}

static inline uint64_t machine_swap(uint64_t value, int bits)
{
	return bits == 16   ? __builtin_bswap16((uint16_t)value)
	       : bits == 32 ? __builtin_bswap32((uint32_t)value)
			    : __builtin_bswap64(value);
}

static inline size_t machine_size(int code)
{
	static const uint8_t sizes[] = { 4, 2, 1, 8 };
	return sizes[BPF_SIZE(code) >> 3];
}

static inline void machine_atomic(struct machine *m, const struct bpf_insn *n, uint64_t *r,
				  uint64_t at, size_t size)
{
	uint64_t old = 0, new = 0;
	memcpy(&old, (const void *)(uintptr_t)at, size);
	int op = n->imm & ~BPF_FETCH;
	if (op == BPF_ADD || op == BPF_OR || op == BPF_AND || op == BPF_XOR)
		new = machine_alu(m, op, old, r[n->src_reg], (int)size * 8);
	else
		machine_stop(m, "an atomic operation that the kernel does not know");
	if (size < 4 || at % size)
		machine_stop(m, "an atomic operation that the kernel would refuse");
	memcpy((void *)(uintptr_t)at, &new, size);
	if (n->imm & BPF_FETCH)
		r[n->src_reg] = old;
}

static inline void machine_access(struct machine *m, const struct bpf_insn *n, uint64_t *r)
{
	int class = BPF_CLASS(n->code);
	size_t size = machine_size(n->code);
	uint64_t at = r[class == BPF_LDX ? n->src_reg : n->dst_reg] + (uint64_t)(int64_t)n->off;
	uint64_t value = class == BPF_ST ? (uint64_t)(int64_t)n->imm : r[n->src_reg];
	if (!machine_may_touch(m, at, size, class != BPF_LDX))
		return;
	if (class == BPF_LDX) {
		r[n->dst_reg] = 0;
		memcpy(&r[n->dst_reg], (const void *)(uintptr_t)at, size);
	} else if (class == BPF_STX && BPF_MODE(n->code) == BPF_ATOMIC) {
		machine_atomic(m, n, r, at, size);
	} else {
		memcpy((void *)(uintptr_t)at, &value, size);
		machine_slot_stored(m, at, value);
	}
}

static inline uint64_t machine_run_from(struct machine *m, uint32_t pc, uint64_t r1, uint64_t r2);

static inline void machine_call(struct machine *m, uint32_t pc, uint64_t *r)
{
	const struct relocation *to = machine_relocation(m, pc);
	if (to && to->kind == RELOCATE_CALL)
		r[0] = machine_rt(m, to->index, r);
	else if (to && to->kind == RELOCATE_ERROR)
		r[0] = machine_run_from(m, m->group->error_entry, r[1], r[2]);
	else
		machine_stop(m, "calls nothing");
	for (int i = 1; i <= 5; i++)
		r[i] = MACHINE_GARBAGE + (unsigned)i;
}

static inline void machine_load_wide(struct machine *m, uint32_t pc, uint64_t *r)
{
	const struct bpf_insn *n = &m->group->code[pc];
	const struct relocation *to = machine_relocation(m, pc);
	r[n->dst_reg] =
		to ? machine_address(m, to) : (uint64_t)(uint32_t)n[1].imm << 32 | (uint32_t)n->imm;
}

static inline void machine_compute(struct machine *m, const struct bpf_insn *n, uint64_t *r)
{
	int bits = BPF_CLASS(n->code) == BPF_ALU64 ? 64 : 32;
	uint64_t b = BPF_SRC(n->code) == BPF_X ? r[n->src_reg] : (uint64_t)(int64_t)n->imm;
	if (BPF_OP(n->code) == BPF_END)
		r[n->dst_reg] = machine_swap(r[n->dst_reg], n->imm);
	else
		r[n->dst_reg] = machine_alu(m, BPF_OP(n->code), r[n->dst_reg], b, bits);
}

/* One instruction; answers the next one's place. */
static inline uint32_t machine_step(struct machine *m, uint32_t pc, uint64_t *r)
{
	const struct bpf_insn *n = &m->group->code[pc];
	int class = BPF_CLASS(n->code);
	if (n->code == (BPF_LD | BPF_DW | BPF_IMM)) {
		machine_load_wide(m, pc, r);
		return pc + 2;
	}
	if (n->code == (BPF_JMP | BPF_CALL)) {
		machine_call(m, pc, r);
	} else if (class == BPF_JMP || class == BPF_JMP32) {
		uint64_t b = BPF_SRC(n->code) == BPF_X ? r[n->src_reg] : (uint64_t)(int64_t)n->imm;
		if (machine_jumps(m, BPF_OP(n->code), r[n->dst_reg], b, class == BPF_JMP))
			return pc + 1 + (uint32_t)(int32_t)n->off;
	} else if (class == BPF_ALU64 || class == BPF_ALU) {
		machine_compute(m, n, r);
	} else {
		machine_access(m, n, r);
	}
	return pc + 1;
}

static inline uint64_t machine_run_from(struct machine *m, uint32_t pc, uint64_t r1, uint64_t r2)
{
	char stack[512];
	uint64_t r[11];
	memset(stack, 0xa5, sizeof(stack));
	for (int i = 0; i < 10; i++)
		r[i] = MACHINE_GARBAGE + (unsigned)i;
	r[1] = r1;
	r[2] = r2;
	r[10] = (uintptr_t)stack + sizeof(stack);
	size_t mine = m->regions.count;
	vector_push(&m->regions, (struct machine_region) { stack, sizeof(stack), false });
	while (!m->problem) {
		if (pc >= m->group->count)
			machine_stop(m, "runs behind its end");
		else if (m->steps++ > MACHINE_STEPS)
			machine_stop(m, "does not end");
		else if (m->group->code[pc].code == (BPF_JMP | BPF_EXIT))
			break;
		else
			pc = machine_step(m, pc, r);
	}
	m->regions.items[mine] = (struct machine_region) { NULL, 0, true };
	return r[0];
}

/*
 * Fire EVENT's probe with this index: a system call's number, of BEGIN and END the
 * context, else the cookie.  False: see machine.problem.
 */
static inline bool machine_fire(struct machine *m, const struct group_code *group, uint64_t index)
{
	if (m->area >= m->program->area_count) { /* abi/state.h */
		m->control->no_area++;
		return true;
	}
	const struct machine_region mine[] = {
		{ (char *)m->context, sizeof(m->context), true },
		{ (char *)m->task, sizeof(m->task), true },
		{ (char *)m->user_registers, sizeof(m->user_registers), true },
		{ (char *)(uintptr_t)group->probe_table,
		  (size_t)group->table_entries * group->table_entry_size, true },
	};
	size_t first = m->regions.count;
	bool is_call = group->kind == EVENT_SYSCALL_ENTRY;
	if (event_is_syscall(group->kind))
		m->context[0] = (uintptr_t)m->user_registers;
	if (is_call || group->kind == EVENT_BEGIN || group->kind == EVENT_END)
		m->context[is_call] = index;
	m->group = group;
	m->cookie = index;
	for (size_t i = 0; i < ARRAY_SIZE(mine); i++)
		vector_push(&m->regions, mine[i]);
	machine_run_from(m, 0, (uintptr_t)m->context, MACHINE_GARBAGE);
	/* Not memory of ours to free; what was made since stays. */
	for (size_t i = 0; i < ARRAY_SIZE(mine); i++)
		m->regions.items[first + i] = (struct machine_region) { 0 };
	return !m->problem;
}

#endif
