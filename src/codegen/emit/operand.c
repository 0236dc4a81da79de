/* SPDX-License-Identifier: BSD-2-Clause */
#include "codegen/emit/operand.h"

#include "codegen/emit/emit.h"

/* --- fields of the contract's structs ------------------------------------------------------- */

struct field {
	uint16_t offset, size;
	const char *name;
};

#define FIELD(type, member)                                                                        \
	{                                                                                          \
		offsetof(struct type, member), sizeof(((struct type *)0)->member), #member         \
	}

static const struct field control_fields[] = {
	FIELD(control, activity),     FIELD(control, exited),	 FIELD(control, status),
	FIELD(control, zero),	      FIELD(control, suspended), FIELD(control, overtaken),
	FIELD(control, without_task), FIELD(control, deep),	 { 0, 0, NULL },
};

static const struct field slot_fields[] = {
	FIELD(slot, busy),
	FIELD(slot, address),
	FIELD(slot, fault),
	FIELD(slot, alloca_used),
	FIELD(slot, fault_address),
	FIELD(slot, token),
	FIELD(slot, truncations_pending),
	FIELD(slot, truncated_strings),
	FIELD(slot, truncated_stacks),
	FIELD(slot, unknown),
	FIELD(slot, alloca_kept),
	FIELD(slot, bytes),
	{ 0, 0, NULL },
};

static const struct field probe_fields[] = {
	FIELD(probe_entry, probe),
	FIELD(probe_entry, resume),
	FIELD(probe_entry, names),
	{ offsetof(struct probe_entry, mask), UINT16_MAX, "mask" },
	{ 0, 0, NULL },
};

static const struct field suspended_fields[] = {
	FIELD(suspended, pending),	FIELD(suspended, gone),		 FIELD(suspended, clause),
	FIELD(suspended, resume),	FIELD(suspended, memory),	 FIELD(suspended, pc),
	FIELD(suspended, time),		FIELD(suspended, stack_pointer), FIELD(suspended, run_time),
	FIELD(suspended, name),		FIELD(suspended, argument),	 FIELD(suspended, token),
	FIELD(suspended, slot_address), FIELD(suspended, alloca_kept),	 { 0, 0, NULL },
};

/* An object with a name, and its fields; after them, or without fields, words are numbered. */
static const struct {
	const char *name;
	const struct field *fields;
} regions[] = {
	[REGION_CONTEXT] = { "context", NULL },
	[REGION_FRAME] = { "frame", NULL },
	[REGION_SLOT] = { "slot", slot_fields },
	[REGION_SLOT_AT] = { "slot", slot_fields },
	[REGION_CONTROL] = { "control", control_fields },
	[REGION_GLOBALS] = { "globals", NULL },
	[REGION_KEYLESS] = { "keyless", NULL },
	[REGION_SELF] = { "self", NULL },
	[REGION_PROBE] = { "probe", probe_fields },
	[REGION_SUSPENDED] = { "suspended", suspended_fields },
	[REGION_ERROR_INFO] = { "error", NULL },
};

