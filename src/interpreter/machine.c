/* SPDX-License-Identifier: BSD-2-Clause */
#include "interpreter/machine.h"

#include <string.h>

void machine_deinit(struct machine *m)
{
	vector_free(&m->regions);
}

bool machine_stop(struct machine *m, const char *problem)
{
	if (!m->problem)
		m->problem = problem;
	return false;
}

/* --- memory ----------------------------------------------------------------------------------- */

size_t machine_allow(struct machine *m, const void *bytes, size_t size, bool read_only)
{
	vector_push(&m->regions, ((struct machine_region) { bytes, size, read_only }));
	return m->regions.count - 1;
}

void machine_forbid(struct machine *m, size_t region)
{
	m->regions.items[region] = (struct machine_region) { 0 };
	while (m->regions.count && !m->regions.items[m->regions.count - 1].bytes)
		m->regions.count--;
}

static bool region_holds(const struct machine_region *r, uint64_t address, size_t size)
{
	uint64_t offset = address - (uintptr_t)r->bytes;
	return offset < r->size && size <= r->size - offset;
}

/* The region that has these bytes, or NULL. */
static const struct machine_region *region_find(struct machine *m, uint64_t address, size_t size)
{
	if (m->last < m->regions.count && region_holds(&m->regions.items[m->last], address, size))
		return &m->regions.items[m->last];
	for (m->last = 0; m->last < m->regions.count; m->last++)
		if (region_holds(&m->regions.items[m->last], address, size))
			return &m->regions.items[m->last];
	return NULL;
}

bool machine_owns(struct machine *m, uint64_t address, size_t size)
{
	return region_find(m, address, size) != NULL;
}

bool machine_may_touch(struct machine *m, uint64_t address, size_t size, bool write)
{
	const struct machine_region *r = region_find(m, address, size);
	if (!r)
		return machine_stop(m, "touches memory that is not its own");
	return !(write && r->read_only) || machine_stop(m, "writes read-only memory");
}

/* --- references ------------------------------------------------------------------------------- */

static uint64_t machine_address(struct machine *m, const struct relocation *r)
{
	uint64_t address;
	if (r->kind == RELOCATE_FUNCTION)
		return r->addend;
	if (m->refer(m->arg, r, &address))
		return address;
	return machine_stop(m, "loads the address of a function");
}

/* --- instructions ---------------------------------------------------------------------------- */

static uint64_t compute(struct machine *m, int op, uint64_t a, uint64_t b, int bits)
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

static bool is_taken(struct machine *m, int op, uint64_t a, uint64_t b, bool wide)
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

static uint64_t swapped(uint64_t value, int bits)
{
	return bits == 16   ? __builtin_bswap16((uint16_t)value)
	       : bits == 32 ? __builtin_bswap32((uint32_t)value)
			    : __builtin_bswap64(value);
}

/* Atomic for others that run on the same memory. */
#define CHANGE(type, at, op, x)                                                                    \
	({                                                                                         \
		type *word_ = (type *)(uintptr_t)(at), x_ = (type)(x);                             \
		(op) == BPF_ADD	  ? __atomic_fetch_add(word_, x_, __ATOMIC_SEQ_CST)                \
		: (op) == BPF_OR  ? __atomic_fetch_or(word_, x_, __ATOMIC_SEQ_CST)                 \
		: (op) == BPF_AND ? __atomic_fetch_and(word_, x_, __ATOMIC_SEQ_CST)                \
				  : __atomic_fetch_xor(word_, x_, __ATOMIC_SEQ_CST);               \
	})

static void change_atomically(struct machine *m, const struct bpf_insn *n, uint64_t *r, uint64_t at,
			      size_t size)
{
	int op = n->imm & ~BPF_FETCH;
	if (op != BPF_ADD && op != BPF_OR && op != BPF_AND && op != BPF_XOR) {
		machine_stop(m, "an atomic operation unknown to the kernel");
		return;
	}
	if (size < 4 || at % size) {
		machine_stop(m, "an atomic operation that the kernel would refuse");
		return;
	}
	uint64_t x = r[n->src_reg];
	uint64_t old = size == 8 ? CHANGE(uint64_t, at, op, x) : CHANGE(uint32_t, at, op, x);
	if (n->imm & BPF_FETCH)
		r[n->src_reg] = old;
}

static void access_memory(struct machine *m, const struct bpf_insn *n, uint64_t *r)
{
	int class = BPF_CLASS(n->code);
	size_t size = insn_width(n);
	uint64_t at = r[class == BPF_LDX ? n->src_reg : n->dst_reg] + (uint64_t)(int64_t)n->off;
	uint64_t value = class == BPF_ST ? (uint64_t)(int64_t)n->imm : r[n->src_reg];
	if (!machine_may_touch(m, at, size, class != BPF_LDX))
		return;
	if (class == BPF_LDX) {
		r[n->dst_reg] = 0;
		memcpy(&r[n->dst_reg], (const void *)(uintptr_t)at, size);
	} else if (class == BPF_STX && BPF_MODE(n->code) == BPF_ATOMIC) {
		change_atomically(m, n, r, at, size);
	} else {
		memcpy((void *)(uintptr_t)at, &value, size);
		if (m->stored)
			m->stored(m->arg, at, value);
	}
}

struct arguments {
	uint64_t r[4]; /* R1 to R4 */
};

static uint64_t run_from(struct machine *m, uint32_t pc, struct arguments arguments);

