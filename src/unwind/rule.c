/* SPDX-License-Identifier: BSD-2-Clause */
/* rule - a row of call frame information as a word, or as a rule that a word refers to */
#include <string.h>

#include "unwind/unwind_internal.h"

/* --- expressions: DWARF 5, 7.7.1; the few forms that unwind tables have ----------------------- */

enum {
	EXPRESSION_LOAD = 0x06, /* DW_OP_deref */
	EXPRESSION_AND = 0x1a,
	EXPRESSION_PLUS = 0x22,
	EXPRESSION_ADD = 0x23, /* DW_OP_plus_uconst */
	EXPRESSION_SHIFT = 0x24,
	EXPRESSION_AT_LEAST = 0x2a, /* DW_OP_ge */
	EXPRESSION_LITERAL = 0x30,
	EXPRESSION_REGISTER = 0x70, /* DW_OP_breg0 */
};

/*
 * stack pointer + WORD + ((pc & 15) >= N ? WORD : 0): what linkers write for the procedure linkage
 * table, whose entries have 16 bytes and push something at their byte N.
 */
static bool is_plt(const struct rules *r, struct bytes b, uint32_t *ret)
{
	const unsigned char *at = b.data;
	const struct arch *a = r->arch;
	if (b.size != 11 || at[0] != EXPRESSION_REGISTER + a->dwarf_stack_pointer ||
	    at[1] != a->word || at[2] != EXPRESSION_REGISTER + a->dwarf_pc || at[3] != 0)
		return false;
	const unsigned char shift = (unsigned char)(EXPRESSION_LITERAL + __builtin_ctz(a->word));
	const unsigned char rest[] = { EXPRESSION_LITERAL + 15, EXPRESSION_AND, 0 /* literal N */,
				       EXPRESSION_AT_LEAST,	shift,		EXPRESSION_SHIFT,
				       EXPRESSION_PLUS };
	for (unsigned i = 0; i < sizeof(rest); i++)
		if (rest[i] && at[4 + i] != rest[i])
			return false;
	*ret = (uint32_t)at[6] - EXPRESSION_LITERAL;
	return *ret < 16;
}

/* A register's place in struct pt_regs as a base; false: it has none. */
static bool register_base(const struct arch *a, uint64_t number, uint8_t *ret)
{
	if (number >= a->dwarf_count)
		return false;
	*ret = number == a->dwarf_stack_pointer ? UNWIND_BASE_STACK
	       : number == a->dwarf_frame_pointer
		       ? UNWIND_BASE_FRAME
		       : (uint8_t)(UNWIND_BASE_REGISTER + a->dwarf_registers[number] / 8);
	return true;
}

/* bregN offset [deref [plus_uconst n]]; IS_PLACE: the value is the word at that address. */
static bool value_of_expression(const struct arch *a, struct bytes b, bool is_place,
				struct unwind_value *ret)
{
	unsigned op = bytes_u8(&b);
	int64_t offset = bytes_sleb(&b);
	uint64_t after = 0;
	*ret = (struct unwind_value) { .loads = is_place, .offset = (int32_t)offset };
	if (op < EXPRESSION_REGISTER || !register_base(a, op - EXPRESSION_REGISTER, &ret->base))
		return false;
	if (bytes_left(&b)) {
		if (bytes_u8(&b) != EXPRESSION_LOAD)
			return false;
		ret->loads++;
	}
	if (bytes_left(&b)) {
		if (bytes_u8(&b) != EXPRESSION_ADD)
			return false;
		after = bytes_uleb(&b);
	}
	ret->after = (int16_t)after;
	return !b.failed && !bytes_left(&b) && ret->offset == offset && after <= INT16_MAX;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool unwind_value_of(const struct arch *a, const struct cfi_rule *rule,
			    struct unwind_value *ret)
{
	*ret = (struct unwind_value) { .offset = (int32_t)rule->offset };
	switch (rule->kind) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
	case CFI_UNDEFINED: /* of a frame pointer: not needed */
		return true;
	case CFI_AT_CFA:
	case CFI_IS_CFA:
		ret->base = UNWIND_BASE_CFA;
		ret->loads = rule->kind == CFI_AT_CFA;
		return ret->offset == rule->offset;
	case CFI_IN_REGISTER:
		return register_base(a, rule->number, &ret->base) && ret->offset == rule->offset;
	case CFI_AT_EXPRESSION:
	case CFI_IS_EXPRESSION:
		return value_of_expression(a, rule->expression, rule->kind == CFI_AT_EXPRESSION,
					   ret);
	}
	return false;
}