static const struct field *field_at(enum region region, int64_t offset)
{
	for (const struct field *f = regions[region].fields; f && f->name; f++)
		if (offset >= f->offset && offset - f->offset < f->size)
			return f;
	return NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

static struct operand_word *operand_word_at(struct operands *o, enum region region, int64_t offset)
{
	if (region == REGION_SLOT_AT)
		region = REGION_SLOT;
	for (size_t i = 0; i < o->words.count; i++)
		if (o->words.items[i].region == region && o->words.items[i].word == offset >> 3)
			return &o->words.items[i];
	vector_push(&o->words, (struct operand_word) { .region = region, .word = offset >> 3 });
	return &o->words.items[o->words.count - 1];
}

static void print_word(struct operands *o, enum region region, int64_t offset, struct strbuf *out)
{
	struct operand_word *w = operand_word_at(o, region, offset);
	if (region == REGION_FRAME && w->holds.name && !w->holds.offset) {
		strbuf_printf(out, "frame.%s", w->holds.name);
	} else {
		if (!w->number)
			w->number = ++o->numbers[w->region];
		strbuf_printf(out, "%s.%u", regions[region].name, w->number);
	}
	if (offset & 7)
		strbuf_printf(out, "+%d", (int)(offset & 7));
}

bool operand_print(struct operands *o, int base, int64_t offset, struct strbuf *out)
{
	struct operand a = o->now.reg[base];
	if (a.region == REGION_NONE || a.region == REGION_VALUE)
		return false;
	offset += a.offset;
	const struct field *f = field_at(a.region, offset);
	if (a.region == REGION_CONTEXT) {
		strbuf_printf(out, "context+%d", (int)offset);
	} else if (f) {
		strbuf_printf(out, "%s.%s", regions[a.region].name, f->name);
		if (offset > f->offset)
			strbuf_printf(out, "+%d", (int)(offset - f->offset));
	} else {
		print_word(o, a.region, offset, out);
	}
	return true;
}

/* --- following the code ----------------------------------------------------------------------- */

void operands_init(struct operands *o, uint32_t instruction_count)
{
	*o = (struct operands) { .at = mem_zalloc((instruction_count + 1) * sizeof(*o->at)) };
	operands_begin(o, REGION_NONE);
}

void operands_deinit(struct operands *o)
{
	free(o->at);
	vector_free(&o->words);
}

void operands_renumber(struct operands *o)
{
	for (size_t i = 0; i < o->words.count; i++)
		o->words.items[i].number = 0;
	memset(o->numbers, 0, sizeof(o->numbers));
}

void operands_begin(struct operands *o, enum region second)
{
	for (size_t i = 0; i < o->words.count; i++)
		if (o->words.items[i].region == REGION_FRAME)
			o->words.items[i] = (struct operand_word) { .word = INT64_MIN };
	o->now = (struct operand_registers) { .reached = true };
	o->now.reg[R1] = (struct operand) { REGION_CONTEXT, 0, "context" };
	o->now.reg[R2] = (struct operand) { second, 0, second ? "error" : NULL };
	o->now.reg[FP] = (struct operand) { REGION_FRAME, 0, NULL };
}

/* What is known where the paths A and B join. */
static void meet(struct operand_registers *a, const struct operand_registers *b)
{
	if (!b->reached)
		return;
	for (int i = 0; i < OPERAND_REGISTERS; i++)
		if (!a->reached)
			a->reg[i] = b->reg[i];
		else if (a->reg[i].region != b->reg[i].region ||
			 a->reg[i].offset != b->reg[i].offset || a->reg[i].name != b->reg[i].name)
			a->reg[i] = (struct operand) { 0 };
	a->reached = true;
}

void operands_enter(struct operands *o, uint32_t at)
{
	meet(&o->now, &o->at[at]);
}

static struct operand call_result(const struct relocation *r)
{
	struct operand ret = { REGION_VALUE, 0, NULL };
	if (!r || r->kind != RELOCATE_CALL)
		return ret;
	ret.name = rt_row_name((enum rt_function)r->index);
	switch (r->index) {
	case RT_slot_claim:
	case RT_slot_of:
		return (struct operand) { REGION_SLOT_AT, 0, "slot" };
	case RT_self_find:
	case RT_self_make:
	case RT_self_make_listed:
		return (struct operand) { REGION_SELF, 0, "self" };
	case RT_suspend:
	case RT_resume:
	case RT_resumed:
		return (struct operand) { REGION_SUSPENDED, 0, "suspended" };
	}
	return ret;
}

static struct operand region_address(const struct relocation *r)
{
	switch (r->kind) {
	case RELOCATE_CONTROL:
		return (struct operand) { REGION_CONTROL, r->addend, NULL };
	case RELOCATE_GLOBALS:
		return (struct operand) { REGION_GLOBALS, r->addend, NULL };
	case RELOCATE_KEYLESS:
		return (struct operand) { REGION_KEYLESS, r->addend, NULL };
	case RELOCATE_SCRATCH: /* the slot's offset is added next */
		return (struct operand) { REGION_SLOT, 0, NULL };
	case RELOCATE_PROBES: /* and the entry's here; that of ERROR is the last */
		return (struct operand) { REGION_PROBE, 0, "probe" };
	default:
		return (struct operand) { 0 };
	}
}

static void follow_alu(struct operands *o, const struct bpf_insn *n)
{
	struct operand *dst = &o->now.reg[n->dst_reg], src = o->now.reg[n->src_reg];
	bool wide = BPF_CLASS(n->code) == BPF_ALU64, is_register = BPF_SRC(n->code) == BPF_X;
	if (wide && BPF_OP(n->code) == BPF_MOV && is_register)
		*dst = src;
	else if (wide && BPF_OP(n->code) == BPF_ADD && !is_register && dst->region > REGION_VALUE)
		dst->offset += n->imm;
	else if (wide && BPF_OP(n->code) == BPF_ADD && is_register &&
		 ((dst->region == REGION_PROBE && !dst->offset) ||
		  (dst->region == REGION_SLOT && src.region == REGION_SLOT_AT)))
		return;
	else
		*dst = (struct operand) { 0 };
}

/* Is another word of the frame called like W? */
static bool operand_name_is_taken(const struct operands *o, const struct operand_word *w)
{
	for (size_t i = 0; w->holds.name && i < o->words.count; i++)
		if (&o->words.items[i] != w && o->words.items[i].holds.name == w->holds.name)
			return true;
	return false;
}

static void follow_store(struct operands *o, const struct bpf_insn *n)
{
	struct operand base = o->now.reg[n->dst_reg];
	if (base.region != REGION_FRAME || BPF_MODE(n->code) == BPF_ATOMIC)
		return;
	struct operand_word *w = operand_word_at(o, REGION_FRAME, base.offset + n->off);
	bool whole = BPF_CLASS(n->code) == BPF_STX && BPF_SIZE(n->code) == BPF_DW;
	w->holds = whole ? o->now.reg[n->src_reg] : (struct operand) { 0 };
	if (operand_name_is_taken(o, w))
		w->holds.name = NULL;
}

static void follow_load(struct operands *o, const struct bpf_insn *n)
{
	struct operand base = o->now.reg[n->src_reg];
	struct operand *dst = &o->now.reg[n->dst_reg];
	*dst = (struct operand) { 0 };
	if (base.region != REGION_FRAME || BPF_SIZE(n->code) != BPF_DW)
		return;
	*dst = operand_word_at(o, REGION_FRAME, base.offset + n->off)->holds;
	dst->name = NULL; /* copies are called otherwise */
}

static void follow_jump(struct operands *o, const struct bpf_insn *n, uint32_t at,
			const struct relocation *r)
{
	int op = BPF_OP(n->code);
	if (op == BPF_CALL) {
		for (int i = R1; i <= R5; i++)
			o->now.reg[i] = (struct operand) { 0 };
		o->now.reg[R0] = call_result(r);
		return;
	}
	if (op != BPF_EXIT && n->off >= 0)
		meet(&o->at[at + 1 + (uint32_t)n->off], &o->now);
	if (op == BPF_EXIT || op == BPF_JA)
		o->now.reached = false;
}

void operands_follow(struct operands *o, const struct bpf_insn *n, uint32_t at,
		     const struct relocation *r)
{
	switch (BPF_CLASS(n->code)) {
	case BPF_LD:
		o->now.reg[n->dst_reg] = r ? region_address(r) : (struct operand) { 0 };
		break;
	case BPF_LDX:
		follow_load(o, n);
		break;
	case BPF_ST:
	case BPF_STX:
		follow_store(o, n);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		follow_jump(o, n, at, r);
		break;
	default:
		follow_alu(o, n);
	}
}
