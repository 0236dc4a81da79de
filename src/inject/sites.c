/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From events to files, and for each file: places near its mappings, the groups' code in them, and
 * function by function the windows.
 */
#include "inject/sites.h"

#include <elf.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/sort.h"
#include "inject/groups.h"

/* Sites of one file. */
struct site_file {
	const char *path;
	struct code_file file;
	struct mapping *mapped; /* a mapping of it; NULL: none is */
	code_site_vector sites;
};

struct reason {
	const char *words;
	unsigned count;
};

struct attaching {
	struct injector *injector;
	const struct executor_request *request;
	struct mapping *list;
	struct code_space space;
	VECTOR(struct site_file) files;
	offset_vector *covered; /* of each group: struct placed */
	VECTOR(struct reason) reasons;
	uint64_t thread_number; /* of struct process_own */
	unsigned sites, refused, fatal;
	char *fatal_name; /* of the first one, a function of a file */
};

/* --- files --- */

static bool maps_file(const struct mapping *m, const struct site_file *f)
{
	return m->executable && m->inode && m->inode == f->mapped->inode &&
	       m->dev_major == f->mapped->dev_major && m->dev_minor == f->mapped->dev_minor;
}

static void file_open(struct attaching *a, const struct event_code *code, struct site_file *f)
{
	struct stat st;
	struct images *images = a->injector->options.images;
	bool is_there = stat(code->path, &st) == 0;
	f->path = code->path;
	for (size_t i = 0; i < a->space.count && is_there; i++) {
		struct mapping *m = &a->list[i];
		if (!m->executable || m->inode != st.st_ino)
			continue;
		struct image *image = images_find(images, a->injector->target.pid, m);
		const char *path = image ? image_path(image) : NULL;
		if (!path || strcmp(path, code->path) != 0)
			continue;
		f->mapped = m;
		code_file_init(&f->file, image, code->name);
		return;
	}
	f->file.name = code->name;
	f->file.problem = "the process has not mapped its file";
}

static struct site_file *site_file_of(struct attaching *a, const struct event_code *code)
{
	for (size_t i = a->files.count; i-- > 0;) {
		struct site_file *f = &a->files.items[i];
		if (f->path == code->path || strcmp(f->path, code->path) == 0)
			return f;
	}
	struct site_file *f = vector_extend(&a->files);
	*f = (struct site_file) { 0 };
	file_open(a, code, f);
	return f;
}

/* --- events to sites --- */

static enum patch_kind patch_kind_of(const struct event *e, const struct event_site *s)
{
	if (event_is_function_entry(e->kind) && !s->inside)
		return PATCH_ENTRY;
	return s->role == SITE_PLAIN ? PATCH_INSIDE : PATCH_EXIT;
}

static enum exit_role exit_role_of(const struct event_site *s)
{
	if (site_is_jump(s))
		return EXIT_JUMP;
	if (s->role != SITE_RETURN)
		return EXIT_NONE;
	return s->of_destination ? EXIT_RETURN_OF_DESTINATION : EXIT_RETURN;
}

/* Where returns follow jumps, as in abi/exit.h. */
static uint64_t site_cookie(const struct group_code *g, const struct event_site *s, uint32_t event)
{
	if (!g->follows_jumps)
		return (uint64_t)s->inside << 32 | event;
	uint64_t upper = site_is_jump(s) ? s->entry : s->inside;
	return upper << 32 | (uint64_t)exit_role_of(s) << EXIT_INDEX_BITS | event;
}

/* Of a site whose function nobody has named: what its call frame information says. */
static void site_find_function(const struct code_file *f, struct code_site *s)
{
	uint64_t address, begin;
	if (s->function_size || s->patch.kind == PATCH_ENTRY ||
	    !elf_file_address(f->elf, s->at, &address))
		return;
	const struct frame_range *r = frames_at(elf_file_frames(f->elf), address);
	if (!r || !elf_file_offset(f->elf, r->begin, &begin))
		return;
	s->function = begin;
	s->function_size = (uint32_t)(r->end - r->begin);
}

static void sites_of_event(struct attaching *a, unsigned group, uint32_t event)
{
	const struct executor_request *r = a->request;
	const struct group_code *g = &a->injector->program->groups[group];
	const struct event *e = &g->events[event];
	struct site_file *f = site_file_of(a, &e->code);
	bool is_named = !r->is_named || r->is_named(r->arg, group, event);
	for (uint32_t i = 0; i < e->code.site_count; i++) {
		const struct event_site *s = &e->code.sites[i];
		struct code_site site = { .function = s->function,
					  .function_size = s->function_size,
					  .group = group,
					  .event = event,
					  .at = s->at,
					  .cookie = site_cookie(g, s, event),
					  .semaphore = s->semaphore,
					  .is_named = is_named,
					  .of_destination = s->of_destination };
		site.patch =
			(struct patch_site) { .kind = (uint8_t)patch_kind_of(e, s),
					      .may_take_first =
						      is_named || a->injector->options.all_sites };
		site.patch.at = site.patch.kind == PATCH_ENTRY ? s->function : s->at;
		if (!f->file.problem)
			site_find_function(&f->file, &site);
		vector_push(&f->sites, site);
	}
}