/* As bpf_loop(); the function is the index of its first instruction. */
static uint64_t machine_loop(struct machine *m, const uint64_t *r)
{
	uint64_t count = r[1], i = 0;
	if (count > LOOP_PASSES_MOST || r[4])
		return machine_stop(m, "loops otherwise than the kernel can");
	while (i < count && !m->problem &&
	       !run_from(m, (uint32_t)r[2], (struct arguments) { { i++, r[3] } }))
		continue;
	return i;
}

/* As bpf_for_each_map_elem(). */
static uint64_t machine_for_each(struct machine *m, const uint64_t *r)
{
	struct machine_elements e = { 0 };
	size_t i = 0;
	if (!m->elements || r[4])
		return machine_stop(m, "walks a map otherwise than the kernel can");
	m->elements(m->arg, r[1], &e);
	size_t keys = machine_allow(m, e.keys.text, e.keys.len, true);
	while (i < e.values.count && !m->problem) {
		uint64_t key = (uintptr_t)e.keys.text + i * e.key_size;
		uint64_t value = e.values.items[i++];
		if (run_from(m, (uint32_t)r[2], (struct arguments) { { r[1], key, value, r[3] } }))
			break;
	}
	machine_forbid(m, keys);
	strbuf_deinit(&e.keys);
	vector_free(&e.values);
	return i;
}

static void machine_call(struct machine *m, uint32_t pc, uint64_t *r)
{
	const struct relocation *to = group_relocation(m->group, pc);
	if (to && to->kind == RELOCATE_CALL && to->index == RT_next_part)
		m->next_part = (uint32_t)r[3];
	else if (to && to->kind == RELOCATE_CALL && to->index == RT_loop)
		r[0] = machine_loop(m, r);
	else if (to && to->kind == RELOCATE_CALL && to->index == RT_for_each)
		r[0] = machine_for_each(m, r);
	else if (to && to->kind == RELOCATE_CALL)
		r[0] = m->call(m->arg, to->index, r);
	else if (to && to->kind == RELOCATE_ERROR)
		r[0] = run_from(m, m->group->error_entry, (struct arguments) { { r[1], r[2] } });
	else
		machine_stop(m, "calls nothing");
	for (int i = 1; i <= 5; i++)
		r[i] = MACHINE_GARBAGE + (unsigned)i;
}

static void load_wide(struct machine *m, uint32_t pc, uint64_t *r)
{
	const struct bpf_insn *n = &m->group->code[pc];
	const struct relocation *to = group_relocation(m->group, pc);
	r[n->dst_reg] =
		to ? machine_address(m, to) : (uint64_t)(uint32_t)n[1].imm << 32 | (uint32_t)n->imm;
}

static void alu_step(struct machine *m, const struct bpf_insn *n, uint64_t *r)
{
	int bits = BPF_CLASS(n->code) == BPF_ALU64 ? 64 : 32;
	uint64_t b = BPF_SRC(n->code) == BPF_X ? r[n->src_reg] : (uint64_t)(int64_t)n->imm;
	if (BPF_OP(n->code) == BPF_END)
		r[n->dst_reg] = swapped(r[n->dst_reg], n->imm);
	else
		r[n->dst_reg] = compute(m, BPF_OP(n->code), r[n->dst_reg], b, bits);
}

/* One instruction; returns the next one's index. */
static uint32_t machine_step(struct machine *m, uint32_t pc, uint64_t *r)
{
	const struct bpf_insn *n = &m->group->code[pc];
	int class = BPF_CLASS(n->code);
	if (insn_is_wide(n)) {
		load_wide(m, pc, r);
		return pc + 2;
	}
	if (insn_is_call(n)) {
		machine_call(m, pc, r);
	} else if (class == BPF_JMP || class == BPF_JMP32) {
		uint64_t b = BPF_SRC(n->code) == BPF_X ? r[n->src_reg] : (uint64_t)(int64_t)n->imm;
		if (is_taken(m, BPF_OP(n->code), r[n->dst_reg], b, class == BPF_JMP))
			return pc + 1 + (uint32_t)(int32_t)n->off;
	} else if (class == BPF_ALU64 || class == BPF_ALU) {
		alu_step(m, n, r);
	} else {
		access_memory(m, n, r);
	}
	return pc + 1;
}

static uint64_t run_from(struct machine *m, uint32_t pc, struct arguments arguments)
{
	char stack[512];
	uint64_t r[11];
	memset(stack, 0xa5, sizeof(stack));
	for (int i = 0; i < 10; i++)
		r[i] = MACHINE_GARBAGE + (unsigned)i;
	for (int i = 0; i < 4; i++)
		r[i + 1] = arguments.r[i];
	r[10] = (uintptr_t)stack + sizeof(stack);
	size_t mine = machine_allow(m, stack, sizeof(stack), false);
	while (!m->problem && !m->next_part) {
		if (pc >= m->group->count)
			machine_stop(m, "runs past its end");
		else if (m->steps++ > m->steps_most)
			machine_stop(m, "does not end");
		else if (insn_is_exit(&m->group->code[pc]))
			break;
		else
			pc = machine_step(m, pc, r);
	}
	machine_forbid(m, mine);
	return r[0];
}

bool machine_run(struct machine *m, const struct group_code *group, const void *context)
{
	m->steps = 0;
	uint32_t part = group->part;
	do {
		m->next_part = 0;
		m->group = group - group->part + part;
		run_from(m, 0, (struct arguments) { { (uintptr_t)context, MACHINE_GARBAGE } });
		part = m->next_part;
		if (part && (part <= m->group->part || part >= group->parts))
			machine_stop(m, "continues in a part that is not the next one");
	} while (part && !m->problem);
	return !m->problem;
}
