/* SPDX-License-Identifier: BSD-2-Clause */
#include <sys/mman.h>
#include <unistd.h>

#include "base/open_files.h"
#include "loader/internal.h"

/* What in the kernel's types a program is loaded for. */
struct target {
	uint32_t id; /* 0: nothing */
	int module;  /* descriptor of its module's types; 0: the kernel's */
};

static struct error *traced_function_find(const struct linker *k, const struct event_function *f,
					  struct target *ret)
{
	const struct executor_kernel *kernel = &k->options->kernel;
	bool in_module = !string_equal(f->module, "vmlinux");
	auto_free char *name =
		in_module ? mem_printf("%s`%s", f->module, f->name) : mem_strdup(f->name);
	int32_t id = kernel->function(kernel->arg, name);
	if (id <= 0)
		return error_new("the kernel's type data has no function %s", name);
	ret->id = (uint32_t)id;
	return in_module ? btf_of_module(f->module, &ret->module) : NULL;
}

/* What the group is for; its parts behind the first one have no events. */
static const struct event *event_of_group(const struct group_code *g)
{
	return &(g - g->part)->events[0];
}

static struct error *find_target(const struct linker *k, const struct event_way *way,
				 struct target *ret)
{
	const struct executor_kernel *kernel = &k->options->kernel;
	if (event_is_trampoline(k->group->kind))
		return traced_function_find(k, &event_of_group(k->group)->function, ret);
	return way->typed ? kernel->tracepoint(kernel->arg, way->typed, &ret->id) : NULL;
}

static struct error *load_linked(struct linker *k, const struct event_way *way, const char *name,
				 int *ret)
{
	auto_free struct function_info *info = NULL;
	uint32_t count;
	auto_close int btf = -1;
	struct target target = { 0 };
	struct error *err = find_target(k, way, &target);
	auto_close int module = target.module ? target.module : -1;
	if (!err)
		err = btf_of_program(k, &btf, &info, &count);
	if (err)
		return err;
	struct prog_request request = {
		.type = way->type,
		.attach_type = attach_type(way),
		.attach_btf = target.id,
		.attach_module = MAX(module, 0),
		.name = name,
		.code = k->code.items,
		.count = (uint32_t)k->code.count,
		.may_sleep = k->group->may_sleep,
		.btf = btf,
		.func_info = info,
		.func_info_count = count,
		.func_info_size = sizeof(*info),
	};
	err = verify_load(k, &request, ret);
	if (!err)
		vector_push(&k->loaded->descriptors, *ret);
	return err;
}

static struct error *load_by_way(struct maps *m, const struct group_code *group,
				 uint32_t table_offset, const struct event_way *way,
				 const char *name, int *ret)
{
	struct linker k = {
		.options = m->options,
		.loaded = m->loaded,
		.group = group,
		.table_offset = table_offset,
		.maps = m,
	};
	m->loaded->exit_groups += group->follows_jumps;
	struct error *err = link_group(&k);
	if (!err)
		err = load_linked(&k, way, name, ret);
	linker_deinit(&k);
	return err;
}

struct error *load_code(struct maps *m, const struct group_code *group, uint32_t table_offset,
			const char *name, int *ret)
{
	return load_by_way(m, group, table_offset, event_way(group->kind), name, ret);
}

struct error *load_typed(struct maps *m, const struct group_code *group, const char *tracepoint,
			 const char *name, int *ret)
{
	const struct event_way way = { BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, tracepoint };
	return load_by_way(m, group, 0, &way, name, ret);
}

/*
 * The kernel may take a program for a function and then refuse to attach it (aarch64 before 6.4,
 * another user of the function's first instruction): it is attached as it is loaded, while another
 * kind of event can still take its place.
 */
static struct error *load_trampoline(struct maps *m, unsigned i, int *ret)
{
	const struct group_code *g = &m->program->groups[i];
	const struct executor_viewer *viewer = &m->options->viewer;
	struct error *err =
		load_code(m, g, (uint32_t)constants_table(m->program, i), event_name(g->kind), ret);
	if (!err && !g->part)
		err = link_traced_function(*ret, g->events[0].function.name, &m->loaded->links);
	if (err && viewer->no_trampoline)
		viewer->no_trampoline(viewer->arg, event_of_group(g), err);
	return err;
}

/* Group number I, and if it is a part, into the array where the one before finds it. */
static struct error *load_part(struct maps *m, unsigned i, int *ret)
{
	const struct program *p = m->program;
	const struct group_code *g = &p->groups[i];
	bool is_first = g->parts > 1 && !g->part;
	struct error *err = is_first ? maps_parts(m, g->parts) : NULL;
	if (!err && event_is_trampoline(g->kind))
		err = load_trampoline(m, i, ret);
	else if (!err)
		err = load_code(m, g, (uint32_t)constants_table(p, i), event_name(g->kind), ret);
	if (!err && g->part)
		err = map_update(m->parts, &g->part, ret, BPF_ANY);
	return err;
}

#define FILES_OF_OURS 64 /* maps, links of other kinds, files that are read meanwhile */

