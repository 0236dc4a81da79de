/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pointers to the frame, to a caller's frame, to the context: where each register may point
 *
 * The code is followed until nothing new is found.  What is known of a register is a set of bases
 * and the lowest distance from them, because the code and the functions that it calls go upwards
 * from a pointer.  From this follow the bytes that a function needs below FP, and the words of the
 * context that are read.  A pointer that is saved in a word of the frame is known where it is
 * loaded again.  Arithmetic with unknown numbers, and a pointer that is stored elsewhere, mean all
 * of the frame, and any word.
 *
 * A loop's body uses its caller's frame, by the pointer that it gets: so the caller needs what the
 * body reaches, too.
 */
#include <string.h>

#include "translate/internal.h"

enum base { BASE_FRAME = 1, BASE_ARGUMENT = 2, BASE_CONTEXT = 4 };

struct pointer {
	uint8_t bases; /* it may be relative to; 0: it is a number */
	bool is_exact; /* the distance is always this */
	bool is_mixed; /* it may be something else */
	int32_t lowest;
};

#define REGISTERS 11

struct registers {
	struct pointer r[REGISTERS];
	bool reached;
};

struct search {
	struct walk *walk;
	struct function *function;
	struct registers now, *at; /* by instruction: where jumps go */
	/* What the words of the frame ever had, the last first. */
	struct pointer words[FRAME_MOST / 8];
	bool grows;	/* something new at a place that was followed before */
	bool is_second; /* call of find_pointers(): loads of the context are known */
};

/* --- one pointer ------------------------------------------------------------------------------ */

static struct pointer anywhere(uint8_t bases)
{
	return (struct pointer) { bases, false, true, -FRAME_MOST };
}

static struct pointer pointer_moved(struct pointer p, int64_t by)
{
	int64_t lowest = p.lowest + by;
	if (!p.bases || lowest < -FRAME_MOST || lowest > INT32_MAX / 2)
		return anywhere(p.bases);
	p.lowest = (int32_t)lowest;
	return p;
}

static struct pointer either(struct pointer a, struct pointer b)
{
	bool is_mixed = a.is_mixed || b.is_mixed || !a.bases != !b.bases;
	struct pointer one = a.bases ? a : b;
	if (a.bases && b.bases)
		return (struct pointer) { a.bases | b.bases,
					  a.is_exact && b.is_exact && a.lowest == b.lowest,
					  is_mixed, MIN(a.lowest, b.lowest) };
	one.is_mixed = is_mixed;
	return one;
}

static bool pointer_equal(struct pointer a, struct pointer b)
{
	return a.bases == b.bases &&
	       (!a.bases ||
		(a.is_exact == b.is_exact && a.is_mixed == b.is_mixed && a.lowest == b.lowest));
}

/* --- what pointers are used for --------------------------------------------------------------- */

/* Memory from P on is used, upwards. */
static void uses(struct search *s, struct pointer p)
{
	if (p.bases & BASE_FRAME)
		s->function->frame = MAX(s->function->frame, -p.lowest);
	if (p.bases & BASE_ARGUMENT)
		s->function->below_argument = MAX(s->function->below_argument, -p.lowest);
}

/* SIZE bytes at P are read. */
static void reads(struct search *s, struct pointer p, unsigned size)
{
	uses(s, p);
	if (!(p.bases & BASE_CONTEXT))
		return;
	bool is_known = p.is_exact && p.lowest >= 0 && p.lowest / 8 < 64 &&
			p.lowest / 8 == (p.lowest + (int)size - 1) / 8;
	s->walk->context_words |= is_known ? 1ull << p.lowest / 8 : TRANSLATE_ALL_WORDS;
}

/* P is where others find it. */
static void escapes(struct search *s, struct pointer p)
{
	if (p.bases)
		reads(s, anywhere(p.bases), 1);
}

static void function_passes(struct function *f, struct pointer p)
{
	if (p.bases & BASE_FRAME) {
		f->passed_frame = f->passes_frame ? MIN(f->passed_frame, p.lowest) : p.lowest;
		f->passes_frame = true;
	}
	if (p.bases & BASE_ARGUMENT) {
		f->passed_argument =
			f->passes_argument ? MIN(f->passed_argument, p.lowest) : p.lowest;
		f->passes_argument = true;
	}
}

