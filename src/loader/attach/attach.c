/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach - events to the kernel's attachment points
 *
 * All instructions of a file are attached by one uprobe_multi link: 10,000 attach in 98 ms and
 * detach in 170 ms; detached one by one they take 100 ms each.  Before Linux 6.6 one event of
 * tracefs does it (kernel/link/place_event.c).  A tracepoint costs the same for one system call and
 * for all of them: never an event for each (closing 720 of them takes over a minute).
 */
#include <errno.h>
#include <string.h>

#include "loader/internal.h"

/* --- system calls ----------------------------------------------------------------------------- */

static struct error *attach_syscalls(const struct attach_request *r, struct link_set *links)
{
	if (r->when != ATTACH_FIRST || !r->group->event_count) /* a later part */
		return NULL;
	return link_typed_tracepoint(r->program, event_way(r->group->kind)->typed, links);
}

/* --- tracepoints ------------------------------------------------------------------------------ */

static struct error *attach_tracepoint(const struct attach_request *r, uint32_t i,
				       struct link_set *links)
{
	const char *name = r->group->events[i].tracepoint.name;
	return r->when == ATTACH_FIRST ? link_raw_tracepoint(r->program, name, i, links) : NULL;
}

/* Detaching takes 100 ms each: the user hears of many before they are there. */
static struct error *attach_record(const struct attach_request *r, uint32_t i,
				   struct link_set *links)
{
	const struct event_record *record = &r->group->events[i].record;
	if (r->when != ATTACH_FIRST)
		return NULL;
	return link_record(r->program, record->group, record->name, i, links);
}

/* --- on CPUs ---------------------------------------------------------------------------------- */

/* A CPU that went offline since we looked has no events, and nothing to report. */
static struct error *unless_offline(struct error *err)
{
	if (!err || error_errno(err) != ENODEV)
		return err;
	error_free(err);
	return NULL;
}

struct error *attach_on_cpus(const struct attach_request *r, event_on_cpu_fn *on, uint32_t i,
			     struct link_set *links)
{
	unsigned count;
	const int *cpus = kernel_cpus_online(&count);
	struct error *err = NULL;
	if (r->when == ATTACH_CPU_LEFT)
		return NULL;
	if (r->only_cpu >= 0)
		return unless_offline(on(r, r->only_cpu, i, links));
	for (unsigned k = 0; k < count && !err; k++)
		err = unless_offline(on(r, cpus[k], i, links));
	return err;
}

static struct error *timer_on(const struct attach_request *r, int cpu, uint32_t i,
			      struct link_set *links)
{
	return link_timer(r->program, cpu, r->group->events[i].timer.period, i, links);
}

static struct error *attach_timer(const struct attach_request *r, uint32_t i,
				  struct link_set *links)
{
	bool is_first = r->when == ATTACH_FIRST;
	if (r->group->events[i].timer.on_each_cpu && !(is_first && r->only_cpu >= 0))
		return attach_on_cpus(r, timer_on, i, links);
	if (is_first)
		return timer_on(r, r->only_cpu < 0 ? r->one_cpu : r->only_cpu, i, links);
	return r->when == ATTACH_CPU_LEFT ? unless_offline(timer_on(r, r->one_cpu, i, links))
					  : NULL;
}

static struct error *counter_on(const struct attach_request *r, int cpu, uint32_t i,
				struct link_set *links)
{
	const struct event_counter *c = &r->group->events[i].counter;
	const struct perf_counter counter = { c->type, c->config, c->period, c->no_user,
					      c->no_kernel };
	return link_counter(r->program, cpu, &counter, i, links);
}

static struct error *attach_counter(const struct attach_request *r, uint32_t i,
				    struct link_set *links)
{
	return attach_on_cpus(r, counter_on, i, links);
}

/* --- instructions ----------------------------------------------------------------------------- */

/* "An instruction that I cannot probe", as is EINVAL; ENOEXEC: that I cannot decode (FMA4). */
#define KERNEL_ENOTSUPP 524

/* The sites of one file, as arrays for the kernel. */
struct sites {
	const struct attach_request *request;
	const struct event_code *file; /* an event of it */
	uint32_t *events;	       /* of each site */
	uint64_t *offsets, *cookies, *semaphores;
	uint32_t count;
	struct hash *exits; /* the offsets of exits that have a site */
};

static bool has_semaphore(const struct sites *s, uint32_t first, uint32_t count)
{
	for (uint32_t i = first; i < first + count; i++)
		if (s->semaphores[i])
			return true;
	return false;
}