/* Is each event of this kind one of perf, too? */
static bool is_perf_event(enum event_kind kind)
{
	return kind == EVENT_RECORD || kind == EVENT_KERNEL_INSIDE ||
	       (event_is_kernel(kind) && !event_is_trampoline(kind) &&
		!kernel_has(FEATURE_KPROBE_MULTI));
}

/*
 * Programs, buffers and links of tracepoints are open files: kernels without cookies need a
 * program for each tracepoint.  If so many are refused, the one too many says it.
 */
static void program_allow_files(const struct program *p)
{
	uint64_t wanted = p->group_count + p->map_count + p->area_count + FILES_OF_OURS;
	for (unsigned i = 0; i < p->group_count; i++)
		if (p->groups[i].kind == EVENT_TRACEPOINT)
			wanted += p->groups[i].event_count;
		else if (event_is_trampoline(p->groups[i].kind)) /* its link */
			wanted++;
		else if (is_perf_event(p->groups[i].kind)) /* and its link */
			wanted += 2ull * p->groups[i].event_count;
	if (!open_files_allow(open_files_next() + wanted))
		log_debug("%llu open files are not allowed", (unsigned long long)wanted);
}

static struct error *program_load_all(struct maps *m, int *programs)
{
	const struct program *p = m->program;
	program_allow_files(p);
	struct error *err = maps_begin(m);
	if (!err)
		err = make_unwind(m);
	for (unsigned i = 0; i < p->group_count && !err; i++) {
		err = load_part(m, i, &programs[i]);
		if (err)
			err = error_wrap(err, "cannot load the program for %s",
					 event_name(p->groups[i].kind));
	}
	return err ? err : load_watchers(m);
}

static void descriptors_clear(int *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		list[i] = -1;
}

struct loaded loaded_init(const struct program *p)
{
	struct loaded l = {
		.program = p,
		.thread_exit = -1,
		.thread_switch = -1,
		.code_mapped = -1,
		.program_executed = -1,
		.process_forked = -1,
		.process_ended = -1,
		.process_freed = -1,
		.exits_ended = -1,
		.exits_executed = -1,
		.exits_forked = -1,
		.calls_ended = -1,
		.calls_executed = -1,
		.cgroup_made = -1,
		.cgroup_released = -1,
		.file_key = -1,
	};
	l.maps = mem_alloc((p->map_count + 1) * sizeof(int));
	l.programs = mem_alloc((p->group_count + 1) * sizeof(int));
	l.rings = mem_alloc((p->area_count + 1) * sizeof(int));
	descriptors_clear(l.maps, p->map_count);
	descriptors_clear(l.programs, p->group_count);
	descriptors_clear(l.rings, p->area_count);
	descriptors_clear(l.library, LIBRARY_COUNT);
	return l;
}

struct error *loader_load(const struct program *p, const struct executor_options *options,
			  struct loaded *ret)
{
	struct loaded l = loaded_init(p);
	struct maps m;
	maps_init(&m, p, options, &l);
	struct error *err = program_load_all(&m, l.programs);
	l.maps_made = mem_alloc(sizeof(m));
	*l.maps_made = m;
	if (err) {
		loaded_deinit(&l);
		return err;
	}
	if (p->self_size)
		l.control->self_limit = self_limit(p, options);
	/*
	 * Waking costs the target and the consumer both.  With 64 KiB and a busy machine an eighth
	 * lost 250,000 of 500,000 records, a quarter and a half 184,000, a 32nd more (6.18).
	 */
	l.control->wake_bytes = l.ring_size / 4;
	*ret = l;
	return NULL;
}

struct error *loader_load_more(const struct program *p, const struct executor_options *options,
			       struct loaded *loaded, int *programs, int own[2])
{
	if (!regions_agree(p, loaded->program))
		return error_new("its variables would move");
	struct maps m;
	maps_of_more(&m, p, options, loaded);
	struct error *err = program_load_all(&m, programs);
	*loaded->maps_made = m;
	own[0] = loaded->library[LIBRARY_scratch];
	own[1] = loaded->library[LIBRARY_constants];
	return err;
}

void loaded_close(struct loaded *l, int fd)
{
	for (size_t i = l->descriptors.count; i-- > 0;)
		if (l->descriptors.items[i] == fd) {
			l->descriptors.items[i] = l->descriptors.items[--l->descriptors.count];
			close(fd);
			return;
		}
}

void loaded_deinit(struct loaded *l)
{
	link_set_deinit(&l->links);
	loaded_reader_deinit(l);
	unwind_deinit(l);
	interpreted_deinit(l);
	cgroups_deinit(l);
	if (l->state)
		munmap(l->state, l->state_size);
	if (l->flight)
		munmap(l->flight, l->flight_size);
	for (size_t i = 0; i < l->descriptors.count; i++)
		close(l->descriptors.items[i]);
	vector_free(&l->parts);
	vector_free(&l->descriptors);
	free(l->maps);
	free(l->programs);
	free(l->rings);
	free(l->maps_made);
	*l = (struct loaded) { 0 };
}