/* --- words ------------------------------------------------------------------------------------ */

/* CFA - WORD * N, or as it is: N; false: elsewhere. */
static bool frame_slot(const struct cfi_rule *rule, int64_t word, uint32_t *ret)
{
	*ret = 0;
	if (rule->kind != CFI_AT_CFA)
		return rule->kind < CFI_AT_CFA;
	int64_t slot = rule->offset / -word;
	*ret = (uint32_t)slot;
	return rule->offset % word == 0 && slot > 0 && slot < 1 << UNWIND_FRAME_BITS;
}

static bool is_unchanged(const struct cfi_rule *rule)
{
	return rule->kind == CFI_UNSPECIFIED || rule->kind == CFI_SAME;
}

/* The return address is where rows of this machine have it, next to the frame pointer or not. */
static bool usual_slot(const struct arch *a, const struct cfi_row *row, uint32_t *ret)
{
	const struct cfi_rule *ra = &row->tracked[CFI_RETURN_ADDRESS];
	const struct cfi_rule *frame = &row->tracked[CFI_FRAME_POINTER];
	int64_t word = a->word;
	if (!frame_slot(frame, word, ret))
		return false;
	if (!arch_has_link(a))
		return ra->kind == CFI_AT_CFA && ra->offset == -word;
	if (!*ret)
		return is_unchanged(ra);
	return *ret > 1 && ra->kind == CFI_AT_CFA && ra->offset == frame->offset + 8;
}

static bool is_usual(const struct rules *r, const struct cfi_row *row, uint32_t *ret)
{
	uint32_t slot, plt;
	int64_t word = r->arch->word;
	if (!usual_slot(r->arch, row, &slot))
		return false;
	if (row->cfa.kind == CFI_IS_EXPRESSION && is_plt(r, row->cfa.expression, &plt)) {
		*ret = unwind_rule_word(UNWIND_PLT, plt, slot);
		return true;
	}
	int64_t offset = row->cfa.offset;
	bool of_stack = row->cfa.number == r->arch->dwarf_stack_pointer;
	if (row->cfa.kind != CFI_IN_REGISTER || offset < 0 || offset % word ||
	    offset / word >= 1 << UNWIND_CFA_BITS ||
	    (!of_stack && row->cfa.number != r->arch->dwarf_frame_pointer))
		return false;
	*ret = unwind_rule_word(of_stack ? UNWIND_STACK : UNWIND_FRAME, (uint32_t)(offset / word),
				slot);
	return true;
}

static uint32_t rule_number(struct rules *r, const struct unwind_rule *rule)
{
	void **place = hash_place(r->by_content, rule, sizeof(*rule));
	if (!*place) {
		vector_push(&r->list, *rule);
		*place = (void *)(uintptr_t)r->list.count;
	}
	return (uint32_t)(uintptr_t)*place - 1;
}

static uint32_t numbered_word(struct rules *r, const struct unwind_rule *rule)
{
	uint32_t number = rule_number(r, rule);
	uint32_t low = number & ((1u << UNWIND_CFA_BITS) - 1), high = number >> UNWIND_CFA_BITS;
	return high < 1u << UNWIND_FRAME_BITS ? unwind_rule_word(UNWIND_RULE, low, high)
					      : unwind_rule_word(UNWIND_REFUSE, 0, 0);
}

static bool value_of_return_address(const struct arch *a, const struct cfi_rule *rule,
				    struct unwind_value *ret)
{
	if (!arch_has_link(a) || !is_unchanged(rule))
		return unwind_value_of(a, rule, ret);
	*ret = (struct unwind_value) { 0 };
	return register_base(a, a->dwarf_saved, &ret->base);
}

/*
 * In the stub for lazy binding (glibc's _dl_runtime_resolve) on aarch64 the CFA is where the first
 * entry of .plt has left the stack pointer, and the return address is above: so is the caller's
 * stack pointer.
 */
