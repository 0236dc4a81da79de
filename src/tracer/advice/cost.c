/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost - what many probes of functions will cost their processes, reported before they are there
 *
 * A probe costs by the instruction that it is at: what the kernel does not emulate is
 * single-stepped, with one exception more.  The instruction is read from the file, at the event's
 * place.  A function with several implementations has an entry point for each.
 *
 * Probes of every process (pid*) are reported even if they are few: who else is stopped by them,
 * and the memory that they need.  The kernel copies each page with a breakpoint for each process
 * that maps the file.
 */
#include <fcntl.h>
#include <unistd.h>

#include "arch/arch.h"
#include "tracer/advice/advice.h"

#define FUNCTIONS_MANY 1000

struct cost {
	unsigned entries, stepped, returns, stepped_returns, stepped_inside;
	struct hash *seen; /* places that were counted */
	const char *path;  /* of FD */
	int fd;
};

/* A return probe of the kernel is at the entry's place: that is counted once. */
static bool is_new(struct cost *c, const char *path, uint64_t at)
{
	auto_free char *key = mem_printf("%llx %s", (unsigned long long)at, path);
	void **place = hash_place(c->seen, key, strlen(key));
	bool was_there = *place;
	*place = c;
	return !was_there;
}

static bool is_stepped(struct cost *c, const char *path, uint64_t at)
{
	unsigned char bytes[16];
	if (path != c->path) {
		if (c->fd >= 0)
			close(c->fd);
		c->fd = open(path, O_RDONLY | O_CLOEXEC);
		c->path = path;
	}
	ssize_t got = pread(c->fd, bytes, sizeof(bytes), (off_t)at);
	struct bytes code = bytes_of(bytes, got > 0 ? (size_t)got : 0);
	return got > 0 && !arch_host()->is_emulated(&code);
}

/* How many of CODE's places are counted for the first time and single-stepped. */
static unsigned count_stepped(struct cost *c, const struct event_code *code)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < code->site_count; i++)
		if (is_new(c, code->path, code->sites[i].at))
			count += is_stepped(c, code->path, code->sites[i].at);
	return count;
}

/* A function is left by one of its instructions: they are one return. */
static void count_event(struct cost *c, enum event_kind kind, const char *name,
			const struct event_code *code)
{
	unsigned stepped = count_stepped(c, code);
	if (!event_is_inside(kind))
		c->stepped += stepped;
	else if (string_equal(name, "return"))
		c->stepped_returns += stepped > 0;
	else
		c->stepped_inside += stepped;
	c->returns += event_is_function_return(kind) ? code->site_count : 0;
	c->entries += event_is_function_entry(kind) ? code->site_count : 0;
}

/* Static probes are at sites that cost no more than others, mostly nops. */
static bool is_counted(enum event_kind kind)
{
	return event_is_function(kind) && kind != EVENT_STATIC_PROBE;
}

static void count_group(struct cost *c, const struct tracer *t, const struct group_code *group)
{
	for (uint32_t i = 0; is_counted(group->kind) && i < group->event_count; i++) {
		const struct probe *p =
			probe_db_get(t->probes, group->probe_ids[i * group->passes]);
		count_event(c, group->kind, p->name, &group->events[i].code);
	}
}

static void add(struct strbuf *text, const char *cost, unsigned count, const char *what)
{
	if (count)
		strbuf_printf(text, "%s%s at %u %s", text->len ? ", " : "",
			      cost ? cost : "a time that was not measured", count, what);
}

static void report(const struct cost *c)
{
	const struct arch *a = arch_host();
	auto_strbuf struct strbuf text = { 0 };
	add(&text, a->emulated_cost, c->entries - MIN(c->entries, c->stepped), "entry points");
	add(&text, a->stepped_cost, c->stepped, "entry points that are single-stepped");
	add(&text, a->return_cost, c->returns, "returns");
	add(&text, a->stepped_cost, c->stepped_returns, "returns that are single-stepped");
	add(&text, a->stepped_cost, c->stepped_inside, "instructions that are single-stepped");
	message("what probes add to each call of a function: %s%s", strbuf_text(&text),
		c->stepped || c->stepped_returns ? " (-x pidfast leaves out single-stepped ones)"
						 : "");
}

#define JUMPS_MANY 32 /* a switch has one; the main loop of an interpreter hundreds */

