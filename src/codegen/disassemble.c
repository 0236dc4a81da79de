/* SPDX-License-Identifier: BSD-2-Clause */
/* Code as text: INS OFF OPCODE INSTRUCTION, with the source line above its instructions */
#include "codegen/codegen.h"

static const char *rt_text(uint32_t index)
{
	static const char *const names[] = {
#define RT(name, what) [RT_##name] = #name,
#include "abi/rt.def"
#undef RT
	};
	return index < ARRAY_SIZE(names) ? names[index] : "?";
}

static const struct relocation *relocation_at(const struct hook_code *hook, uint32_t at)
{
	for (uint32_t i = 0; i < hook->relocation_count; i++)
		if (hook->relocations[i].instruction == at)
			return &hook->relocations[i];
	return NULL;
}

static void print_target(const struct relocation *r, const struct program *p, struct strbuf *out)
{
	static const char *const regions[] = {
		[RELOCATE_CONTROL] = "control",
		[RELOCATE_GLOBALS] = "globals",
		[RELOCATE_KEYLESS] = "keyless",
		[RELOCATE_SCRATCH] = "scratch",
		[RELOCATE_SLOTS_LAST] = "slots_last",
		[RELOCATE_CONSTANTS] = "constants",
		[RELOCATE_CONSTANTS_END] = "constants_end",
		[RELOCATE_PROBES] = "probes",
		[RELOCATE_STACK_SKIP] = "stack_skip",
	};
	if (r->kind == RELOCATE_MAP)
		strbuf_printf(out, "map %s", p->maps[r->index].name);
	else
		strbuf_printf(out, "&%s+%u", regions[r->kind], r->addend);
}

static const char *alu_operator(int op)
{
	static const char *const operators[] = { "+",  "-",   "*", "/", "|", "&",  "<<",
						 ">>", "neg", "%", "^", "",  "s>>" };
	return op >> 4 < (int)ARRAY_SIZE(operators) ? operators[op >> 4] : "?";
}

static const char *jump_operator(int op)
{
	static const char *const operators[] = { "",	"==", ">", ">=", "&",  "!=", "s>",
						 "s>=", "",   "",  "<",	 "<=", "s<", "s<=" };
	return op >> 4 < (int)ARRAY_SIZE(operators) ? operators[op >> 4] : "?";
}

static const char *size_text(int code)
{
	static const char *const sizes[] = { "u32", "u16", "u8", "u64" };
	return sizes[(code & 0x18) >> 3];
}

static void print_alu(const struct bpf_insn *n, struct strbuf *out)
{
	const char *wide = BPF_CLASS(n->code) == BPF_ALU64 ? "r" : "w";
	const char *op = BPF_OP(n->code) == BPF_MOV ? "" : alu_operator(BPF_OP(n->code));
	if (BPF_OP(n->code) == BPF_END)
		strbuf_printf(out, "r%u = be%d r%u", n->dst_reg, n->imm, n->dst_reg);
	else if (BPF_SRC(n->code) == BPF_X)
		strbuf_printf(out, "%s%u %s= %s%u", wide, n->dst_reg, op, wide, n->src_reg);
	else
		strbuf_printf(out, "%s%u %s= %d", wide, n->dst_reg, op, n->imm);
}

static void print_jump(const struct bpf_insn *n, uint32_t at, struct strbuf *out)
{
	uint32_t target = at + 1 + (uint32_t)(int32_t)n->off;
	if (BPF_OP(n->code) == BPF_EXIT)
		strbuf_puts(out, "exit");
	else if (BPF_OP(n->code) == BPF_CALL && n->src_reg == BPF_PSEUDO_CALL)
		strbuf_printf(out, "call %u", at + 1 + (uint32_t)n->imm);
	else if (BPF_OP(n->code) == BPF_CALL)
		strbuf_printf(out, "call helper %d", n->imm);
	else if (BPF_OP(n->code) == BPF_JA)
		strbuf_printf(out, "goto %u", target);
	else if (BPF_SRC(n->code) == BPF_X)
		strbuf_printf(out, "if r%u %s r%u goto %u", n->dst_reg,
			      jump_operator(BPF_OP(n->code)), n->src_reg, target);
	else
		strbuf_printf(out, "if r%u %s %d goto %u", n->dst_reg,
			      jump_operator(BPF_OP(n->code)), n->imm, target);
}

