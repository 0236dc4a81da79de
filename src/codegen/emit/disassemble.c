/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code as text, with the source line above its instructions
 *
 * Memory, registers with a role and jump targets have names (operand.c).  For users (-S) each
 * instruction begins with its number and its bytes; listings of tests omit these, and optionally
 * the prologue, so that they change only when a decision does.
 */
#include "codegen/codegen.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/operand.h"

struct listing {
	const struct program *program; /* NULL: linked code, where nothing has names */
	const struct group_code *group;
	bool columns, prologue;
	uint32_t next_relocation, next_line;
	unsigned *labels; /* by instruction: number of the label there; 0: none */
	struct operands operands;
	struct strbuf *out;
};

/* --- texts for relocations -------------------------------------------------------------------- */

static void print_literal(const struct program *p, uint32_t offset, struct strbuf *out)
{
	const struct rt_string *s = (const void *)((const char *)p->constants + offset);
	if (offset < p->zeros_size) {
		strbuf_puts(out, "&zeros");
		return;
	}
	strbuf_puts(out, "&\"");
	for (const char *t = s->text; *t; t++)
		strbuf_printf(out, *t == '\n' ? "\\n" : "%c", *t);
	strbuf_putc(out, '"');
}

static void print_target(struct listing *l, const struct relocation *r, int dst)
{
	struct strbuf *out = l->out;
	switch (r->kind) {
	case RELOCATE_MAP:
		strbuf_printf(out, "map %s", l->program->maps[r->index].name);
		break;
	case RELOCATE_CONSTANTS:
		print_literal(l->program, r->addend, out);
		break;
	case RELOCATE_SCRATCH:
		strbuf_puts(out, "&slots");
		break;
	case RELOCATE_SLOTS_LAST:
		strbuf_puts(out, "slots_last");
		break;
	case RELOCATE_CALLS:
		strbuf_puts(out, "&cells");
		break;
	case RELOCATE_CALLS_LAST:
		strbuf_puts(out, "cells_last");
		break;
	case RELOCATE_CONSTANTS_END:
		strbuf_puts(out, "constants_end");
		break;
	case RELOCATE_FUNCTION:
		strbuf_puts(out, "&body");
		break;
	case RELOCATE_STACK_SKIP:
		strbuf_printf(out, "stack_skip+%u", r->addend);
		break;
	case RELOCATE_PROBES:
		strbuf_puts(out, r->addend ? "&probe of ERROR" : "&probes");
		break;
	default:
		strbuf_putc(out, '&');
		operand_print(&l->operands, dst, 0, out);
	}
}

/* --- instructions ------------------------------------------------------------------- */

static const char *alu_operator(int op)
{
	static const char *const operators[] = { "+",  "-", "*", "/", "|", "&",	 "<<",
						 ">>", "",  "%", "^", "",  "s>>" };
	return op >> 4 < (int)ARRAY_SIZE(operators) ? operators[op >> 4] : "?";
}

static const char *jump_operator(int op)
{
	static const char *const operators[] = { "",	"==", ">", ">=", "&",  "!=", "s>",
						 "s>=", "",   "",  "<",	 "<=", "s<", "s<=" };
	return op >> 4 < (int)ARRAY_SIZE(operators) ? operators[op >> 4] : "?";
}

static const char *memory_size_text(int code)
{
	static const char *const sizes[] = { "u32", "u16", "u8", "u64" };
	return sizes[(code & 0x18) >> 3];
}

static const char *register_name(const struct listing *l, int reg)
{
	static const char *const plain[] = { "r0", "r1", "r2", "r3", "r4", "r5",
					     "r6", "r7", "r8", "r9", "r10" };
	static const char *const roles[] = { "r0",	"r1",	"r2", "r3", "r4",   "r5",
					     "context", "slot", "r8", "r9", "frame" };
	if (reg >= (int)ARRAY_SIZE(plain))
		return "?";
	return l->program ? roles[reg] : plain[reg];
}