/* A jump to a computed address may leave the function: each costs, in each turn of its loop. */
static unsigned computed_jumps(const struct event_code *code)
{
	unsigned count = 0;
	for (uint32_t i = 0; i < code->site_count; i++)
		count += code->sites[i].role == SITE_LOOKUP;
	return count;
}

void jumps_report(const struct tracer *t, const struct program *p)
{
	const char *name = NULL, *cost = arch_host()->stepped_cost;
	unsigned most = 0;
	for (unsigned i = 0; i < p->group_count && !option_number(t->options, OPTION_quiet); i++)
		for (uint32_t j = 0; j < p->groups[i].event_count; j++) {
			unsigned count = computed_jumps(&p->groups[i].events[j].code);
			if (count <= MAX(most, JUMPS_MANY))
				continue;
			most = count;
			name = probe_db_get(t->probes,
					    p->groups[i].probe_ids[j * p->groups[i].passes])
				       ->function;
		}
	if (name)
		message("the return of %s is also at its %u jumps to computed addresses, as each "
			"may leave it: that costs %s each time (-x pidret=kernel does without, but "
			"may change what the process does)",
			name, most, cost ? cost : "a time that was not measured");
}

/* --- every process --- */

struct everyone {
	struct cost cost; /* its paths are files with sites, "page FILE", "file FILE", "process" */
	unsigned files, processes, sites, stepped;
	uint64_t memory;
};

static void everyone_count_processes(struct everyone *e, const int *pids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		e->processes += is_new(&e->cost, "process", (uint64_t)pids[i]);
}

/* The file of CODE, which COUNT processes have mapped. */
static void everyone_count_code(struct everyone *e, const struct event_code *code, size_t count)
{
	uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	auto_free char *page = mem_printf("page %s", code->path);
	auto_free char *file = mem_printf("file %s", code->path);
	e->files += is_new(&e->cost, file, 0);
	for (uint32_t i = 0; i < code->site_count; i++) {
		uint64_t at = code->sites[i].at;
		if (is_new(&e->cost, page, at / page_size))
			e->memory += count * page_size;
		if (!is_new(&e->cost, code->path, at))
			continue;
		e->sites++;
		e->stepped += is_stepped(&e->cost, code->path, at);
	}
}

static void everyone_count_probe(struct everyone *e, const struct probe *p)
{
	const int *pids = NULL;
	size_t count = probe_mappers(p, &pids);
	for (const struct probe_event *event = p->events; event; event = event->next) {
		if (!is_counted(event->event.kind) || !event_of_every_process(&event->event))
			continue;
		everyone_count_processes(e, pids, count);
		everyone_count_code(e, &event->event.code, count);
	}
}

/* Also those for which clauses get versions (tracer/live/versions.h). */
static void everyone_report(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	struct everyone e = { .cost = { .seen = hash_new(), .fd = -1 } };
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		bool is_meant = tracer_of_every_process(t, c);
		probe_vector probes = { 0 };
		auto_error struct error *err =
			is_meant && !c->is_made ? probe_db_match(t->probes, &c->desc, &probes)
						: NULL;
		for (unsigned k = 0; k < c->probe_count && is_meant && c->is_made; k++)
			everyone_count_probe(&e, c->probes[k]);
		for (size_t k = 0; k < probes.count && !err; k++)
			everyone_count_probe(&e, probes.items[k]);
		vector_free(&probes);
	}
	if (e.cost.fd >= 0)
		close(e.cost.fd);
	hash_free(e.cost.seen);
	if (e.files)
		message("pid*: %u file%s, mapped by %u process%s, %u site%s (%u single-stepped); "
			"the processes' copies of the pages with sites: %llu KiB",
			e.files, e.files == 1 ? "" : "s", e.processes, e.processes == 1 ? "" : "es",
			e.sites, e.sites == 1 ? "" : "s", e.stepped,
			(unsigned long long)(e.memory / 1024));
}

void cost_report(const struct tracer *t, const struct program *p)
{
	if (option_number(t->options, OPTION_quiet))
		return;
	everyone_report(t);
	unsigned functions = 0;
	for (unsigned i = 0; i < p->group_count; i++)
		if (is_counted(p->groups[i].kind))
			functions += p->groups[i].event_count;
	if (functions < FUNCTIONS_MANY)
		return;
	struct cost c = { .seen = hash_new(), .fd = -1 };
	for (unsigned i = 0; i < p->group_count; i++)
		count_group(&c, t, &p->groups[i]);
	if (c.fd >= 0)
		close(c.fd);
	hash_free(c.seen);
	report(&c);
}
