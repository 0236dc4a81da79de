/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions whose results are never used: they are left out
 *
 * The compiler's code has some in each program: pointers that only other programs need.  In one of
 * twenty instructions they cost as much as the rest, by registers and a frame that are saved for
 * them.  Loads are left out, too: they have no effect (the program is verified).
 */
#include "translate/internal.h"

#define REGISTERS_OF_CALLS 0x3f /* R0 to R5 are lost */
#define ARGUMENTS_OF_CALLS 0x3e

/* What is read later: registers, words below FP. */
struct live {
	uint16_t registers;
	uint64_t words;
};

struct liveness {
	struct walk *walk;
	const struct function *function;
	struct live *before; /* by instruction */
	bool frame_escapes;  /* its address is more than the base of loads and stores */
};

static uint16_t register_bit(unsigned r)
{
	return (uint16_t)(1u << r);
}

static bool insn_is_memory(const struct bpf_insn *n)
{
	int class = BPF_CLASS(n->code);
	return class == BPF_LDX || class == BPF_ST || class == BPF_STX;
}

/* Of a load or store of one whole word of the frame: its bit; or 0. */
static uint64_t word_bit(const struct bpf_insn *n)
{
	unsigned base = BPF_CLASS(n->code) == BPF_LDX ? n->src_reg : n->dst_reg;
	if (base != BPF_REG_10 || BPF_MODE(n->code) != BPF_MEM || insn_width(n) != 8 || n->off % 8)
		return 0;
	return 1ull << (-n->off / 8 - 1);
}

/* All words that a load of the frame may read. */
static uint64_t frame_words_read(const struct bpf_insn *n)
{
	if (n->src_reg != BPF_REG_10)
		return 0;
	return word_bit(n) ? word_bit(n) : UINT64_MAX;
}

static struct live call_before(const struct liveness *l, uint32_t at, struct live after)
{
	const struct relocation *r = group_relocation(l->walk->group, at);
	struct translate_binding b = { TRANSLATE_CALL, 0 };
	if (r && r->kind == RELOCATE_CALL)
		l->walk->owner->bind(l->walk->owner->arg, r->index, &b);
	after.registers &= (uint16_t)~REGISTERS_OF_CALLS;
	after.registers |= b.row == TRANSLATE_CALL ? ARGUMENTS_OF_CALLS : 0;
	return after;
}

static struct live memory_before(const struct bpf_insn *n, bool is_context_load, struct live after)
{
	if (BPF_CLASS(n->code) == BPF_LDX) {
		after.registers &= (uint16_t)~register_bit(n->dst_reg);
		after.words |= frame_words_read(n);
		after.registers |= is_context_load ? 0 : register_bit(n->src_reg);
		return after;
	}
	after.words &= ~word_bit(n);
	after.registers |= register_bit(n->dst_reg);
	if (BPF_CLASS(n->code) == BPF_STX)
		after.registers |= register_bit(n->src_reg);
	if (BPF_MODE(n->code) == BPF_ATOMIC) {
		after.registers |= register_bit(BPF_REG_0);
		after.words = n->dst_reg == BPF_REG_10 ? UINT64_MAX : after.words;
	}
	return after;
}

static struct live insn_before(const struct liveness *l, uint32_t at, struct live after)
{
	const struct bpf_insn *n = &l->walk->group->code[at];
	bool reads_source = BPF_SRC(n->code) == BPF_X;
	if (insn_is_exit(n))
		return (struct live) { register_bit(BPF_REG_0), 0 };
	if (insn_is_call(n))
		return call_before(l, at, after);
	if (insn_is_memory(n))
		return memory_before(n, l->walk->context_loads[at], after);
	if (insn_is_jump(n)) {
		after.registers |= register_bit(n->dst_reg);
	} else if (insn_is_wide(n) || BPF_OP(n->code) == BPF_MOV) {
		after.registers &= (uint16_t)~register_bit(n->dst_reg);
		reads_source &= !insn_is_wide(n);
	}
	after.registers |= reads_source ? register_bit(n->src_reg) : 0;
	return after;
}

static bool insn_is_dead(const struct liveness *l, const struct bpf_insn *n, struct live after)
{
	int class = BPF_CLASS(n->code);
	bool is_pure =
		class == BPF_ALU || class == BPF_ALU64 || class == BPF_LDX || insn_is_wide(n);
	if (is_pure)
		return !(after.registers & register_bit(n->dst_reg));
	return (class == BPF_ST || class == BPF_STX) && word_bit(n) && !l->frame_escapes &&
	       !(after.words & word_bit(n));
}

static void live_add(struct live *to, const struct live *from)
{
	to->registers |= from->registers;
	to->words |= from->words;
}

/* False: nothing has changed. */
static bool liveness_step(struct liveness *l, uint32_t at)
{
	const struct bpf_insn *n = &l->walk->group->code[at];
	struct live after = { 0, 0 }, old = l->before[at];
	if (insn_falls_through(n))
		live_add(&after, &l->before[at + (insn_is_wide(n) ? 2 : 1)]);
	if (insn_is_jump(n))
		live_add(&after, &l->before[at + 1 + (uint32_t)(int32_t)n->off]);
	l->walk->is_dead[at] = insn_is_dead(l, n, after);
	l->before[at] = l->walk->is_dead[at] ? after : insn_before(l, at, after);
	return old.registers != l->before[at].registers || old.words != l->before[at].words;
}

/* Is FP a value here? */
static bool passes_frame(const struct bpf_insn *n)
{
	int class = BPF_CLASS(n->code);
	bool reads_source = (class == BPF_STX) || (class != BPF_LDX && class != BPF_ST &&
						   class != BPF_LD && BPF_SRC(n->code) == BPF_X);
	return (reads_source && n->src_reg == BPF_REG_10) ||
	       (insn_is_jump(n) && n->dst_reg == BPF_REG_10);
}

static void find_dead_of(struct liveness *l)
{
	const struct function *f = l->function;
	bool grows = true;
	l->frame_escapes = false;
	for (uint32_t at = f->begin; at < f->end; at++)
		l->frame_escapes |= l->walk->begins[at] && passes_frame(&l->walk->group->code[at]);
	while (grows) {
		grows = false;
		for (uint32_t at = f->end; at-- > f->begin;)
			grows |= l->walk->begins[at] && liveness_step(l, at);
	}
}

void find_dead(struct walk *w)
{
	auto_free struct live *before = mem_zalloc((w->group->count + 1) * sizeof(*before));
	struct liveness l = { .walk = w, .before = before };
	for (size_t i = 0; i < w->functions.count; i++) {
		l.function = &w->functions.items[i];
		find_dead_of(&l);
	}
	w->takes_context = before[0].registers & register_bit(BPF_REG_1);
}