static struct cfi_row caller_above(const struct rules *r, const struct cfi_row *row)
{
	struct cfi_row ret = *row;
	struct cfi_rule *ra = &ret.tracked[CFI_RETURN_ADDRESS];
	struct cfi_rule *frame = &ret.tracked[CFI_FRAME_POINTER];
	if (!arch_has_link(r->arch) || row->cfa.kind != CFI_IN_REGISTER ||
	    row->cfa.number != r->arch->dwarf_stack_pointer || ra->kind != CFI_AT_CFA ||
	    ra->offset != 8)
		return ret;
	ret.cfa.offset += 16;
	ra->offset -= 16;
	if (frame->kind == CFI_AT_CFA)
		frame->offset -= 16;
	return ret;
}

uint32_t rule_word(struct rules *r, const struct cfi_row *as_written, bool is_signal_frame)
{
	struct unwind_rule rule = { .is_signal = is_signal_frame };
	struct cfi_row row = caller_above(r, as_written);
	const struct cfi_rule *ra = &row.tracked[CFI_RETURN_ADDRESS];
	const struct arch *a = r->arch;
	uint32_t word;
	if (ra->kind == CFI_UNDEFINED)
		return unwind_rule_word(UNWIND_END, 0, 0);
	if (!is_signal_frame && is_usual(r, &row, &word))
		return word;
	if (!unwind_value_of(a, &row.cfa, &rule.cfa) ||
	    !value_of_return_address(a, ra, &rule.return_address) ||
	    !unwind_value_of(a, &row.tracked[CFI_FRAME_POINTER], &rule.frame_pointer) ||
	    !rule.cfa.base || !rule.return_address.base)
		return unwind_rule_word(UNWIND_REFUSE, 0, 0);
	r->needs_saved |=
		!arch_has_link(a) &&
		rule.cfa.base == UNWIND_BASE_REGISTER + a->dwarf_registers[a->dwarf_saved] / 8;
	return numbered_word(r, &rule);
}

static struct cfi_row stack_row(const struct rules *r, int64_t cfa)
{
	return (struct cfi_row) {
		.cfa = { CFI_IN_REGISTER, r->arch->dwarf_stack_pointer, cfa, { 0 } },
	};
}

static struct cfi_rule at_cfa(int64_t offset)
{
	return (struct cfi_rule) { .kind = CFI_AT_CFA, .offset = offset };
}

/*
 * Functions with a frame have the frame pointer below the return address: this one at the lower end
 * of the frame where there is a link register (the frame pointer is even below the stack pointer),
 * else at its upper end.
 */
uint32_t go_rule_word(struct rules *r, int64_t distance)
{
	if (distance < 0 || distance % 8)
		return unwind_rule_word(UNWIND_REFUSE, 0, 0);
	bool has_link = arch_has_link(r->arch);
	struct cfi_row row = stack_row(r, has_link ? distance : distance + 8);
	int64_t link = has_link ? -distance : -8;
	if (distance)
		row.tracked[CFI_FRAME_POINTER] = at_cfa(link - 8);
	if (distance || !has_link)
		row.tracked[CFI_RETURN_ADDRESS] = at_cfa(link);
	return rule_word(r, &row, false);
}

uint32_t plt_rule_word(struct rules *r)
{
	struct cfi_row row = stack_row(r, 16);
	row.tracked[CFI_RETURN_ADDRESS] = at_cfa(-8);
	return rule_word(r, &row, false);
}

static struct unwind_value in_signal_frame(uint16_t at)
{
	return (struct unwind_value) { .base = UNWIND_BASE_STACK, .loads = 1, .offset = at };
}

uint32_t signal_rule_word(struct rules *r)
{
	const struct unwind_rule rule = {
		.cfa = in_signal_frame(r->arch->signal_frame.stack_at),
		.return_address = in_signal_frame(r->arch->signal_frame.pc_at),
		.frame_pointer = in_signal_frame(r->arch->signal_frame.frame_at),
		.saved_at = r->arch->signal_frame.link_at,
		.is_signal = true,
	};
	return numbered_word(r, &rule);
}

uint8_t saved_slot(const struct rules *r, const struct cfi_row *row)
{
	const struct cfi_rule *rule = &row->tracked[CFI_OTHER];
	if (rule->kind == CFI_UNSPECIFIED || rule->kind == CFI_SAME)
		return UNWIND_SAVED_SAME;
	int64_t word = r->arch->word, slot = rule->offset / -word;
	bool fits = rule->kind == CFI_AT_CFA && rule->offset % word == 0 && slot > 0 &&
		    slot < UNWIND_SAVED_UNKNOWN;
	return fits ? (uint8_t)slot : UNWIND_SAVED_UNKNOWN;
}
