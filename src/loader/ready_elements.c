/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Elements of tables that are ready on each CPU when probes begin
 *
 * A new table has four elements at hand on each CPU, or one of more than 256 bytes (plan/plan.c).
 * When the first is taken the kernel gets some 30 more, from an interrupt that a probe of the
 * scheduler, or of another place without interrupts, does not let in: the second key with a string
 * found no room in each of 9 runs of a script (6.18), and 3 to 5 of the first keys of 170 functions
 * of RCU did not (6.12).  So a program that runs once on each CPU takes the first element and gives
 * it back: 0.43 ms for two tables and two busy CPUs.
 */
#include "kernel/insn.h"
#include "kernel/kernel.h"
#include "loader/internal.h"

typedef VECTOR(struct bpf_insn) insn_vector;

/* Programs that may run while interrupts do not come in; TIMERS: those of timers, too. */
static bool any_bars_interrupts(const struct program *p, bool timers)
{
	bool any = false;
	for (unsigned i = 0; i < p->group_count; i++)
		any |= event_may_bar_interrupts(p->groups[i].kind) &&
		       (timers || !event_is_perf(p->groups[i].kind));
	return any;
}

/* For timers four small elements suffice: between two firings the kernel gets more. */
static bool is_short(const struct program *p, const struct map_layout *m)
{
	bool is_large = m->key_size + m->value_size + MAP_ELEMENT > SMALL_ELEMENT;
	return !m->is_preallocated && any_bars_interrupts(p, is_large);
}

static bool any_short(const struct program *p)
{
	bool any = false;
	for (unsigned i = 0; i < p->map_count; i++)
		any |= is_short(p, &p->maps[i]);
	return any;
}

/* ZEROS: of the constants, as many as any key and value have. */
static void add_table(insn_vector *code, int map, int zeros)
{
	const struct bpf_insn take_and_give[] = {
		INSN_MAP(1, BPF_PSEUDO_MAP_FD, map, 0),
		INSN_MAP(2, BPF_PSEUDO_MAP_VALUE, zeros, 0),
		INSN_COPY(3, 2),
		INSN_SET(4, BPF_ANY),
		INSN_CALL(BPF_FUNC_map_update_elem),
		INSN_MAP(1, BPF_PSEUDO_MAP_FD, map, 0),
		INSN_MAP(2, BPF_PSEUDO_MAP_VALUE, zeros, 0),
		INSN_CALL(BPF_FUNC_map_delete_elem),
	};
	for (size_t i = 0; i < ARRAY_SIZE(take_and_give); i++)
		vector_push(code, take_and_give[i]);
}

static struct error *ready_program_load(const struct program *p, const int *maps, int zeros,
					int *ret)
{
	insn_vector code = { 0 };
	for (unsigned i = 0; i < p->map_count; i++)
		if (is_short(p, &p->maps[i]))
			add_table(&code, maps[i], zeros);
	vector_push(&code, INSN_SET(0, 0));
	vector_push(&code, INSN_EXIT);
	const struct prog_request request = {
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.name = "dtrace_ready",
		.code = code.items,
		.count = (uint32_t)code.count,
	};
	struct error *err = prog_load(&request, ret);
	vector_free(&code);
	return err;
}

/* Where it cannot be done the tables are as they are. */
void ready_elements(const struct program *p, const int *maps, int zeros)
{
	if (!any_short(p))
		return;
	auto_close int prog = -1;
	unsigned count;
	const int *cpus = kernel_cpus_online(&count);
	struct error *err = ready_program_load(p, maps, zeros, &prog);
	for (unsigned i = 0; i < count && !err; i++)
		err = prog_test_run(prog, NULL, 0, cpus[i]);
	if (err)
		log_debug("no elements of tables are made ready: %s", error_text(err));
	error_free(err);
}