static void print_alu(struct listing *l, const struct bpf_insn *n)
{
	struct strbuf *out = l->out;
	const char *dst = register_name(l, n->dst_reg);
	const char *op = BPF_OP(n->code) == BPF_MOV ? "" : alu_operator(BPF_OP(n->code));
	const char *cast = BPF_CLASS(n->code) == BPF_ALU64 ? "" : "(u32)";
	if (BPF_OP(n->code) == BPF_END)
		strbuf_printf(out, "%s = be%d %s", dst, n->imm, dst);
	else if (BPF_OP(n->code) == BPF_NEG)
		strbuf_printf(out, "%s = -%s", dst, dst);
	else if (BPF_SRC(n->code) == BPF_X)
		strbuf_printf(out, "%s %s= %s%s", dst, op, cast, register_name(l, n->src_reg));
	else
		strbuf_printf(out, "%s %s= %s%d", dst, op, cast, n->imm);
}

/* REG += NUMBER; afterwards REG's target may have a name. */
static bool print_moved_pointer(struct listing *l, const struct bpf_insn *n)
{
	const struct operand *o = &l->operands.now.reg[n->dst_reg];
	if (n->code != (BPF_ALU64 | BPF_ADD | BPF_K) || o->region <= REGION_VALUE)
		return false;
	strbuf_printf(l->out, "%s = %s", register_name(l, n->dst_reg),
		      o->region == REGION_SLOT_AT ? "at " : "&");
	operand_print(&l->operands, n->dst_reg, n->imm, l->out);
	return true;
}

static void print_goto(struct listing *l, uint32_t target)
{
	if (l->labels)
		strbuf_printf(l->out, "goto L%u", l->labels[target]);
	else
		strbuf_printf(l->out, "goto %u", target);
}

static void print_jump(struct listing *l, const struct bpf_insn *n, uint32_t at)
{
	struct strbuf *out = l->out;
	uint32_t target = at + 1 + (uint32_t)(int32_t)n->off;
	int op = BPF_OP(n->code);
	const char *bits = BPF_CLASS(n->code) == BPF_JMP32 ? "(u32)" : "";
	if (op == BPF_EXIT) {
		strbuf_puts(out, "exit");
	} else if (op == BPF_CALL && n->src_reg == BPF_PSEUDO_CALL) {
		strbuf_printf(out, "call %u", at + 1 + (uint32_t)n->imm);
	} else if (op == BPF_CALL) {
		strbuf_printf(out, "call helper %d", n->imm);
	} else if (op == BPF_JA) {
		print_goto(l, target);
	} else {
		strbuf_printf(out, "if %s%s %s ", bits, register_name(l, n->dst_reg),
			      jump_operator(op));
		if (BPF_SRC(n->code) == BPF_X)
			strbuf_printf(out, "%s ", register_name(l, n->src_reg));
		else
			strbuf_printf(out, "%d ", n->imm);
		print_goto(l, target);
	}
}

/* "u64 frame.time" */
static void print_place(struct listing *l, const struct bpf_insn *n, int base)
{
	strbuf_printf(l->out, "%s ", memory_size_text(n->code));
	if (!l->program || !operand_print(&l->operands, base, n->off, l->out))
		strbuf_printf(l->out, "[%s%+d]", register_name(l, base), n->off);
}

static void print_memory(struct listing *l, const struct bpf_insn *n)
{
	struct strbuf *out = l->out;
	int class = BPF_CLASS(n->code);
	bool atomic = class == BPF_STX && BPF_MODE(n->code) == BPF_ATOMIC;
	if (class == BPF_LDX) {
		strbuf_printf(out, "%s = ", register_name(l, n->dst_reg));
		print_place(l, n, n->src_reg);
		return;
	}
	strbuf_puts(out, atomic ? "lock " : "");
	print_place(l, n, n->dst_reg);
	strbuf_printf(out, " %s= ", atomic ? alu_operator(n->imm & ~BPF_FETCH) : "");
	if (class == BPF_ST)
		strbuf_printf(out, "%d", n->imm);
	else
		strbuf_puts(out, register_name(l, n->src_reg));
	strbuf_puts(out, atomic && n->imm & BPF_FETCH ? " (fetch)" : "");
}

