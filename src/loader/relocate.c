/* SPDX-License-Identifier: BSD-2-Clause */
/* Relocations: helpers, maps and numbers that code refers to */
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

/* The replacement of FUNCTION in a PID namespace (runtime/process/namespace.c), or NULL. */
static const char *name_in_namespace(enum rt_function function)
{
	switch (function) {
	case RT_pid_tgid:
		return "rt_namespace_pid_tgid";
	case RT_ppid:
		return "rt_namespace_ppid";
	case RT_ustack_tgid:
		return "rt_namespace_ustack_tgid";
	case RT_progenyof:
		return "rt_namespace_progenyof";
	case RT_process_forked:
		return "rt_namespace_process_forked";
	case RT_process_ended:
		return "rt_namespace_process_ended";
	case RT_process_freed:
		return "rt_namespace_process_freed";
	case RT_member:
		return "rt_namespace_member";
	case RT_target:
		return "rt_namespace_target";
	case RT_target_of:
		return "rt_namespace_target_of";
	default:
		return NULL;
	}
}

/* What walks user stacks by tables (runtime/stack/unwind.c), or NULL. */
static const char *name_of_walk(enum rt_function function)
{
	switch (function) {
	case RT_ustack:
		return "rt_cfi_ustack";
	case RT_ustack_entry:
		return "rt_cfi_ustack_entry";
	case RT_ucaller:
		return "rt_cfi_ucaller";
	default:
		return NULL;
	}
}

int bind_function(enum rt_function function, bool unwinds)
{
	const char *name = kernel_pid_namespace() ? name_in_namespace(function) : NULL;
	name = unwinds && !name ? name_of_walk(function) : name;
	return name ? runtime_find(name) : runtime_row(function);
}

int bind_helper(enum rt_function function)
{
	if (function == RT_pid_tgid && kernel_pid_namespace())
		return 0;
	static const uint8_t helpers[RT_COUNT] = {
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
	struct error *err = NULL;
	switch (r->kind) {
	case RELOCATE_MAP:
		set_map(at, m->loaded->maps[r->index]);
		break;
	case RELOCATE_CONTROL:
		set_value(at, m->state, r->addend);
		break;
	case RELOCATE_GLOBALS:
		set_value(at, m->state, (uint32_t)regions.globals + r->addend);
		break;
	case RELOCATE_KEYLESS:
		set_value(at, m->state, (uint32_t)regions.keyless + r->addend);
		break;
	case RELOCATE_SCRATCH:
		err = maps_scratch(m);
		if (!err)
			set_value(at, m->scratch, r->addend);
		break;
	case RELOCATE_SLOTS_LAST:
		set_number(at, scratch_last_slot(m->program));
		break;
	case RELOCATE_STACK_SKIP:
		set_number(at, frames_of_ours(k, r->addend));
		break;
	case RELOCATE_CONSTANTS:
		set_value(at, m->constants, r->addend);
		break;
	case RELOCATE_CONSTANTS_END:
		set_number(at, constants_last_string(m->program));
		break;
	case RELOCATE_PROBES:
		set_value(at, m->constants, k->table_offset + r->addend);
		break;
	case RELOCATE_PARTS:
		set_map(at, m->parts);
		break;
	case RELOCATE_CGROUPS:
		err = maps_cgroup_cells(m);
		set_value(at, m->cgroup_cells, r->addend);
		break;
	case RELOCATE_CALL:
	case RELOCATE_ERROR:
		break;
	}
	return err;
}

static bool bind_number(const struct linker *k, const char *name, struct bpf_insn *at)
{
	const struct program *p = k->maps->program;
	const struct executor_options *o = k->options;
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
		{ "rt_areas", p->area_count },
		{ "rt_clauses", p->drops_by_clause ? p->clause_count : 0 },
		{ "rt_slot_size", p->slot_size },
		{ "rt_slots_end", scratch_slots_size(p) },
		{ "rt_string_size", p->string_size },
		{ "rt_wall_offset", o->wall_offset },
		{ "rt_namespace", kernel_pid_namespace() },
		{ "rt_follow", o->follow },
		{ "rt_exit_group", k->loaded->exit_groups },
		{ "rt_table_entries", k->group ? k->group->table_entries : 0 },
		{ "rt_table_entry_size", k->group ? k->group->table_entry_size : 0 },
	};
	if (string_equal(name, "rt_frames")) { /* asked of /proc, so not for each name */
		set_number(at, kernel_frames());
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (string_equal(numbers[i].name, name)) {
			set_number(at, numbers[i].value);
			return true;
		}
	return false;
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

/* The memory that references by NAME mean; false: another NAME. */
static bool bind_memory(const struct maps *m, const char *name, struct bpf_insn *at)
{
	if (string_equal(name, "rt_control"))
		set_value(at, m->state, 0);
	else if (string_equal(name, "rt_counters"))
		set_value(at, m->state, sizeof(struct control));
	else if (string_equal(name, "rt_clause_drops"))
		/* the kernel refuses an address after the end even in dead code */
		set_value(at, m->state,
			  m->program->drops_by_clause
				  ? (uint32_t)state_regions(m->program).clause_drops
				  : 0);
	else if (string_equal(name, "rt_constants"))
		set_value(at, m->constants, 0);
	else
		return false;
	return true;
}

struct error *bind_extern(struct linker *k, const char *name, struct bpf_insn *at)
{
	struct maps *m = k->maps;
	if (strncmp(name, "rt_offset_", 10) == 0)
		return bind_offset(k, name, at);
	if (string_equal(name, "rt_table")) {
		set_value(at, m->constants, k->table_offset);
		return NULL;
	}
	if (bind_number(k, name, at) || bind_preempt(k, name, at) || bind_caller(k, name, at) ||
	    bind_memory(m, name, at))
		return NULL;
	bool found;
	struct error *err = bind_buffer(k, name, at, &found);
	if (err || found)
		return err;
	if (string_equal(name, "rt_scratch")) {
		err = maps_scratch(m);
		set_value(at, m->scratch, 0);
		return err;
	}
	int map;
	err = bind_cgroups(k, name, at, &found);
	if (err || found)
		return err;
	err = bind_unwind(k, name, at, &found);
	if (err || found)
		return err;
	err = bind_interpreted(k, name, at, &found);
	if (err || found)
		return err;
	bool is_files = string_equal(name, "rt_exit_files");
	if (is_files || string_equal(name, "rt_exit_functions")) {
		err = exit_functions_make(k);
		set_map(at, is_files ? k->files : k->functions);
		return err;
	}
	err = maps_named(m, name, &map);
	if (err)
		return err;
	if (map < 0)
		return error_new("the run-time library refers to %s, which does not exist", name);
	set_map(at, map);
	return NULL;
}
