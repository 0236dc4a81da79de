/* SPDX-License-Identifier: BSD-2-Clause */
/* What code refers to: helpers, maps, numbers */
#include <errno.h>

#include "loader/internal.h"

const char *rt_name(enum rt_function function)
{
	static const char *const names[] = {
#define RT(name, what) [RT_##name] = "rt_" #name,
#include "abi/rt.def"
#undef RT
	};
	return names[function];
}

/* What stands for FUNCTION in a PID namespace (runtime/namespace.c), or NULL. */
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
	default:
		return NULL;
	}
}

int bind_function(enum rt_function function)
{
	const char *name = kernel_pid_namespace() ? name_in_namespace(function) : NULL;
	return runtime_find(name ? name : rt_name(function));
}

int bind_helper(enum rt_function function)
{
	if (function == RT_pid_tgid && kernel_pid_namespace())
		return 0;
	static const uint8_t helpers[RT_COUNT] = {
		[RT_time] = BPF_FUNC_ktime_get_ns,
		[RT_pid_tgid] = BPF_FUNC_get_current_pid_tgid,
		[RT_uid_gid] = BPF_FUNC_get_current_uid_gid,
		[RT_cpu] = BPF_FUNC_get_smp_processor_id,
		[RT_task] = BPF_FUNC_get_current_task_btf,
		[RT_task_number] = BPF_FUNC_get_current_task,
		[RT_user_regs] = BPF_FUNC_task_pt_regs,
		[RT_cookie] = BPF_FUNC_get_attach_cookie,
		[RT_random] = BPF_FUNC_get_prandom_u32,
		[RT_read_kernel] = BPF_FUNC_probe_read_kernel,
		[RT_read_user] = BPF_FUNC_probe_read_user,
		[RT_read_user_wait] = BPF_FUNC_copy_from_user,
		[RT_write_user] = BPF_FUNC_probe_write_user,
		[RT_raise] = BPF_FUNC_send_signal,
		[RT_comm] = BPF_FUNC_get_current_comm,
		[RT_map_lookup] = BPF_FUNC_map_lookup_elem,
		[RT_map_update] = BPF_FUNC_map_update_elem,
		[RT_map_delete] = BPF_FUNC_map_delete_elem,
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

static void set_map(struct bpf_insn *at, int map)
{
	at[0].src_reg = BPF_PSEUDO_MAP_FD;
	at[0].imm = map;
}

void set_number(struct bpf_insn *at, uint64_t number)
{
	at[0].imm = (int32_t)number;
	at[1].imm = (int32_t)(number >> 32);
}

/* --- the state region ------------------------------------------------------------------- */

/* Offsets in bytes; those of a region that make_state() took are below REGION_LIMIT. */
struct regions {
	uint64_t counters, globals, keyless, clause_drops, size;
};

static struct regions state_regions(const struct program *p)
{
	uint64_t cpus = p->cpu_count;
	struct regions r;
	r.counters = sizeof(struct control);
	r.globals = r.counters + cpus * sizeof(struct cpu_counters);
	r.keyless = ALIGN_UP(r.globals + p->globals_size, 64);
	r.clause_drops = r.keyless + cpus * p->keyless_size;
	r.size = r.clause_drops;
	if (p->drops_by_clause)
		r.size += cpus * p->clause_count * sizeof(struct clause_drops);
	return r;
}

struct error *make_map(struct maps *m, const struct map_request *request, int *ret)
{
	struct error *err = map_create(request, ret);
	if (!err)
		vector_push(&m->loaded->descriptors, *ret);
	return err;
}

struct error *make_memory(struct maps *m, const char *name, uint32_t size, uint32_t flags, int *ret)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_ARRAY,
		.name = name,
		.key_size = 4,
		.value_size = size,
		.max_entries = 1,
		.flags = flags,
		.inner = -1,
		.btf = -1,
	};
	return make_map(m, &request, ret);
}

struct error *map_state(int state, const struct program *p, struct loaded *l)
{
	struct regions r = state_regions(p);
	l->state_size = r.size;
	struct error *err = map_memory(state, r.size, &l->state);
	if (err)
		return err;
	l->control = l->state;
	l->counters = (struct cpu_counters *)((char *)l->state + r.counters);
	l->globals = (char *)l->state + r.globals;
	l->keyless = (char *)l->state + r.keyless;
	if (p->drops_by_clause)
		l->clause_drops = (struct clause_drops *)((char *)l->state + r.clause_drops);
	return NULL;
}