static void events_collect(struct attaching *a)
{
	const struct program *p = a->injector->program;
	for (unsigned g = 0; g < p->group_count; g++)
		for (uint32_t i = 0; i < p->groups[g].event_count; i++)
			if (event_is_function(p->groups[g].kind) &&
			    p->groups[g].events[i].code.pid == a->request->pid)
				sites_of_event(a, g, i);
}

/* One site of a destination serves all who jump to it, and a traced function's serves them, too. */
static bool is_served(const code_site_vector *sites, size_t n)
{
	const struct code_site *s = &sites->items[n];
	bool any = false;
	size_t i = n;
	while (i && sites->items[i - 1].at == s->at)
		i--;
	for (; i < sites->count && sites->items[i].at == s->at; i++) {
		const struct code_site *other = &sites->items[i];
		any |= other->group == s->group && i != n && (!other->of_destination || i < n);
	}
	return s->of_destination && any;
}

/* Sorted by function and place. */
static void leave_served(code_site_vector *sites)
{
	code_site_vector kept = { 0 };
	for (size_t i = 0; i < sites->count; i++)
		if (!is_served(sites, i))
			vector_push(&kept, sites->items[i]);
	vector_free(sites);
	*sites = kept;
}

/* --- functions that jumps are looked up in --- */

static bool group_looks_up(const struct group_code *g)
{
	bool any = false;
	for (uint32_t i = 0; i < g->event_count; i++)
		for (uint32_t k = 0; k < g->events[i].code.site_count; k++)
			any |= g->events[i].code.sites[k].is_followed;
	return any && g->follows_jumps;
}

static void covered_take(struct attaching *a, const struct site_file *f, const struct code_site *s)
{
	for (size_t i = 0; i < a->space.count; i++) {
		const struct mapping *m = &a->list[i];
		if (maps_file(m, f) && s->function - m->offset < m->end - m->start)
			vector_push(&a->covered[s->group], m->start + (s->function - m->offset));
	}
}

static void covered_collect(struct attaching *a)
{
	const struct program *p = a->injector->program;
	auto_free bool *wanted = mem_zalloc(p->group_count + 1);
	for (unsigned i = 0; i < p->group_count; i++)
		wanted[i] = group_looks_up(&p->groups[i]);
	for (size_t i = 0; i < a->files.count; i++) {
		const struct site_file *f = &a->files.items[i];
		for (size_t k = 0; k < f->sites.count && f->mapped; k++)
			if (wanted[f->sites.items[k].group] &&
			    f->sites.items[k].patch.kind == PATCH_EXIT)
				covered_take(a, f, &f->sites.items[k]);
	}
	for (unsigned i = 0; i < p->group_count; i++)
		offsets_sort(&a->covered[i]);
}

/* --- refusals --- */

static void reason_count(struct attaching *a, const char *words)
{
	size_t i = 0;
	while (i < a->reasons.count && strcmp(a->reasons.items[i].words, words) != 0)
		i++;
	if (i == a->reasons.count)
		vector_push(&a->reasons, ((struct reason) { words, 0 }));
	a->reasons.items[i].count++;
	a->refused++;
}

static const char *site_function_name(const struct site_file *f, const struct code_site *s)
{
	uint64_t address;
	const struct elf_symbol *symbol = NULL;
	if (f->file.elf && elf_file_address(f->file.elf, s->function, &address))
		symbol = elf_file_symbol_at(f->file.elf, address);
	return symbol ? symbol->name : "a function";
}

static struct error *site_refuse(struct attaching *a, const struct site_file *f,
				 const struct code_site *s)
{
	const char *words = f->file.problem ? f->file.problem
					    : patch_refusal_words((enum patch_refusal)s->refusal);
	log_debug("process: no jump for %s of %s at %#llx: %s", site_function_name(f, s),
		  f->file.name, (unsigned long long)s->at, words);
	if (!s->is_named) {
		reason_count(a, words);
		return NULL;
	}
	return a->request->refused(a->request->arg, s->group, s->event, true,
				   error_new("%s (-x executor=kernel can probe it)", words));
}