static void follow_call(struct search *s, uint32_t at)
{
	const struct relocation *r = group_relocation(s->walk->group, at);
	struct translate_binding b = { TRANSLATE_CALL, 0 };
	bool is_inner =
		r &&
		(r->kind == RELOCATE_ERROR ||
		 (r->kind == RELOCATE_CALL && (r->index == RT_loop || r->index == RT_for_each)));
	if (r && r->kind == RELOCATE_CALL)
		s->walk->owner->bind(s->walk->owner->arg, r->index, &b);
	for (unsigned i = 1; i <= 5; i++) {
		struct pointer p = s->now.r[i];
		uses(s, p);
		if (is_inner)
			function_passes(s->function, p);
		else if (b.row == TRANSLATE_CALL && p.bases & BASE_CONTEXT)
			reads(s, anywhere(BASE_CONTEXT), 1);
		s->now.r[i] = (struct pointer) { 0 };
	}
	s->now.r[0] = (struct pointer) { 0 };
	s->function->calls |= b.row == TRANSLATE_CALL;
}

/* --- instructions ----------------------------------------------------------------------------- */

/* The word of the frame at P, if it is one for certain; or NULL. */
static struct pointer *word_at(struct search *s, struct pointer p, const struct bpf_insn *n)
{
	bool is_word = p.bases == BASE_FRAME && p.is_exact && p.lowest % 8 == 0 && p.lowest < 0 &&
		       insn_width(n) == 8 && BPF_MODE(n->code) == BPF_MEM;
	return is_word ? &s->words[-p.lowest / 8 - 1] : NULL;
}

static void save_pointer(struct search *s, struct pointer *word, struct pointer p)
{
	struct pointer both = either(*word, p);
	s->grows |= !pointer_equal(both, *word);
	*word = both;
}

/*
 * The pointer by which the instruction AT loads.  If that is the context for certain, the load is
 * made by the owner's register, and what has made the pointer may be left out.
 */
static struct pointer load_pointer(struct search *s, uint32_t at)
{
	const struct bpf_insn *n = &s->walk->group->code[at];
	struct pointer p = pointer_moved(s->now.r[n->src_reg], n->off);
	int32_t base = s->walk->owner->context_at, *load = &s->walk->context_loads[at];
	bool is_context = p.bases == BASE_CONTEXT && p.is_exact && !p.is_mixed && p.lowest >= 0;
	if (s->is_second && *load)
		return (struct pointer) { BASE_CONTEXT, true, false, *load - base };
	if (!s->is_second)
		*load = is_context && base ? base + p.lowest : 0;
	return p;
}

static void follow_memory(struct search *s, uint32_t at)
{
	const struct bpf_insn *n = &s->walk->group->code[at];
	struct pointer *r = s->now.r;
	bool is_load = BPF_CLASS(n->code) == BPF_LDX;
	struct pointer p = is_load ? load_pointer(s, at) : pointer_moved(r[n->dst_reg], n->off);
	struct pointer *word = word_at(s, p, n);
	reads(s, p, insn_width(n));
	if (is_load)
		r[n->dst_reg] = word ? *word : (struct pointer) { 0 };
	else if (BPF_CLASS(n->code) == BPF_STX && word)
		save_pointer(s, word, r[n->src_reg]);
	else if (BPF_CLASS(n->code) == BPF_STX)
		escapes(s, r[n->src_reg]);
	if (BPF_CLASS(n->code) == BPF_STX && BPF_MODE(n->code) == BPF_ATOMIC) {
		escapes(s, r[0]);
		r[0] = r[n->src_reg] = (struct pointer) { 0 };
	}
}

static void follow_arithmetic(struct search *s, const struct bpf_insn *n)
{
	struct pointer *dst = &s->now.r[n->dst_reg], src = s->now.r[n->src_reg];
	bool is_whole = BPF_CLASS(n->code) == BPF_ALU64, is_register = BPF_SRC(n->code) == BPF_X;
	int op = BPF_OP(n->code);
	if (!is_register || op == BPF_END)
		src = (struct pointer) { 0 };
	if (op == BPF_MOV)
		*dst = is_whole || !src.bases ? src : anywhere(src.bases);
	else if (is_whole && op == BPF_ADD && !is_register && dst->bases)
		*dst = pointer_moved(*dst, n->imm);
	else if (dst->bases | src.bases)
		*dst = anywhere(dst->bases | src.bases);
}