static void print_memory(const struct bpf_insn *n, struct strbuf *out)
{
	const char *size = size_text(n->code);
	int class = BPF_CLASS(n->code);
	if (class == BPF_LDX)
		strbuf_printf(out, "r%u = *(%s *)(r%u %+d)", n->dst_reg, size, n->src_reg, n->off);
	else if (class == BPF_ST)
		strbuf_printf(out, "*(%s *)(r%u %+d) = %d", size, n->dst_reg, n->off, n->imm);
	else if (BPF_MODE(n->code) == BPF_ATOMIC)
		strbuf_printf(out, "lock *(%s *)(r%u %+d) %s= r%u%s", size, n->dst_reg, n->off,
			      alu_operator(n->imm & ~BPF_FETCH), n->src_reg,
			      n->imm & BPF_FETCH ? " (fetch)" : "");
	else
		strbuf_printf(out, "*(%s *)(r%u %+d) = r%u", size, n->dst_reg, n->off, n->src_reg);
}

static void print_text(const struct program *p, const struct hook_code *hook, uint32_t at,
		       struct strbuf *out)
{
	const struct bpf_insn *n = &hook->code[at];
	const struct relocation *r = relocation_at(hook, at);
	int class = BPF_CLASS(n->code);
	if (r && r->kind == RELOCATE_CALL) {
		strbuf_printf(out, "call %s", rt_text(r->index));
	} else if (r && r->kind == RELOCATE_ERROR) {
		strbuf_printf(out, "call %u", hook->error_entry);
	} else if (r) {
		strbuf_printf(out, "r%u = ", n->dst_reg);
		print_target(r, p, out);
	} else if (class == BPF_LD) {
		strbuf_printf(out, "r%u = %#llx", n->dst_reg,
			      (unsigned long long)(uint32_t)n->imm |
				      (unsigned long long)(uint32_t)n[1].imm << 32);
	} else if (class == BPF_ALU || class == BPF_ALU64) {
		print_alu(n, out);
	} else if (class == BPF_JMP || class == BPF_JMP32) {
		print_jump(n, at, out);
	} else {
		print_memory(n, out);
	}
}

static const struct line_mark *line_at(const struct hook_code *hook, uint32_t at)
{
	for (uint32_t i = hook->line_count; i > 0; i--)
		if (hook->lines[i - 1].instruction == at)
			return &hook->lines[i - 1];
	return NULL;
}

static void print_head(const char *name, uint32_t count, struct strbuf *out)
{
	strbuf_printf(out,
		      "\nDisassembly of %s, %u instructions:\nINS  OFF   OPCODE            "
		      "     INSTRUCTION\n",
		      name, count);
}

static void print_row(const struct program *p, const struct hook_code *hook, uint32_t i,
		      struct strbuf *out)
{
	const struct bpf_insn *n = &hook->code[i];
	strbuf_printf(out, "%04u %05u: %02x %u %u %04x %08x    ", i, i * 8, n->code, n->dst_reg,
		      n->src_reg, (uint16_t)n->off, (uint32_t)n->imm);
	print_text(p, hook, i, out);
	strbuf_putc(out, '\n');
}

void codegen_disassemble_raw(const char *name, const struct bpf_insn *code, uint32_t count,
			     struct strbuf *out)
{
	struct hook_code hook = { .code = code, .count = count };
	print_head(name, count, out);
	for (uint32_t i = 0; i < count; i += BPF_CLASS(code[i].code) == BPF_LD ? 2 : 1)
		print_row(NULL, &hook, i, out);
}

void codegen_disassemble(const struct program *p, const struct hook_code *hook, struct strbuf *out)
{
	print_head(hook_name(hook->kind), hook->count, out);
	for (uint32_t i = 0; i < hook->count;
	     i += BPF_CLASS(hook->code[i].code) == BPF_LD ? 2 : 1) {
		const struct line_mark *line = line_at(hook, i);
		if (line && line->clause == UINT32_MAX)
			strbuf_printf(out, "! %s\n", line->text);
		else if (line)
			strbuf_printf(out, "! clause %u, line %u%s%s\n", line->clause + 1,
				      line->line, line->text ? ": " : "",
				      line->text ? line->text : "");
		if (hook->error_entry && i == hook->error_entry)
			strbuf_puts(out, "! ERROR clauses\n");
		print_row(p, hook, i, out);
	}
}
