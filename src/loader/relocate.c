/* SPDX-License-Identifier: BSD-2-Clause */
/* Relocations: helpers, maps and numbers that code refers to */
#include <unistd.h>

#include "arch/arch.h"
#include "loader/internal.h"

const char *rt_name(enum rt_function function)
{
	static const char *const names[] = {
#define RT(name, where, what) [RT_##name] = "rt_" #name,
#include "abi/rt.def"
#undef RT
	};
	return names[function];
}

/* The variant rt_PREFIX_NAME of FUNCTION: for a PID namespace, or by tables; -1: there is none. */
static int variant_find(const char *prefix, enum rt_function function)
{
	auto_free char *name = mem_printf("rt_%s%s", prefix, rt_name(function) + strlen("rt"));
	return runtime_find(name);
}

int library_function(enum rt_function function, bool unwinds)
{
	int variant = kernel_pid_namespace() ? variant_find("namespace", function) : -1;
	if (unwinds && variant < 0)
		variant = variant_find("cfi", function);
	return variant >= 0 ? variant : runtime_row(function);
}

int bind_helper(enum rt_function function)
{
	if (function == RT_pid_tgid && kernel_pid_namespace())
		return 0;
	static const uint8_t helpers[RT_COUNT] = {
		[RT_loop] = BPF_FUNC_loop,
		[RT_for_each] = BPF_FUNC_for_each_map_elem,
		[RT_time] = BPF_FUNC_ktime_get_ns,
		[RT_ticks] = BPF_FUNC_jiffies64,
		[RT_pid_tgid] = BPF_FUNC_get_current_pid_tgid,
		[RT_cgroup] = BPF_FUNC_get_current_cgroup_id,
		[RT_uid_gid] = BPF_FUNC_get_current_uid_gid,
		[RT_cpu] = BPF_FUNC_get_smp_processor_id,
		[RT_area] = BPF_FUNC_get_smp_processor_id,
		[RT_task] = BPF_FUNC_get_current_task_btf,
		[RT_task_number] = BPF_FUNC_get_current_task,
		[RT_user_regs] = BPF_FUNC_task_pt_regs,
		[RT_cookie] = BPF_FUNC_get_attach_cookie,
		[RT_random] = BPF_FUNC_get_prandom_u32,
		[RT_copy] = BPF_FUNC_probe_read_kernel,
		[RT_read_kernel] = BPF_FUNC_probe_read_kernel,
		[RT_read_user] = BPF_FUNC_probe_read_user,
		[RT_read_user_sleepable] = BPF_FUNC_copy_from_user,
		[RT_write_user] = BPF_FUNC_probe_write_user,
		[RT_raise] = BPF_FUNC_send_signal,
		[RT_comm] = BPF_FUNC_get_current_comm,
		[RT_map_lookup] = BPF_FUNC_map_lookup_elem,
		[RT_map_update] = BPF_FUNC_map_update_elem,
		[RT_map_delete] = BPF_FUNC_map_delete_elem,
		[RT_next_part] = BPF_FUNC_tail_call,
	};
	return helpers[function];
}

/* --- into an instruction -------------------------------------------------------------------- */

void set_value(struct bpf_insn *at, int map, uint32_t offset)
{
	at[0].src_reg = BPF_PSEUDO_MAP_VALUE;
	at[0].imm = map;
	at[1].imm = (int32_t)offset;
}

void set_map(struct bpf_insn *at, int map)
{
	at[0].src_reg = BPF_PSEUDO_MAP_FD;
	at[0].imm = map;
}

void set_number(struct bpf_insn *at, uint64_t number)
{
	at[0].imm = (int32_t)number;
	at[1].imm = (int32_t)(number >> 32);
}

/* --- targets of references -------------------------------------------------------------------- */