static void print_relocated(struct listing *l, const struct bpf_insn *n, const struct relocation *r)
{
	if (r->kind == RELOCATE_CALL) {
		strbuf_printf(l->out, "call %s",
			      r->index < RT_COUNT ? rt_row_name((enum rt_function)r->index) : "?");
	} else if (r->kind == RELOCATE_ERROR) {
		strbuf_puts(l->out, "call ERROR");
	} else {
		strbuf_printf(l->out, "%s = ", register_name(l, n->dst_reg));
		print_target(l, r, n->dst_reg);
	}
}

static void print_instruction(struct listing *l, const struct bpf_insn *n, uint32_t at)
{
	switch (BPF_CLASS(n->code)) {
	case BPF_LD:
		strbuf_printf(l->out, "%s = %#llx", register_name(l, n->dst_reg),
			      (unsigned long long)(uint32_t)n->imm |
				      (unsigned long long)(uint32_t)n[1].imm << 32);
		break;
	case BPF_ALU:
	case BPF_ALU64:
		if (!l->program || !print_moved_pointer(l, n))
			print_alu(l, n);
		break;
	case BPF_JMP:
	case BPF_JMP32:
		print_jump(l, n, at);
		break;
	default:
		print_memory(l, n);
	}
}

/* --- rows --------------------------------------------------------------------------- */

static const struct relocation *relocation_here(struct listing *l, uint32_t at)
{
	const struct group_code *h = l->group;
	while (l->next_relocation < h->relocation_count &&
	       h->relocations[l->next_relocation].instruction < at)
		l->next_relocation++;
	bool here = l->next_relocation < h->relocation_count &&
		    h->relocations[l->next_relocation].instruction == at;
	return here ? &h->relocations[l->next_relocation] : NULL;
}

/* The last mark at this place. */
static const struct line_mark *line_here(struct listing *l, uint32_t at)
{
	const struct line_mark *ret = NULL;
	for (;
	     l->next_line < l->group->line_count && l->group->lines[l->next_line].instruction <= at;
	     l->next_line++)
		ret = &l->group->lines[l->next_line];
	return ret;
}

static bool begins_prologue(const struct line_mark *line)
{
	return line->clause == UINT32_MAX && string_equal(line->text, PROLOGUE_MARK);
}

static void print_line(struct listing *l, const struct line_mark *line)
{
	if (line->clause == UINT32_MAX)
		strbuf_printf(l->out, "! %s\n", line->text);
	else
		strbuf_printf(l->out, "! clause %u, line %u%s%s\n", line->clause + 1, line->line,
			      line->text ? ": " : "", line->text ? line->text : "");
}

static void listing_print_row(struct listing *l, uint32_t i)
{
	const struct bpf_insn *n = &l->group->code[i];
	const struct relocation *r = relocation_here(l, i);
	bool is_address = r && r->kind != RELOCATE_CALL && r->kind != RELOCATE_ERROR;
	bool names = l->program && (is_address || BPF_CLASS(n->code) == BPF_STX);
	if (names) /* the new target of the register, and the stored value */
		operands_follow(&l->operands, n, i, r);
	if (l->labels && l->labels[i])
		strbuf_printf(l->out, "L%u:\n", l->labels[i]);
	if (l->columns)
		strbuf_printf(l->out, "%04u %05u: %02x %u %u %04x %08x", i, i * 8, n->code,
			      n->dst_reg, n->src_reg, (uint16_t)n->off, (uint32_t)n->imm);
	strbuf_puts(l->out, "    ");
	if (r)
		print_relocated(l, n, r);
	else
		print_instruction(l, n, i);
	strbuf_putc(l->out, '\n');
	if (l->program && !names)
		operands_follow(&l->operands, n, i, r);
}