static struct error *sites_link(const struct sites *s, uint32_t first, uint32_t count,
				struct link_set *links)
{
	struct uprobe_multi request = {
		.path = s->file->path,
		.name = s->file->name,
		.offsets = s->offsets + first,
		.cookies = s->cookies + first,
		.semaphores = has_semaphore(s, first, count) ? s->semaphores + first : NULL,
		.count = count,
		.pid = s->request->pid,
		.is_return = event_is_return(s->request->group->kind),
		.asks = s->request->finds_places ? COOKIE_OF_PLACE : 0,
	};
	if (kernel_has(FEATURE_UPROBE_MULTI))
		return link_uprobe_multi(s->request->program, &request, links);
	return link_uprobes(s->request->program, &request, links);
}

static bool is_about_one_site(const struct error *err)
{
	int e = error_errno(err);
	return e == EINVAL || e == KERNEL_ENOTSUPP || e == EIO || e == EOPNOTSUPP || e == ENOEXEC;
}

/*
 * The kernel refuses a whole link for one instruction that it cannot probe.
 * Halving finds such sites; the others stay on a handful of links.
 */
static struct error *sites_attach(const struct sites *s, uint32_t first, uint32_t count,
				  struct link_set *links)
{
	struct error *err = sites_link(s, first, count, links);
	if (!err || !is_about_one_site(err))
		return err;
	if (count > 1) {
		error_free(err);
		err = sites_attach(s, first, count / 2, links);
		if (err)
			return err;
		return sites_attach(s, first + count / 2, count - count / 2, links);
	}
	return s->request->refused(s->request->arg, s->request->number, s->events[first],
				   s->count == 1, err);
}

/* Does R mean the events there? */
static bool code_is_meant(const struct attach_request *r, const struct event_code *code)
{
	return r->tree ? code->target == r->tree : code->pid == r->pid;
}

static bool is_same_file(const struct event_code *code, const struct event_code *file)
{
	return code->path == file->path || strcmp(code->path, file->path) == 0;
}

static enum exit_role role_of(const struct event_site *site)
{
	if (site_is_jump(site))
		return EXIT_JUMP;
	if (site->role != SITE_RETURN)
		return EXIT_NONE;
	return site->of_destination ? EXIT_RETURN_OF_DESTINATION : EXIT_RETURN;
}

/* Where returns follow jumps, the cookie is as in abi/exit.h. */
static uint64_t cookie_of(const struct group_code *group, const struct event_site *site, uint32_t i)
{
	if (!group->follows_jumps)
		return (uint64_t)site->inside << 32 | i;
	uint64_t upper = site_is_jump(site) ? site->entry : site->inside;
	return upper << 32 | (uint64_t)role_of(site) << EXIT_INDEX_BITS | i;
}

/* One site of a destination serves all who jump to it, and a traced function's serves them, too. */
static bool is_there_already(struct sites *s, const struct event_site *site)
{
	if (!site->of_destination)
		return false;
	void **place = hash_place(s->exits, &site->at, sizeof(site->at));
	bool is_there = *place;
	*place = s;
	return is_there;
}

static void sites_add(struct sites *s, uint32_t i)
{
	const struct event_code *code = &s->request->group->events[i].code;
	for (uint32_t k = 0; k < code->site_count; k++) {
		if (is_there_already(s, &code->sites[k]))
			continue;
		s->events[s->count] = i;
		s->offsets[s->count] = code->sites[k].at;
		s->cookies[s->count] = cookie_of(s->request->group, &code->sites[k], i);
		s->semaphores[s->count] = code->sites[k].semaphore;
		s->count++;
	}
}

static bool is_of_file(const struct sites *s, uint32_t i)
{
	const struct event_code *code = &s->request->group->events[i].code;
	return code_is_meant(s->request, code) && is_same_file(code, s->file);
}

/* Exits of functions that are traced; those of destinations need no other site. */
static void exits_collect(struct sites *s, uint32_t first)
{
	const struct group_code *group = s->request->group;
	for (uint32_t i = first; i < group->event_count; i++)
		for (uint32_t k = 0; is_of_file(s, i) && k < group->events[i].code.site_count;
		     k++) {
			const struct event_site *site = &group->events[i].code.sites[k];
			if (site->role != SITE_PLAIN && !site->of_destination)
				*hash_place(s->exits, &site->at, sizeof(site->at)) = s;
		}
}

/* Make S the sites of the file of event number FIRST; its arrays are large enough for the whole
 * group. */
static void sites_collect(struct sites *s, uint32_t first)
{
	const struct group_code *group = s->request->group;
	s->file = &group->events[first].code;
	s->count = 0;
	s->exits = hash_new();
	if (group->follows_jumps)
		exits_collect(s, first);
	for (uint32_t i = first; i < group->event_count; i++)
		if (is_of_file(s, i))
			sites_add(s, i);
	hash_free(s->exits);
}