static struct error *sites_report(struct attaching *a, const struct site_file *f)
{
	struct error *err = NULL;
	a->sites += (unsigned)f->sites.count;
	for (size_t i = 0; i < f->sites.count && !err; i++) {
		const struct code_site *s = &f->sites.items[i];
		if (f->file.problem || s->refusal != PATCH_FITS)
			err = site_refuse(a, f, s);
		else if (s->safety == PATCH_FATAL && !a->fatal++)
			a->fatal_name =
				mem_printf("%s of %s", site_function_name(f, s), f->file.name);
	}
	return err;
}

static int reason_compare(const void *left, const void *right)
{
	const struct reason *a = left, *b = right;
	return (a->count < b->count) - (a->count > b->count);
}

static void report_refused(struct attaching *a)
{
	auto_strbuf struct strbuf text = { 0 };
	if (a->reasons.count)
		qsort(a->reasons.items, a->reasons.count, sizeof(*a->reasons.items),
		      reason_compare);
	for (size_t i = 0; i < a->reasons.count; i++)
		strbuf_printf(&text, "%s%s (%u)", i ? "; " : "", a->reasons.items[i].words,
			      a->reasons.items[i].count);
	if (a->refused)
		message_loss("%u of %u places of probes are left out, which the process cannot "
			     "run (-x executor=kernel can, -x debug lists them): %s",
			     a->refused, a->sites, strbuf_text(&text));
	if (a->fatal && !a->injector->options.quiet)
		message("a second tracer's probe at the entry of %s%s would kill the process, as "
			"the jump has its first instruction",
			a->fatal_name, a->fatal > 1 ? " or of others" : "");
}

/* --- a file --- */

typedef VECTOR(struct placed) placed_vector;

#define HWCAP2_FSGSBASE 2

/* In a static program, and in the dynamic linker, code runs before threads are set up. */
static bool may_lack_tls(const struct attaching *a, const struct mapping *m)
{
	uint64_t linker = process_auxiliary(a->injector->target.pid, AT_BASE);
	const struct mapping *of = mappings_find(a->list, a->space.count, linker);
	return !linker || (of && of->inode == m->inode && of->dev_minor == m->dev_minor);
}

static bool has_sites(const struct site_file *f, const struct mapping *m)
{
	for (size_t i = 0; i < f->sites.count; i++)
		if (f->sites.items[i].at - m->offset < m->end - m->start)
			return true;
	return false;
}

static struct error *places_open(struct attaching *a, struct site_file *f, placed_vector *ret)
{
	struct error *err = NULL;
	uint64_t room = placed_room(a->injector, a->covered, f->sites.count);
	for (size_t i = 0; i < a->space.count && !err && !f->file.problem; i++) {
		const struct mapping *m = &a->list[i];
		if (!maps_file(m, f) || !has_sites(f, m))
			continue;
		bool may_lack = may_lack_tls(a, m);
		if (may_lack &&
		    !(process_auxiliary(a->injector->target.pid, AT_HWCAP2) & HWCAP2_FSGSBASE)) {
			f->file.problem = "threads may not be set up there yet, which this "
					  "processor cannot tell";
			return NULL;
		}
		struct placed p = { .injector = a->injector,
				    .thread_number = a->thread_number,
				    .may_lack_tls = may_lack,
				    .covered = a->covered };
		if (!code_place_open(&p.place, &f->file, &a->space, i, room)) {
			f->file.problem = "there is no room for code within 2 GiB of its file";
			return NULL;
		}
		err = placed_groups(&p, &f->sites);
		vector_push(ret, p);
	}
	return err;
}

/* Sites from FIRST to END - 1 are of one function. */
static void function_put(struct site_file *f, size_t first, size_t end, placed_vector *places)
{
	struct code_site *sites = f->sites.items;
	VECTOR(struct patch_site) wanted = { 0 };
	offset_vector local = { 0 };
	struct patch_function function;
	struct patch_plan plan = { 0 };
	uint64_t size = 0;
	bool with_jumps = false;
	for (size_t i = first; i < end; i++) {
		size = MAX(size, (uint64_t)sites[i].function_size);
		with_jumps |= sites[i].patch.kind != PATCH_ENTRY;
		vector_push(&wanted, sites[i].patch);
	}
	enum patch_refusal why =
		code_function(&f->file, sites[first].function, size, with_jumps, &local, &function);
	if (why == PATCH_FITS)
		patch_plan_make(patch_machine(arch_host()), &function, wanted.items, wanted.count,
				&plan);
	for (size_t i = first; i < end; i++)
		sites[i].refusal =
			why == PATCH_FITS ? plan.refusals.items[i - first] : (uint8_t)why;
	for (size_t i = 0; i < places->count && why == PATCH_FITS; i++) {
		struct placed *p = &places->items[i];
		if (code_place_has(&p->place, &function))
			code_place_add(&p->place, &function, &plan, sites, (uint32_t)first,
				       placed_fire, p);
	}
	patch_plan_deinit(&plan);
	vector_free(&wanted);
	vector_free(&local);
}

