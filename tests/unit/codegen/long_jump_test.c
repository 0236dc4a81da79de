/* SPDX-License-Identifier: BSD-2-Clause */
/* Long programs keep the limits of the kernel's JIT compilers on jumps. */
#include "compile.h"
#include "test.h"

static bool is_conditional(const struct bpf_insn *i)
{
	int class = BPF_CLASS(i->code), op = BPF_OP(i->code);
	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT &&
	       op != BPF_JA;
}

/* Conditional jumps of BEGIN that go back to a target after its first REACH instructions. */
static unsigned jumps_back(const struct compiled *c, uint32_t reach)
{
	const struct group_code *group = compiled_group(c, EVENT_BEGIN);
	unsigned count = 0;
	for (uint32_t i = 0; i < group->count; i++) {
		const struct bpf_insn *insn = &group->code[i];
		count += is_conditional(insn) && insn->off < 0 &&
			 i + 1 + (uint32_t)insn->off > reach;
	}
	return count;
}

/* 4,000 new keys, each with a jump back to the code after its insertion. */
static unsigned jumps_back_for(const struct arch *arch)
{
	auto_strbuf struct strbuf text = { 0 };
	auto_compiled struct compiled c;
	struct plan_options options = compile_defaults;
	options.arch = arch;
	strbuf_puts(&text, "BEGIN {");
	for (int i = 0; i < 4000; i++)
		strbuf_printf(&text, "@[%d, pid, tid] = count();\n", i);
	strbuf_puts(&text, "}");
	CHECK(compile(&c, "long.d", strbuf_text(&text), &options));
	CHECK(compiled_group(&c, EVENT_BEGIN)->count > arch_aarch64.back_reach + 32768);
	return jumps_back(&c, arch_aarch64.back_reach);
}

TEST(no_conditional_jump_goes_far_back_on_aarch64)
{
	CHECK_INT(jumps_back_for(&arch_aarch64), 0);
}

TEST(other_machines_have_no_such_limit)
{
	CHECK(jumps_back_for(&arch_x86_64) > 1000);
}

TEST_MAIN