/* Is this the first event of its file?  Neighbours mostly share one. */
static bool first_of_file(const struct attach_request *r, uint32_t i)
{
	const struct event *events = r->group->events;
	for (uint32_t k = i; k-- > 0;)
		if (code_is_meant(r, &events[k].code) &&
		    is_same_file(&events[k].code, &events[i].code))
			return false;
	return true;
}

static struct error *attach_sites(const struct attach_request *r, struct link_set *links)
{
	size_t room = 1;
	for (uint32_t i = 0; i < r->group->event_count; i++)
		room += r->group->events[i].code.site_count;
	auto_free uint32_t *events = mem_alloc(room * sizeof(*events));
	auto_free uint64_t *offsets = mem_alloc(room * sizeof(*offsets));
	auto_free uint64_t *cookies = mem_alloc(room * sizeof(*cookies));
	auto_free uint64_t *semaphores = mem_alloc(room * sizeof(*semaphores));
	struct sites s = { r, .events = events, .offsets = offsets, .cookies = cookies,
			   .semaphores = semaphores };
	struct error *err = NULL;
	for (uint32_t i = 0; i < r->group->event_count && !err; i++) {
		if (!code_is_meant(r, &r->group->events[i].code) || !first_of_file(r, i))
			continue;
		sites_collect(&s, i);
		err = sites_attach(&s, 0, s.count, links);
	}
	return err;
}

/* --- functions of the kernel ------------------------------------------------------------------ */

/* Of all events of a group, those with addresses, or those without: arrays for the kernel. */
struct functions {
	const struct attach_request *request;
	bool by_name;
	uint32_t *events; /* of each address or name */
	uint64_t *addresses, *cookies;
	const char **names;
	uint32_t count;
};

/* At once?  kprobe.multi takes the first instructions of functions alone. */
static bool takes_many(const struct functions *f)
{
	return !event_is_inside(f->request->group->kind) && kernel_has(FEATURE_KPROBE_MULTI);
}

static struct error *functions_link(const struct functions *f, uint32_t first, uint32_t count,
				    struct link_set *links)
{
	const struct kprobe_multi request = {
		.addresses = f->by_name ? NULL : f->addresses + first,
		.names = f->by_name ? f->names + first : NULL,
		.cookies = f->cookies + first,
		.count = count,
		.is_return = event_is_return(f->request->group->kind),
	};
	if (takes_many(f))
		return link_kprobe_multi(f->request->program, &request, links);
	return link_kprobes(f->request->program, &request, links);
}

static bool is_about_one_function(const struct error *err)
{
	int e = error_errno(err);
	return e == EINVAL || e == ENOENT || e == ESRCH || e == EADDRNOTAVAIL || e == EBUSY ||
	       e == EOPNOTSUPP || e == KERNEL_ENOTSUPP || e == EILSEQ;
}

/* As sites_attach(). */
static struct error *functions_attach(const struct functions *f, uint32_t first, uint32_t count,
				      struct link_set *links)
{
	bool at_once = count <= 1 || takes_many(f);
	struct error *err = count && at_once ? functions_link(f, first, count, links) : NULL;
	if (at_once && (!err || !is_about_one_function(err)))
		return err;
	if (count == 1)
		return f->request->refused(f->request->arg, f->request->number, f->events[first],
					   f->count == 1, err);
	error_free(err);
	err = functions_attach(f, first, count / 2, links);
	if (err)
		return err;
	return functions_attach(f, first + count / 2, count - count / 2, links);
}

static void functions_collect(struct functions *f, struct arena *arena)
{
	const struct group_code *group = f->request->group;
	for (uint32_t i = 0; i < group->event_count; i++) {
		const struct event_function *function = &group->events[i].function;
		for (uint32_t k = 0; k < function->count && !f->by_name; k++) {
			uint64_t inside = function->offsets ? function->offsets[k] : 0;
			f->events[f->count] = i;
			f->cookies[f->count] = inside << 32 | i;
			f->addresses[f->count++] = function->addresses[k];
		}
		if (function->count || !f->by_name)
			continue;
		f->events[f->count] = f->cookies[f->count] = i;
		f->names[f->count++] =
			string_equal(function->module, "vmlinux")
				? function->name
				: arena_printf(arena, "%s:%s", function->module, function->name);
	}
}

static struct error *attach_functions(const struct attach_request *r, struct link_set *links)
{
	size_t room = 1;
	if (r->when != ATTACH_FIRST)
		return NULL;
	for (uint32_t i = 0; i < r->group->event_count; i++)
		room += MAX(r->group->events[i].function.count, 1u);
	struct arena *arena = arena_new();
	struct error *err = NULL;
	for (int by_name = 0; by_name < 2 && !err; by_name++) {
		struct functions f = { r, by_name };
		f.events = arena_alloc(arena, room * sizeof(*f.events));
		f.addresses = arena_alloc(arena, room * sizeof(*f.addresses));
		f.cookies = arena_alloc(arena, room * sizeof(*f.cookies));
		f.names = arena_alloc(arena, room * sizeof(*f.names));
		functions_collect(&f, arena);
		err = functions_attach(&f, 0, f.count, links);
	}
	arena_free(arena);
	return err;
}

