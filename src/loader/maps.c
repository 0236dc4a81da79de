/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Maps that are the same for all programs (library_map.def): the state region, the constants, and,
 * at the first reference, scratch memory, data of threads, watched processes
 */
#include "loader/internal.h"

struct error *map_make(struct maps *m, const struct map_request *request, int *ret)
{
	struct error *err = map_create(request, ret);
	if (!err)
		vector_push(&m->loaded->descriptors, *ret);
	return err;
}

struct error *map_make_mapped(struct maps *m, const struct map_request *request, int *ret,
			      void **memory)
{
	struct error *err = map_make(m, request, ret);
	return err ? err : map_memory(*ret, request->value_size, memory);
}

/* --- the state region ------------------------------------------------------------------- */

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

static struct error *state_make(struct maps *m, const struct map_request *request, int *ret)
{
	struct regions r = state_regions(m->program);
	if (r.size > REGION_LIMIT)
		return error_new("global variables, aggregations without keys and counters need "
				 "%llu bytes on %u CPUs, and %u are possible: use smaller ones",
				 (unsigned long long)r.size, m->program->area_count, REGION_LIMIT);
	struct error *err = map_make(m, request, ret);
	return err ? err : map_state(*ret, m->program, m->loaded);
}

/* --- other maps, on demand ---------------------------------------------------------------- */

static struct error *scratch_make(struct maps *m, const struct map_request *request, int *ret)
{
	const struct program *p = m->program;
	if (scratch_size(p) > REGION_LIMIT)
		return error_new("scratch memory for strings of %u bytes is too large on %u CPUs: "
				 "use a smaller strsize",
				 p->string_size, p->area_count);
	return map_make(m, request, ret);
}

static struct error *constants_make(struct maps *m, const struct map_request *request, int *ret)
{
	auto_free char *bytes = mem_zalloc(request->value_size);
	constants_fill(m->program, bytes);
	struct error *err = map_make(m, request, ret);
	if (err)
		return err;
	uint32_t key = 0;
	err = map_update(*ret, &key, bytes, BPF_ANY);
	if (!err)
		err = map_freeze(*ret);
	return err ? error_wrap(err, "cannot hand constants to the kernel") : NULL;
}

/* REQUEST, whose map has values of the type VALUE in BTF; int keys. */
static struct error *typed_make(struct maps *m, const struct map_request *request, int btf,
				uint32_t key, uint32_t value, int *ret)
{
	struct map_request typed = *request;
	typed.btf = btf;
	typed.btf_key = (int)key;
	typed.btf_value = (int)value;
	return map_make(m, &typed, ret);
}

static struct error *task_storage_make(struct maps *m, const struct map_request *request, int *ret)
{
	auto_close int btf = -1;
	uint32_t key, value;
	struct error *err = btf_of_task_storage(request->value_size, &btf, &key, &value);
	return err ? err : typed_make(m, request, btf, key, value, ret);
}

/* Its name has another end since a parameter became implicit. */
static int32_t task_work_function(const struct executor_kernel *o)
{
	int32_t id = o->function(o->arg, "bpf_task_work_schedule_resume_impl");
	return id >= 0 ? id : o->function(o->arg, "bpf_task_work_schedule_resume");
}

/* With a member in which the kernel finds what it runs before a program begins. */
static struct error *waiting_make(struct maps *m, const struct map_request *request, int *ret)
{
	auto_close int btf = -1;
	uint32_t key, value;
	struct error *err = btf_of_work(request->value_size, &btf, &key, &value);
	return err ? err : typed_make(m, request, btf, key, value, ret);
}

static struct error *watched_make(struct maps *m, const struct map_request *request, int *ret)
{
	m->task_work = task_work_function(&m->options->kernel);
	auto_error struct error *err = m->task_work < 0 ? NULL : waiting_make(m, request, ret);
	if (*ret >= 0)
		return NULL;
	if (err)
		log_debug("programs executed do not wait: %s", error_text(err));
	m->task_work = -1;
	return map_make(m, request, ret);
}

static struct error *rings_make(struct maps *m, const struct map_request *request, int *ret)
{
	return bind_rings(m);
}

static struct error *speculations_make(struct maps *m, const struct map_request *request, int *ret)
{
	return bind_speculations(m);
}

static struct map_request map_request_of(const struct maps *m, enum library_map which)
{
	const struct program *p = m->program;
	const struct executor_options *o = m->options;
	const struct map_request requests[] = {
#define MAP(name, type, key, value, entries, flags, make)                                          \
	[LIBRARY_##name] = { BPF_MAP_TYPE_##type, #name, key, value, (uint32_t)(entries), flags },
#include "loader/library_map.def"
#undef MAP
	};
	return requests[which];
}

struct error *library_map(struct maps *m, enum library_map which, int *ret)
{
	static struct error *(*const makers[])(struct maps * m, const struct map_request *request,
					       int *ret) = {
#define MAP(name, type, key, value, entries, flags, make) [LIBRARY_##name] = make,
#include "loader/library_map.def"
#undef MAP
	};
	int *fd = &m->loaded->library[which];
	struct error *err = NULL;
	if (*fd < 0) {
		const struct map_request request = map_request_of(m, which);
		err = makers[which](m, &request, fd);
	}
	*ret = *fd;
	return err;
}

struct error *bind_memory(struct maps *m, enum library_map which, uint32_t offset,
			  struct bpf_insn *at)
{
	int map = -1;
	struct error *err = library_map(m, which, &map);
	if (map >= 0)
		set_value(at, map, offset);
	else
		set_number(at, 1); /* the code is there, and never runs */
	return err;
}

struct error *bind_map(struct maps *m, const char *name, struct bpf_insn *at, bool *found)
{
	static const struct {
		const char *name;
		bool is_memory;
	} maps[] = {
#define MAP(name, type, key, value, entries, flags, make)                                          \
	[LIBRARY_##name] = { "rt_" #name, BPF_MAP_TYPE_##type == BPF_MAP_TYPE_ARRAY },
#include "loader/library_map.def"
#undef MAP
	};
	unsigned i = 0;
	while (i < ARRAY_SIZE(maps) && !string_equal(maps[i].name, name))
		i++;
	*found = i < ARRAY_SIZE(maps);
	if (!*found)
		return NULL;
	if (maps[i].is_memory)
		return bind_memory(m, i, 0, at);
	int map = -1;
	struct error *err = library_map(m, i, &map);
	set_map(at, map);
	return err;
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
	struct error *err = map_make(m, &request, &m->parts);
	if (!err)
		vector_push(&m->loaded->parts, m->parts);
	return err;
}

/* --- life ------------------------------------------------------------------------------------- */

void maps_init(struct maps *m, const struct program *p, const struct executor_options *options,
	       struct loaded *loaded)
{
	*m = (struct maps) {
		.program = p,
		.options = options,
		.loaded = loaded,
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
	loaded->library[LIBRARY_scratch] = loaded->library[LIBRARY_constants] = -1;
}

struct error *maps_begin(struct maps *m)
{
	int state, constants;
	bool is_first = m->loaded->library[LIBRARY_state] < 0;
	struct error *err = library_map(m, LIBRARY_state, &state);
	if (!err)
		err = library_map(m, LIBRARY_constants, &constants);
	for (unsigned i = 0; is_first && i < m->program->map_count && !err; i++)
		err = make_program_map(m, &m->program->maps[i], &m->loaded->maps[i]);
	if (!err && is_first)
		ready_elements(m->program, m->loaded->maps, constants);
	return err;
}
