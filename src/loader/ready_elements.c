/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Large elements of tables that are ready on each CPU when probes begin
 *
 * A new table has one element of more than 256 bytes at hand on each CPU (plan/plan.c); a string
 * among its keys makes it so.  When that is taken the kernel gets some 30 more, from an interrupt
 * that a probe of the scheduler, or of another place without interrupts, does not let in: the
 * second key found no room in each of 9 runs of a script (6.18).  So a program that runs once on
 * each CPU takes the first element and gives it back: 0.43 ms for two tables and two busy CPUs.
 */
#include "kernel/kernel.h"
#include "loader/internal.h"

#define INSN(op, dst, src, number)                                                                 \
	((struct bpf_insn) { .code = (op), .dst_reg = (dst), .src_reg = (src), .imm = (number) })
#define ADDRESS(dst, kind, map) INSN(BPF_LD | BPF_IMM | BPF_DW, dst, kind, map), INSN(0, 0, 0, 0)
#define COPY(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0)
#define SET(dst, number) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, number)
#define CALL(function) INSN(BPF_JMP | BPF_CALL, 0, 0, BPF_FUNC_##function)

static bool is_large(const struct map_layout *m)
{
	return !m->is_preallocated && m->key_size + m->value_size + MAP_ELEMENT > SMALL_ELEMENT;
}

static bool any_large(const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->map_count; i++)
		any |= is_large(&p->maps[i]);
	return any;
}

static bool any_bars_interrupts(const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->group_count; i++)
		any |= event_may_bar_interrupts(p->groups[i].kind);
	return any;
}

/* ZEROS: of the constants, as many as any key and value have. */
static void add_table(struct bpf_insn *code, uint32_t *count, int map, int zeros)
{
	const struct bpf_insn take_and_give[] = {
		ADDRESS(1, BPF_PSEUDO_MAP_FD, map),
		ADDRESS(2, BPF_PSEUDO_MAP_VALUE, zeros),
		COPY(3, 2),
		SET(4, BPF_ANY),
		CALL(map_update_elem),
		ADDRESS(1, BPF_PSEUDO_MAP_FD, map),
		ADDRESS(2, BPF_PSEUDO_MAP_VALUE, zeros),
		CALL(map_delete_elem),
	};
	memcpy(code + *count, take_and_give, sizeof(take_and_give));
	*count += ARRAY_SIZE(take_and_give);
}

#define TABLE_CODE 13 /* instructions of add_table() at most */

static struct error *load(const struct program *p, const int *maps, int zeros, int *ret)
{
	const struct bpf_insn end[] = { SET(0, 0), INSN(BPF_JMP | BPF_EXIT, 0, 0, 0) };
	auto_free struct bpf_insn *code =
		mem_alloc((p->map_count * TABLE_CODE + ARRAY_SIZE(end)) * sizeof(*code));
	uint32_t count = 0;
	for (unsigned i = 0; i < p->map_count; i++)
		if (is_large(&p->maps[i]))
			add_table(code, &count, maps[i], zeros);
	memcpy(code + count, end, sizeof(end));
	const struct prog_request request = {
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.name = "dtrace_ready",
		.code = code,
		.count = count + ARRAY_SIZE(end),
		.btf = -1,
	};
	return prog_load(&request, ret);
}

/* Where it cannot be done the tables are as they are. */
void ready_elements(const struct program *p, const int *maps, int zeros)
{
	if (!any_large(p) || !any_bars_interrupts(p))
		return;
	auto_close int prog = -1;
	unsigned count;
	const int *cpus = kernel_cpus_online(&count);
	struct error *err = load(p, maps, zeros, &prog);
	for (unsigned i = 0; i < count && !err; i++)
		err = prog_test_run(prog, NULL, 0, cpus[i]);
	if (err)
		log_debug("no elements of tables are made ready: %s", error_text(err));
	error_free(err);
}
