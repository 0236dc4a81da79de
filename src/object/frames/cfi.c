/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/frames/cfi.h"

/* DWARF 5, 7.24; the last three are extensions that compilers use. */
enum {
	OP_NOP = 0x00,
	OP_ADVANCE1 = 0x02,
	OP_ADVANCE2 = 0x03,
	OP_ADVANCE4 = 0x04,
	OP_OFFSET_EXTENDED = 0x05,
	OP_RESTORE_EXTENDED = 0x06,
	OP_UNDEFINED = 0x07,
	OP_SAME = 0x08,
	OP_REGISTER = 0x09,
	OP_REMEMBER = 0x0a,
	OP_RECALL = 0x0b,
	OP_CFA = 0x0c,
	OP_CFA_REGISTER = 0x0d,
	OP_CFA_OFFSET = 0x0e,
	OP_CFA_EXPRESSION = 0x0f,
	OP_EXPRESSION = 0x10,
	OP_OFFSET_SIGNED = 0x11,
	OP_CFA_SIGNED = 0x12,
	OP_CFA_OFFSET_SIGNED = 0x13,
	OP_VALUE_OFFSET = 0x14,
	OP_VALUE_OFFSET_SIGNED = 0x15,
	OP_VALUE_EXPRESSION = 0x16,
	OP_NEGATE_RA_STATE = 0x2d,
	OP_ARGUMENTS_SIZE = 0x2e,
	OP_NEGATIVE_OFFSET = 0x2f,
	/* In the upper two bits, with an operand in the others: */
	OP_ADVANCE = 1,
	OP_OFFSET = 2,
	OP_RESTORE = 3,
};

#define REMEMBERED_MOST 16

struct state {
	struct cfi_rule cfa;
	struct cfi_rule tracked[CFI_TRACKED];
};

struct machine {
	const struct frame_entry *entry;
	uint64_t columns[CFI_TRACKED]; /* DWARF numbers of the tracked registers */
	uint64_t at;		       /* the row that is being made begins here */
	struct state now, initial;
	struct state remembered[REMEMBERED_MOST];
	unsigned depth;
	cfi_visit_fn *visit; /* NULL while the CIE is run */
	void *arg;
	bool failed;
};

static struct bytes take_block(struct bytes *b)
{
	uint64_t len = bytes_uleb(b);
	struct bytes block = bytes_slice(b, b->pos, len);
	bytes_take(b, len);
	return block;
}

static void show_row(struct machine *m, uint64_t end)
{
	struct cfi_row row = { .begin = m->at, .end = end, .cfa = m->now.cfa };
	memcpy(row.tracked, m->now.tracked, sizeof(row.tracked));
	if (m->visit && end > m->at)
		m->visit(m->arg, &row);
}

static void advance(struct machine *m, uint64_t delta)
{
	uint64_t to = m->at + delta * m->entry->code_factor;
	if (to < m->at || to > m->entry->end) { /* what follows is of no code of this entry */
		m->failed = true;
		return;
	}
	show_row(m, to);
	m->at = to;
}

static void set_rule(struct machine *m, uint64_t column, struct cfi_rule rule)
{
	for (unsigned i = 0; i < CFI_TRACKED; i++)
		if (m->columns[i] == column)
			m->now.tracked[i] = rule;
}

static void set_offset(struct machine *m, uint64_t column, enum cfi_kind kind, int64_t offset)
{
	set_rule(m, column, (struct cfi_rule) { .kind = kind, .offset = offset });
}

static void rule_restore(struct machine *m, uint64_t column)
{
	for (unsigned i = 0; i < CFI_TRACKED; i++)
		if (m->columns[i] == column)
			m->now.tracked[i] = m->initial.tracked[i];
}

static void set_cfa(struct machine *m, uint64_t number, int64_t offset)
{
	m->now.cfa = (struct cfi_rule) { CFI_IN_REGISTER, number, offset, { 0 } };
}

/* The offset alone: the CFA must be of a register. */
static void set_cfa_offset(struct machine *m, int64_t offset)
{
	m->failed |= m->now.cfa.kind != CFI_IN_REGISTER;
	m->now.cfa.offset = offset;
}

/* Unsigned operands overflow only in damaged files: then offsets are wrong, not memory. */
static int64_t scaled(const struct machine *m, uint64_t operand)
{
	return (int64_t)(operand * (uint64_t)m->entry->data_factor);
}

static void run_about_cfa(struct machine *m, struct bytes *b, unsigned op)
{
	uint64_t number = 0;
	if (op == OP_CFA || op == OP_CFA_SIGNED || op == OP_CFA_REGISTER)
		number = bytes_uleb(b);
	switch (op) {
	case OP_CFA:
		set_cfa(m, number, (int64_t)bytes_uleb(b));
		return;
	case OP_CFA_SIGNED:
		set_cfa(m, number, scaled(m, (uint64_t)bytes_sleb(b)));
		return;
	case OP_CFA_REGISTER:
		set_cfa(m, number, m->now.cfa.offset);
		return;
	case OP_CFA_OFFSET:
		set_cfa_offset(m, (int64_t)bytes_uleb(b));
		return;
	case OP_CFA_OFFSET_SIGNED:
		set_cfa_offset(m, scaled(m, (uint64_t)bytes_sleb(b)));
		return;
	case OP_CFA_EXPRESSION:
		m->now.cfa = (struct cfi_rule) { .kind = CFI_IS_EXPRESSION,
						 .expression = take_block(b) };
		return;
	default:
		m->failed = true;
	}
}