struct error *bind_relocation(struct linker *k, const struct relocation *r, struct bpf_insn *at)
{
	struct maps *m = k->maps;
	struct regions regions = state_regions(m->program);
	bool found;
	switch (r->kind) {
	case RELOCATE_MAP:
		set_map(at, m->loaded->maps[r->index]);
		return NULL;
	case RELOCATE_CONTROL:
		return bind_memory(m, LIBRARY_state, r->addend, at);
	case RELOCATE_GLOBALS:
		return bind_memory(m, LIBRARY_state, (uint32_t)regions.globals + r->addend, at);
	case RELOCATE_KEYLESS:
		return bind_memory(m, LIBRARY_state, (uint32_t)regions.keyless + r->addend, at);
	case RELOCATE_SCRATCH:
		return bind_memory(m, LIBRARY_scratch, r->addend, at);
	case RELOCATE_SLOTS_LAST:
		set_number(at, scratch_last_slot(m->program));
		return NULL;
	case RELOCATE_STACK_SKIP:
		set_number(at, frames_of_ours(k, r->addend));
		return NULL;
	case RELOCATE_CONSTANTS:
		return bind_memory(m, LIBRARY_constants, r->addend, at);
	case RELOCATE_CONSTANTS_END:
		set_number(at, constants_last_string(m->program));
		return NULL;
	case RELOCATE_PROBES:
		return bind_memory(m, LIBRARY_constants, k->table_offset + r->addend, at);
	case RELOCATE_PARTS:
		set_map(at, m->parts);
		return NULL;
	case RELOCATE_CALLS:
		return bind_memory(
			m, LIBRARY_calls,
			(uint32_t)(call_cells(m->program) * sizeof(uint64_t)) + r->addend, at);
	case RELOCATE_CALLS_LAST:
		set_number(at, (call_cells(m->program) - 1) * m->program->call_size);
		return NULL;
	case RELOCATE_CGROUPS:
		return bind_memory(m, LIBRARY_cgroup_cells, r->addend, at);
	case RELOCATE_THREADS:
		return bind_map(m, "rt_threads", at, &found);
	case RELOCATE_CALL:
	case RELOCATE_ERROR:
	case RELOCATE_FUNCTION:
		return NULL;
	}
	return NULL;
}

struct bpf_insn bind_kernel_call(const struct maps *m, struct bpf_insn insn)
{
	bool is_call = insn.code == (BPF_JMP | BPF_CALL) && !insn.src_reg;
	if (!is_call || insn.imm != KERNEL_TASK_WORK)
		return insn;
	insn.src_reg = BPF_PSEUDO_KFUNC_CALL;
	insn.imm = m->task_work;
	return insn;
}

static struct error *needs_nothing(struct maps *m)
{
	return NULL;
}

/* A reference to the number or place NAME, if there is one: *FOUND says so. */
static struct error *bind_number(struct linker *k, const char *name, struct bpf_insn *at,
				 bool *found)
{
	struct maps *m = k->maps;
	const struct loaded *l = m->loaded;
	const struct program *p = m->program;
	const struct executor_options *o = k->options;
	const struct arch *a = arch_host();
	struct error *err = NULL;
	*found = true;
#define PLACE(word, map, offset)                                                                   \
	if (string_equal(name, "rt_" #word))                                                       \
		return bind_memory(m, LIBRARY_##map, offset, at);
#define NUMBER(word, needs, value)                                                                 \
	if (string_equal(name, "rt_" #word)) {                                                     \
		err = needs(m);                                                                    \
		set_number(at, (uint64_t)(value));                                                 \
		return err;                                                                        \
	}
#define MACHINE(word, value) NUMBER(word, needs_nothing, value)
#include "abi/machine.def"
#include "loader/library_number.def"
#undef MACHINE
#undef NUMBER
#undef PLACE
	*found = false;
	return NULL;
}

struct error *bind_extern(struct linker *k, const char *name, struct bpf_insn *at)
{
	bool found, is_files = string_equal(name, "rt_exit_files");
	if (strncmp(name, "rt_offset_", 10) == 0)
		return bind_offset(k, name, at);
	struct error *err = bind_number(k, name, at, &found);
	if (!err && !found)
		err = bind_map(k->maps, name, at, &found);
	if (err || found)
		return err;
	if (!is_files && !string_equal(name, "rt_exit_functions"))
		return error_new("the run-time library refers to %s, which does not exist", name);
	err = exit_functions_make(k);
	set_map(at, is_files ? k->files : k->functions);
	return err;
}