static struct error *make_state(struct maps *m)
{
	struct regions r = state_regions(m->program);
	if (r.size > REGION_LIMIT)
		return error_new("global variables, aggregations without keys and counters need "
				 "%llu bytes on %u CPUs, and %u are possible: use smaller ones",
				 (unsigned long long)r.size, m->program->cpu_count, REGION_LIMIT);
	struct error *err = make_memory(m, "state", (uint32_t)r.size, BPF_F_MMAPABLE, &m->state);
	return err ? err : map_state(m->state, m->program, m->loaded);
}

/* --- other memory, on demand --------------------------------------------------------------- */

/* The slots, and one more, into which what begins in the last one may reach (runtime.h). */
static struct error *make_scratch(struct maps *m)
{
	const struct program *p = m->program;
	uint64_t size = ((uint64_t)p->cpu_count * SLOTS_PER_CPU + 1) * p->slot_size;
	if (size > REGION_LIMIT)
		return error_new("scratch memory for strings of %u bytes is too large on %u CPUs: "
				 "use a smaller strsize",
				 p->string_size, p->cpu_count);
	return make_memory(m, "scratch", (uint32_t)size, 0, &m->scratch);
}

static struct error *make_constants(struct maps *m)
{
	const struct program *p = m->program;
	uint32_t size = ALIGN_UP(p->constants_size, 64);
	m->table_offsets = mem_zalloc((p->hook_count + 1) * sizeof(*m->table_offsets));
	for (unsigned i = 0; i < p->hook_count; i++) {
		m->table_offsets[i] = size;
		size += ALIGN_UP(p->hooks[i].table_entries * p->hooks[i].table_entry_size, 64);
	}
	auto_free char *bytes = mem_zalloc(size);
	memcpy(bytes, p->constants, p->constants_size);
	for (unsigned i = 0; i < p->hook_count; i++)
		memcpy(bytes + m->table_offsets[i], p->hooks[i].probe_table,
		       (size_t)p->hooks[i].table_entries * p->hooks[i].table_entry_size);
	struct error *err = make_memory(m, "constants", size, BPF_F_RDONLY_PROG, &m->constants);
	if (err)
		return err;
	uint32_t key = 0;
	err = map_update(m->constants, &key, bytes, BPF_ANY);
	return err ? err : map_freeze(m->constants);
}

static struct error *make_task_storage(struct maps *m, const char *name, uint32_t size, int *ret)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_TASK_STORAGE,
		.name = name,
		.key_size = 4,
		.value_size = size,
		.flags = BPF_F_NO_PREALLOC,
		.inner = -1,
	};
	uint32_t key, value;
	struct error *err = describe_task_storage(size, &request.btf, &key, &value);
	if (err)
		return err;
	vector_push(&m->loaded->descriptors, request.btf);
	request.btf_key = (int)key;
	request.btf_value = (int)value;
	return make_map(m, &request, ret);
}

static struct error *make_self(struct maps *m)
{
	return make_task_storage(m, "self", MAX(m->program->self_size, 8u), &m->self);
}

static struct error *make_waiting(struct maps *m)
{
	return make_task_storage(m, "waiting", m->program->waiting_size, &m->waiting);
}

static struct error *make_vtimes(struct maps *m)
{
	return make_task_storage(m, "vtime", 3 * sizeof(uint64_t), &m->vtimes);
}

static struct error *make_watched(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "watched",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(struct watched_process),
		.max_entries = m->options->watched_processes,
		.flags = BPF_F_NO_PREALLOC,
		.inner = -1,
		.btf = -1,
	};
	if (m->task_work < 0)
		return make_map(m, &request, &m->watched);
	auto_close int btf = -1;
	uint32_t key, value;
	struct error *err = describe_watched(&btf, &key, &value);
	request.btf = btf;
	request.btf_key = (int)key;
	request.btf_value = (int)value;
	return err ? err : make_map(m, &request, &m->watched);
}

static struct error *make_arrivals(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_RINGBUF,
		.name = "arrivals",
		.max_entries = ARRIVALS_SIZE,
		.inner = -1,
		.btf = -1,
	};
	return make_map(m, &request, &m->arrivals);
}

static struct error *on_demand(struct maps *m, int *fd, struct error *(*make)(struct maps *m))
{
	return *fd >= 0 ? NULL : make(m);
}

/* --- life ------------------------------------------------------------------------------------- */

void maps_init(struct maps *m, const struct program *p, const struct loader_options *options,
	       struct loaded *loaded)
{
	*m = (struct maps) {
		.program = p,
		.options = options,
		.loaded = loaded,
		.state = -1,
		.scratch = -1,
		.constants = -1,
		.self = -1,
		.waiting = -1,
		.speculations = -1,
		.flight = -1,
		.vtimes = -1,
		.watched = -1,
		.arrivals = -1,
		.task_work = -1,
	};
}