/* Control comes from here to AT. */
static void search_reach(struct search *s, uint32_t at)
{
	struct registers *there = &s->at[at];
	for (unsigned i = 0; i < REGISTERS; i++) {
		struct pointer p = there->reached ? either(there->r[i], s->now.r[i]) : s->now.r[i];
		s->grows |= !pointer_equal(p, there->r[i]);
		there->r[i] = p;
	}
	s->grows |= !there->reached;
	there->reached = true;
}

static void follow_instruction(struct search *s, uint32_t at)
{
	const struct bpf_insn *n = &s->walk->group->code[at];
	int class = BPF_CLASS(n->code);
	if (s->walk->is_dead[at]) {
		search_reach(s, at + (insn_is_wide(n) ? 2 : 1));
		return;
	}
	s->function->names |= 1u << (n->dst_reg & 15);
	if (!s->is_second || !s->walk->context_loads[at])
		s->function->names |= 1u << (n->src_reg & 15);
	if (n->dst_reg >= REGISTERS || n->src_reg >= REGISTERS)
		return; /* put_instruction() refuses it */
	if (insn_is_call(n))
		follow_call(s, at);
	else if (class == BPF_LD)
		s->now.r[n->dst_reg] = (struct pointer) { 0 };
	else if (class == BPF_LDX || class == BPF_ST || class == BPF_STX)
		follow_memory(s, at);
	else if (class == BPF_ALU || class == BPF_ALU64)
		follow_arithmetic(s, n);
	if (insn_is_jump(n))
		search_reach(s, at + 1 + (uint32_t)(int32_t)n->off);
	if (insn_falls_through(n))
		search_reach(s, at + (insn_is_wide(n) ? 2 : 1));
}

/* --- functions -------------------------------------------------------------------------------- */

/* The argument of a loop's body is the second (RT_loop) or the fourth (RT_for_each). */
static void search_begin(struct search *s, struct function *f)
{
	static const struct pointer begin = { 0, true, false, 0 };
	struct pointer *r = s->now.r;
	s->function = f;
	s->now = (struct registers) { 0 };
	r[10] = r[1] = r[2] = r[4] = begin;
	r[10].bases = BASE_FRAME;
	r[1].bases = f->is_body ? 0 : BASE_CONTEXT;
	r[2].bases = f->begin ? BASE_ARGUMENT : 0;
	r[4].bases = f->is_body ? BASE_ARGUMENT : 0;
	search_reach(s, f->begin);
}

static void search_function(struct search *s, struct function *f)
{
	memset(s->words, 0, sizeof(s->words));
	search_begin(s, f);
	do {
		s->grows = false;
		for (uint32_t at = f->begin; at < f->end; at++) {
			if (!s->walk->begins[at] || !s->at[at].reached)
				continue;
			s->now = s->at[at];
			follow_instruction(s, at);
		}
	} while (s->grows);
	for (unsigned i = 0; f->passes_frame && i < ARRAY_SIZE(s->words); i++)
		escapes(s, s->words[i]); /* others may find it */
}

static int deeper(int own, bool passes, int passed, int below)
{
	return passes ? MIN(MAX(own, below - passed), FRAME_MOST) : own;
}

void find_pointers(struct walk *w)
{
	auto_free struct registers *at = mem_zalloc((w->group->count + 1) * sizeof(*at));
	struct search s = { .walk = w, .at = at, .is_second = w->has_pointers };
	int below = 0; /* what other functions reach below their argument */
	w->context_words = 0;
	for (size_t i = 0; i < w->functions.count; i++) {
		struct function *f = &w->functions.items[i], fresh = { 0 };
		fresh.begin = f->begin;
		fresh.end = f->end;
		fresh.is_body = f->is_body;
		*f = fresh;
		search_function(&s, f);
		if (f->passes_argument && f->passed_argument)
			f->below_argument = FRAME_MOST;
		below = MAX(below, f->below_argument);
	}
	for (size_t i = 0; i < w->functions.count; i++) {
		struct function *f = &w->functions.items[i];
		f->frame = deeper(f->frame, f->passes_frame, f->passed_frame, below);
	}
	w->has_pointers = true;
}
