/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Maps that are the same for all programs: the state region, the constants, and, at the first
 * reference, scratch memory, data of threads, watched processes
 */
#include "loader/internal.h"

/* --- the state region ------------------------------------------------------------------- */

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
	l->counters = (struct area_counters *)((char *)l->state + r.counters);
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
				 (unsigned long long)r.size, m->program->area_count, REGION_LIMIT);
	struct error *err = make_memory(m, "state", (uint32_t)r.size, BPF_F_MMAPABLE, &m->state);
	return err ? err : map_state(m->state, m->program, m->loaded);
}

/* --- other memory, on demand --------------------------------------------------------------- */

static struct error *make_scratch(struct maps *m)
{
	const struct program *p = m->program;
	uint64_t size = scratch_size(p);
	if (size > REGION_LIMIT)
		return error_new("scratch memory for strings of %u bytes is too large on %u CPUs: "
				 "use a smaller strsize",
				 p->string_size, p->area_count);
	return make_memory(m, "scratch", (uint32_t)size, 0, &m->scratch);
}

static struct error *make_constants(struct maps *m)
{
	const struct program *p = m->program;
	uint32_t size = (uint32_t)constants_region_size(p);
	auto_free char *bytes = mem_zalloc(size);
	constants_fill(p, bytes);
	struct error *err = make_memory(m, "constants", size, BPF_F_RDONLY_PROG, &m->constants);
	if (err)
		return err;
	uint32_t key = 0;
	err = map_update(m->constants, &key, bytes, BPF_ANY);
	if (!err)
		err = map_freeze(m->constants);
	return err ? error_wrap(err, "cannot hand constants to the kernel") : NULL;
}

static struct error *make_task_storage(struct maps *m, const char *name, uint32_t size, int *ret)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_TASK_STORAGE,
		.name = name,
		.key_size = 4,
		.value_size = size,
		.flags = BPF_F_NO_PREALLOC,
	};
	uint32_t key, value;
	struct error *err = btf_of_task_storage(size, &request.btf, &key, &value);
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

static struct error *make_suspended(struct maps *m)
{
	return make_task_storage(m, "suspended", m->program->suspended_size, &m->suspended);
}

static struct error *make_vtimes(struct maps *m)
{
	return make_task_storage(m, "vtime", 3 * sizeof(uint64_t), &m->vtimes);
}

/* Its name has another end since a parameter became implicit. */
static int32_t task_work_function(const struct executor_kernel *o)
{
	int32_t id = o->function(o->arg, "bpf_task_work_schedule_resume_impl");
	return id >= 0 ? id : o->function(o->arg, "bpf_task_work_schedule_resume");
}

/* With a member in which the kernel finds what it runs before a program begins. */
static struct error *make_waiting(struct maps *m, struct map_request request, int *ret)
{
	auto_close int btf = -1;
	uint32_t key, value;
	struct error *err = btf_of_work(request.value_size, &btf, &key, &value);
	request.btf = btf;
	request.btf_key = (int)key;
	request.btf_value = (int)value;
	return err ? err : make_map(m, &request, ret);
}

static struct error *make_watched(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "watched",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(struct watched_process),
		/* one, for programs that only read target */
		.max_entries = MAX(m->options->watched_processes, 1u),
		.flags = BPF_F_NO_PREALLOC,
	};
	m->task_work = task_work_function(&m->options->kernel);
	auto_error struct error *err =
		m->task_work < 0 ? NULL : make_waiting(m, request, &m->watched);
	if (m->watched >= 0)
		return NULL;
	if (err)
		log_debug("programs executed do not wait: %s", error_text(err));
	m->task_work = -1;
	return make_map(m, &request, &m->watched);
}

static struct error *make_task_waits(struct maps *m)
{
	const struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "task_waits",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(struct task_wait),
		.max_entries = m->options->watched_processes,
		.flags = BPF_F_NO_PREALLOC,
	};
	return make_waiting(m, request, &m->task_waits);
}

static struct error *make_arrivals(struct maps *m)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_RINGBUF,
		.name = "arrivals",
		.max_entries = ARRIVALS_SIZE,
	};
	struct error *err = make_map(m, &request, &m->arrivals);
	m->loaded->arrivals = m->arrivals;
	return err;
}

static struct error *make_exit_places(struct maps *m)
{
	const struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "exit_places",
		.key_size = sizeof(struct exit_key),
		.value_size = sizeof(struct exit_place),
		.max_entries = EXIT_PLACES,
		.flags = BPF_F_NO_PREALLOC,
	};
	return make_map(m, &request, &m->exit_places);
}

static struct error *make_exit_counts(struct maps *m)
{
	const struct map_request request = {
		.type = BPF_MAP_TYPE_HASH,
		.name = "exit_counts",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = EXIT_PLACES,
		.flags = BPF_F_NO_PREALLOC,
	};
	return make_map(m, &request, &m->exit_counts);
}

struct error *maps_parts(struct maps *m, unsigned count)
{
	struct map_request request = {
		.type = BPF_MAP_TYPE_PROG_ARRAY,
		.name = "parts",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint32_t),
		.max_entries = count,
	};
	struct error *err = make_map(m, &request, &m->parts);
	if (!err)
		vector_push(&m->loaded->parts, m->parts);
	return err;
}

static struct error *on_demand(struct maps *m, int *fd, struct error *(*make)(struct maps *m))
{
	return *fd >= 0 ? NULL : make(m);
}

struct error *maps_scratch(struct maps *m)
{
	return on_demand(m, &m->scratch, make_scratch);
}

struct error *maps_named(struct maps *m, const char *name, int *ret)
{
	const struct {
		const char *name;
		int *fd;
		struct error *(*make)(struct maps *m);
	} list[] = {
		{ "rt_self", &m->self, make_self },
		{ "rt_suspended", &m->suspended, make_suspended },
		{ "rt_watched", &m->watched, make_watched },
		{ "rt_task_waits", &m->task_waits, make_task_waits },
		{ "rt_arrivals", &m->arrivals, make_arrivals },
		{ "rt_vtimes", &m->vtimes, make_vtimes },
		{ "rt_exit_places", &m->exit_places, make_exit_places },
		{ "rt_exit_counts", &m->exit_counts, make_exit_counts },
	};
	*ret = -1;
	for (size_t i = 0; i < ARRAY_SIZE(list); i++) {
		if (!string_equal(list[i].name, name))
			continue;
		struct error *err = on_demand(m, list[i].fd, list[i].make);
		*ret = *list[i].fd;
		return err;
	}
	return NULL;
}

/* --- life ------------------------------------------------------------------------------------- */

void maps_init(struct maps *m, const struct program *p, const struct executor_options *options,
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
		.suspended = -1,
		.speculations = -1,
		.flight = -1,
		.vtimes = -1,
		.watched = -1,
		.task_waits = -1,
		.arrivals = -1,
		.walks = -1,
		.pool = -1,
		.unwind_files = -1,
		.stack_copies = -1,
		.interpreters = -1,
		.codes = -1,
		.code_texts = -1,
		.cgroup_cells = -1,
		.cgroup_rules = -1,
		.cgroups = -1,
		.exit_places = -1,
		.exit_counts = -1,
		.parts = -1,
		.task_work = -1,
	};
}

void maps_of_more(struct maps *m, const struct program *p, const struct executor_options *options,
		  struct loaded *loaded)
{
	*m = *loaded->maps_made;
	m->program = p;
	m->options = options;
	m->loaded = loaded;
	m->scratch = m->constants = -1;
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
	if (!err)
		ready_elements(m->program, m->loaded->maps, m->constants);
	return err;
}