static int site_compare(const void *left, const void *right)
{
	const struct code_site *a = left, *b = right;
	return (a->at > b->at) - (a->at < b->at);
}

/* The code is somewhere in the process, which is to be left alone (struct injected). */
static void remember_code(struct injector *i, const struct code_place *p)
{
	vector_push(&i->target.code,
		    ((struct address_range) { p->code.address, p->code.address + p->code.used }));
}

static struct error *places_write(struct attaching *a, struct site_file *f, placed_vector *places)
{
	struct error *err = NULL;
	struct process *process = a->injector->target.process;
	for (size_t i = 0; i < places->count && !err; i++) {
		err = code_place_write(&places->items[i].place, process, f->sites.items);
		remember_code(a->injector, &places->items[i].place);
	}
	for (size_t i = 0; i < places->count && !err; i++)
		err = code_semaphores(&places->items[i].place, process, &f->sites);
	return err;
}

static struct error *file_attach(struct attaching *a, struct site_file *f)
{
	placed_vector places = { 0 };
	sort_by_number(f->sites.items, f->sites.count, sizeof(*f->sites.items),
		       offsetof(struct code_site, function), site_compare);
	leave_served(&f->sites);
	struct code_site *sites = f->sites.items;
	size_t count = f->sites.count;
	struct error *err = places_open(a, f, &places);
	for (size_t i = 0, end; i < count && !err && !f->file.problem; i = end) {
		for (end = i + 1; end < count && sites[end].function == sites[i].function;)
			end++;
		function_put(f, i, end, &places);
	}
	if (!err && !f->file.problem)
		err = places_write(a, f, &places);
	for (size_t i = 0; i < places.count; i++)
		placed_deinit(&places.items[i]);
	vector_free(&places);
	return err ? err : sites_report(a, f);
}

/* --- all files --- */

/* Where the heap ends: only the process knows it before it has one. */
static struct error *heap_find(struct attaching *a)
{
	const uint64_t none[CALL_ARGUMENTS] = { 0 };
	int64_t end;
	struct error *err = process_call(a->injector->target.process, SYS_brk, none, &end);
	if (!err)
		a->space.heap_end = end > 0 ? (uint64_t)end : 0;
	return err;
}

static bool has_shadow_stack(int pid)
{
	char path[64], line[256];
	bool found = false;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	auto_fclose FILE *status = fopen(path, "re");
	while (status && !found && fgets(line, sizeof(line), status))
		found = strncmp(line, "x86_Thread_features:", 20) == 0 && strstr(line, "shstk");
	return found;
}

static struct error *files_attach(struct attaching *a)
{
	struct error *err = a->files.count ? heap_find(a) : NULL;
	a->space.has_shadow_stack = has_shadow_stack(a->injector->target.pid);
	for (size_t i = 0; i < a->files.count && !err; i++)
		err = file_attach(a, &a->files.items[i]);
	return err;
}

struct error *jumps_attach(struct injector *i, const struct executor_request *request)
{
	struct attaching a = { .injector = i, .request = request };
	if (!request->pid)
		return NULL;
	if (request->pid != i->target.pid)
		return error_new("process %d was not started by dtrace, and executor=process "
				 "traces those of -c so far",
				 request->pid);
	struct error *err = process_mappings(request->pid, &a.list, &a.space.count);
	if (err)
		return err;
	a.space.list = a.list;
	process_read_word(request->pid,
			  i->target.base + PROCESS_OWN_AT +
				  offsetof(struct process_own, thread_number),
			  &a.thread_number);
	a.covered = mem_zalloc((i->program->group_count + 1) * sizeof(*a.covered));
	events_collect(&a);
	covered_collect(&a);
	err = files_attach(&a);
	if (!err)
		report_refused(&a);
	for (size_t k = 0; k < a.files.count; k++) {
		code_file_deinit(&a.files.items[k].file);
		vector_free(&a.files.items[k].sites);
	}
	for (unsigned k = 0; k < i->program->group_count; k++)
		vector_free(&a.covered[k]);
	free(a.covered);
	vector_free(&a.files);
	vector_free(&a.reasons);
	free(a.fatal_name);
	code_space_deinit(&a.space);
	process_mappings_free(a.list, a.space.count);
	return err;
}