static void run_about_register(struct machine *m, struct bytes *b, unsigned op)
{
	uint64_t column = bytes_uleb(b);
	switch (op) {
	case OP_OFFSET_EXTENDED:
		set_offset(m, column, CFI_AT_CFA, scaled(m, bytes_uleb(b)));
		return;
	case OP_OFFSET_SIGNED:
		set_offset(m, column, CFI_AT_CFA, scaled(m, (uint64_t)bytes_sleb(b)));
		return;
	case OP_NEGATIVE_OFFSET:
		set_offset(m, column, CFI_AT_CFA, scaled(m, -bytes_uleb(b)));
		return;
	case OP_VALUE_OFFSET:
		set_offset(m, column, CFI_IS_CFA, scaled(m, bytes_uleb(b)));
		return;
	case OP_VALUE_OFFSET_SIGNED:
		set_offset(m, column, CFI_IS_CFA, scaled(m, (uint64_t)bytes_sleb(b)));
		return;
	case OP_RESTORE_EXTENDED:
		rule_restore(m, column);
		return;
	case OP_UNDEFINED:
		set_offset(m, column, CFI_UNDEFINED, 0);
		return;
	case OP_SAME:
		set_offset(m, column, CFI_SAME, 0);
		return;
	case OP_REGISTER:
		set_rule(m, column,
			 (struct cfi_rule) { .kind = CFI_IN_REGISTER, .number = bytes_uleb(b) });
		return;
	case OP_EXPRESSION:
	case OP_VALUE_EXPRESSION:
		set_rule(m, column,
			 (struct cfi_rule) { .kind = op == OP_EXPRESSION ? CFI_AT_EXPRESSION
									 : CFI_IS_EXPRESSION,
					     .expression = take_block(b) });
		return;
	default:
		m->failed = true;
	}
}

static void run_one(struct machine *m, struct bytes *b)
{
	unsigned op = bytes_u8(b), operand = op & 0x3f;
	switch (op >> 6) {
	case OP_ADVANCE:
		advance(m, operand);
		return;
	case OP_OFFSET:
		set_offset(m, operand, CFI_AT_CFA, scaled(m, bytes_uleb(b)));
		return;
	case OP_RESTORE:
		rule_restore(m, operand);
		return;
	}
	switch (op) {
	case OP_NOP:
	case OP_NEGATE_RA_STATE: /* the bits of the signature are always there */
		return;
	case OP_ADVANCE1:
		advance(m, bytes_u8(b));
		return;
	case OP_ADVANCE2:
		advance(m, bytes_u16(b));
		return;
	case OP_ADVANCE4:
		advance(m, bytes_u32(b));
		return;
	case OP_REMEMBER:
		if (m->depth == REMEMBERED_MOST)
			m->failed = true;
		else
			m->remembered[m->depth++] = m->now;
		return;
	case OP_RECALL:
		if (!m->depth)
			m->failed = true;
		else
			m->now = m->remembered[--m->depth];
		return;
	case OP_ARGUMENTS_SIZE:
		bytes_uleb(b);
		return;
	case OP_CFA:
	case OP_CFA_REGISTER:
	case OP_CFA_OFFSET:
	case OP_CFA_EXPRESSION:
	case OP_CFA_SIGNED:
	case OP_CFA_OFFSET_SIGNED:
		run_about_cfa(m, b, op);
		return;
	default:
		run_about_register(m, b, op);
	}
}

static bool instructions_run(struct machine *m, struct bytes b)
{
	while (bytes_left(&b) && !m->failed && !b.failed)
		run_one(m, &b);
	return !m->failed && !b.failed;
}

bool cfi_run(const struct frame_entry *entry, uint64_t frame_pointer, uint64_t other,
	     cfi_visit_fn *visit, void *arg)
{
	struct machine m = {
		.entry = entry,
		.columns = { [CFI_RETURN_ADDRESS] = entry->return_column,
			     [CFI_FRAME_POINTER] = frame_pointer,
			     [CFI_OTHER] = other },
		.at = entry->begin,
	};
	if (!instructions_run(&m, entry->initial) || m.at != entry->begin)
		return false;
	m.initial = m.now;
	m.visit = visit;
	m.arg = arg;
	if (!instructions_run(&m, entry->instructions))
		return false;
	show_row(&m, entry->end);
	return true;
}

struct cfa_search {
	uint64_t address;
	struct cfi_rule *rule;
	bool found;
};

static void cfa_visit(void *arg, const struct cfi_row *row)
{
	struct cfa_search *s = arg;
	if (s->address < row->begin || s->address >= row->end)
		return;
	*s->rule = row->cfa;
	s->found = true;
}

bool cfi_cfa_at(const struct frames *f, uint64_t address, struct cfi_rule *ret)
{
	struct cfa_search s = { address, ret, false };
	struct frame_entry entry;
	const struct frame_range *range = frames_at(f, address);
	if (range && frames_entry(f, range, &entry))
		cfi_run(&entry, 0, 0, cfa_visit, &s);
	return s.found;
}