void maps_of_more(struct maps *m, const struct program *p, const struct loader_options *options,
		  struct loaded *loaded)
{
	*m = *loaded->maps_made;
	m->program = p;
	m->options = options;
	m->loaded = loaded;
	m->scratch = m->constants = -1;
	m->table_offsets = NULL;
}

void maps_deinit(struct maps *m)
{
	free(m->table_offsets);
}

struct error *maps_begin(struct maps *m)
{
	if (m->state >= 0)
		return make_constants(m);
	struct error *err = make_state(m);
	if (!err)
		err = make_constants(m);
	for (unsigned i = 0; i < m->program->map_count && !err; i++)
		err = make_program_map(m, &m->program->maps[i], &m->loaded->maps[i]);
	return err;
}

/* --- what references stand for --------------------------------------------------------------- */

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
		err = on_demand(m, &m->scratch, make_scratch);
		if (!err)
			set_value(at, m->scratch, r->addend);
		break;
	case RELOCATE_SLOTS_LAST:
		set_number(at, (uint64_t)(m->program->cpu_count * SLOTS_PER_CPU - 1) *
				       m->program->slot_size);
		break;
	case RELOCATE_STACK_SKIP:
		set_number(at, frames_of_ours(k, r->addend));
		break;
	case RELOCATE_CONSTANTS:
		set_value(at, m->constants, r->addend);
		break;
	case RELOCATE_CONSTANTS_END:
		set_number(at, m->program->constants_size - m->program->string_size -
				       sizeof(struct rt_string));
		break;
	case RELOCATE_PROBES:
		set_value(at, m->constants, k->table_offset + r->addend);
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
	const struct loader_options *o = k->options;
	const struct {
		const char *name;
		uint64_t value;
	} numbers[] = {
		{ "rt_cpus", p->cpu_count },
		{ "rt_clauses", p->drops_by_clause ? p->clause_count : 0 },
		{ "rt_slot_size", p->slot_size },
		{ "rt_slots_end", (uint64_t)p->cpu_count * SLOTS_PER_CPU * p->slot_size },
		{ "rt_string_size", p->string_size },
		{ "rt_frames", kernel_frames() },
		{ "rt_wall_offset", o->wall_offset },
		{ "rt_namespace", kernel_pid_namespace() },
	};
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

struct error *bind_extern(struct linker *k, const char *name, struct bpf_insn *at)
{
	struct maps *m = k->maps;
	struct error *err = NULL;
	if (strncmp(name, "rt_offset_", 10) == 0)
		return bind_offset(k, name, at);
	if (bind_number(k, name, at) || bind_preempt(k, name, at) || bind_caller(k, name, at))
		return NULL;
	bool found;
	err = bind_buffer(k, name, at, &found);
	if (err || found)
		return err;
	if (string_equal(name, "rt_scratch")) {
		err = on_demand(m, &m->scratch, make_scratch);
		set_value(at, m->scratch, 0);
	} else if (string_equal(name, "rt_control")) {
		set_value(at, m->state, 0);
	} else if (string_equal(name, "rt_counters")) {
		set_value(at, m->state, sizeof(struct control));
	} else if (string_equal(name, "rt_clause_drops")) {
		/* the kernel refuses an address behind the end even in code that is never run */
		set_value(at, m->state,
			  m->program->drops_by_clause
				  ? (uint32_t)state_regions(m->program).clause_drops
				  : 0);
	} else if (string_equal(name, "rt_constants")) {
		set_value(at, m->constants, 0);
	} else if (string_equal(name, "rt_self")) {
		err = on_demand(m, &m->self, make_self);
		set_map(at, m->self);
	} else if (string_equal(name, "rt_waiting")) {
		err = on_demand(m, &m->waiting, make_waiting);
		set_map(at, m->waiting);
	} else if (string_equal(name, "rt_watched")) {
		err = on_demand(m, &m->watched, make_watched);
		set_map(at, m->watched);
	} else if (string_equal(name, "rt_arrivals")) {
		err = on_demand(m, &m->arrivals, make_arrivals);
		set_map(at, m->arrivals);
	} else if (string_equal(name, "rt_vtimes")) {
		err = on_demand(m, &m->vtimes, make_vtimes);
		set_map(at, m->vtimes);
	} else {
		return error_new("the run-time library refers to %s, which nobody supplies", name);
	}
	return err;
}