/* A function of its own, as their programs are not loaded for kprobe.multi: attach_type(). */
static struct error *attach_instructions(const struct attach_request *r, struct link_set *links)
{
	return attach_functions(r, links);
}

/* --- the table -------------------------------------------------------------------------------- */

/*
 * Programs of fentry and fexit are attached as they are loaded (load_trampoline()).
 *
 * At system calls the typed form of raw tracepoints (5.5): a program reads the registers like its
 * frame.  A plain one must call a helper for them, 24 ns with the thread that the helper needs
 * (6.18).
 */
static const struct event_way ways[] = {
	[EVENT_BEGIN] = { BPF_PROG_TYPE_RAW_TRACEPOINT },
	[EVENT_END] = { BPF_PROG_TYPE_RAW_TRACEPOINT },
	[EVENT_SYSCALL_ENTRY] = { BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sys_enter",
				  attach_syscalls },
	[EVENT_SYSCALL_RESUME] = { BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sys_exit",
				   attach_syscalls },
	[EVENT_SYSCALL_RETURN] = { BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "sys_exit",
				   attach_syscalls },
	[EVENT_TRACEPOINT] = { BPF_PROG_TYPE_RAW_TRACEPOINT, .one = attach_tracepoint },
	[EVENT_RECORD] = { BPF_PROG_TYPE_TRACEPOINT, .one = attach_record },
	[EVENT_KERNEL_ENTRY] = { BPF_PROG_TYPE_KPROBE, .attach = attach_functions },
	[EVENT_KERNEL_FENTRY] = { BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY },
	[EVENT_KERNEL_RETURN] = { BPF_PROG_TYPE_KPROBE, .attach = attach_functions },
	[EVENT_KERNEL_FEXIT] = { BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT },
	[EVENT_KERNEL_INSIDE] = { BPF_PROG_TYPE_KPROBE, .attach = attach_instructions },
	[EVENT_TIMER] = { BPF_PROG_TYPE_PERF_EVENT, .one = attach_timer, .provider = "profile" },
	[EVENT_COUNTER] = { BPF_PROG_TYPE_PERF_EVENT, .one = attach_counter, .provider = "cpc" },
	[EVENT_WATCH] = { BPF_PROG_TYPE_PERF_EVENT, .one = attach_watch },
	[EVENT_FUNCTION_ENTRY] = { BPF_PROG_TYPE_KPROBE, .attach = attach_sites },
	[EVENT_FUNCTION_RETURN] = { BPF_PROG_TYPE_KPROBE, .attach = attach_sites },
	[EVENT_FUNCTION_INSIDE] = { BPF_PROG_TYPE_KPROBE, .attach = attach_sites },
	[EVENT_STATIC_PROBE] = { BPF_PROG_TYPE_KPROBE, .attach = attach_sites },
};
_Static_assert(ARRAY_SIZE(ways) == EVENT_COUNT, "each kind has its row");

const struct event_way *event_way(enum event_kind kind)
{
	return &ways[kind];
}

#define ATTACH_UPROBE_MULTI 48 /* BPF_TRACE_UPROBE_MULTI, 6.6 */

uint32_t attach_type(const struct event_way *way)
{
	if (way->attach == attach_sites && kernel_has(FEATURE_UPROBE_MULTI))
		return ATTACH_UPROBE_MULTI;
	if (way->attach == attach_functions && kernel_has(FEATURE_KPROBE_MULTI))
		return BPF_TRACE_KPROBE_MULTI;
	return way->attach_type;
}

static struct error *attach_each(const struct attach_request *r, const struct event_way *way,
				 struct link_set *links)
{
	struct error *err = NULL;
	for (uint32_t i = 0; i < r->group->event_count && !err; i++) {
		err = way->one(r, i, links);
		if (err && !way->provider)
			err = r->refused(r->arg, r->number, i, r->group->event_count == 1, err);
	}
	return err && way->provider ? error_wrap(err, "the %s provider", way->provider) : err;
}

struct error *loader_attach(const struct attach_request *request, struct link_set *links)
{
	const struct event_way *way = event_way(request->group->kind);
	if ((!way->attach && !way->one) ||
	    (request->pid && !event_is_function(request->group->kind)))
		return NULL;
	struct link_set mine = { 0 };
	struct error *err =
		way->one ? attach_each(request, way, &mine) : way->attach(request, &mine);
	if (err) {
		link_set_deinit(&mine);
		return err;
	}
	link_set_move(links, &mine);
	return NULL;
}