static uint32_t next_row(const struct group_code *group, uint32_t i)
{
	return i + (BPF_CLASS(group->code[i].code) == BPF_LD ? 2 : 1);
}

/* Is the prologue omitted, and instruction AT, of LINE, a part of it? */
static bool is_hidden(struct listing *l, const struct line_mark *line, bool hidden)
{
	if (!line)
		return hidden;
	bool ret = !l->prologue && begins_prologue(line);
	if (hidden && !ret)
		operands_renumber(&l->operands);
	if (ret)
		strbuf_puts(l->out, "<prologue>\n");
	else
		print_line(l, line);
	return ret;
}

static void print_rows(struct listing *l)
{
	const struct group_code *group = l->group;
	bool hidden = false;
	for (uint32_t i = 0; i < group->count; i = next_row(group, i)) {
		if (l->program && group->error_entry && i == group->error_entry) {
			strbuf_puts(l->out, "! ERROR clauses\n");
			operands_begin(&l->operands, REGION_ERROR_INFO);
		}
		if (l->program)
			operands_enter(&l->operands, i);
		hidden = is_hidden(l, line_here(l, i), hidden);
		size_t before = l->out->len;
		listing_print_row(l, i);
		if (hidden) {
			l->out->len = before;
			l->out->text[before] = 0;
		}
	}
}

static int jump_target(const struct bpf_insn *n, uint32_t at)
{
	int class = BPF_CLASS(n->code), op = BPF_OP(n->code);
	bool jumps = (class == BPF_JMP || class == BPF_JMP32) && op != BPF_EXIT && op != BPF_CALL;
	return jumps ? (int)at + 1 + n->off : -1;
}

/* Labels are numbered in the order of the text; jumps that are left out need none. */
static void number_labels(struct listing *l)
{
	const struct group_code *group = l->group;
	bool hidden = false;
	for (uint32_t i = 0; i < group->count; i = next_row(group, i)) {
		const struct line_mark *line = line_here(l, i);
		if (line)
			hidden = !l->prologue && begins_prologue(line);
		int target = jump_target(&group->code[i], i);
		if (!hidden && target >= 0)
			l->labels[target] = 1;
	}
	unsigned number = 0;
	for (uint32_t i = 0; i < group->count; i++)
		if (l->labels[i])
			l->labels[i] = ++number;
	l->next_line = 0;
}

static void print_heading(struct listing *l, const char *name)
{
	strbuf_printf(l->out, "\nDisassembly of %s", name);
	if (l->columns)
		strbuf_printf(l->out,
			      ", %u instructions:\nINS  OFF   OPCODE                 INSTRUCTION\n",
			      l->group->count);
	else
		strbuf_puts(l->out, ":\n");
}

void codegen_disassemble_raw(const char *name, const struct bpf_insn *code, uint32_t count,
			     struct strbuf *out)
{
	struct group_code group = { .code = code, .count = count };
	struct listing l = { .group = &group, .columns = true, .prologue = true, .out = out };
	print_heading(&l, name);
	print_rows(&l);
}

static void listing_print_group(struct listing *l)
{
	const struct group_code *g = l->group;
	auto_free char *name = g->parts > 1 ? mem_printf("%s, part %u of %u", event_name(g->kind),
							 g->part + 1, g->parts)
					    : mem_strdup(event_name(g->kind));
	print_heading(l, name);
	l->labels = mem_zalloc((l->group->count + 1) * sizeof(*l->labels));
	operands_init(&l->operands, l->group->count);
	number_labels(l);
	print_rows(l);
	operands_deinit(&l->operands);
	free(l->labels);
}

void codegen_disassemble(const struct program *p, const struct group_code *group,
			 struct strbuf *out)
{
	listing_print_group(&(struct listing) {
		.program = p, .group = group, .columns = true, .prologue = true, .out = out });
}

void codegen_list(const struct program *p, const struct group_code *group, bool with_prologue,
		  struct strbuf *out)
{
	listing_print_group(&(struct listing) {
		.program = p, .group = group, .prologue = with_prologue, .out = out });
}
