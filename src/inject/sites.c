/* SPDX-License-Identifier: BSD-2-Clause */
/* From events to the sites of files, and their jumps */
#include "inject/sites.h"

#include <sys/stat.h>

#include "inject/attaching.h"

const struct program *attaching_program(const struct attaching *a)
{
	return a->injector->programs.items[a->program].program;
}

#define CALL_SIZE 5 /* bytes */

/* --- files --- */

bool site_file_maps(const struct site_file *f, const struct mapping *m)
{
	return m->executable && m->inode && m->inode == f->key.inode &&
	       m->dev_major == f->key.dev_major && m->dev_minor == f->key.dev_minor;
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
		f->key = (struct file_key) { m->inode, m->dev_major, m->dev_minor };
		code_file_init(&f->file, image, code->name);
		return;
	}
	f->file.name = code->name;
	f->file.problem = "the process has not mapped its file";
}

struct site_file *site_file_of(struct attaching *a, const struct event_code *code)
{
	for (size_t i = a->files.count; i-- > 0;) {
		struct site_file *f = &a->files.items[i];
		if (f->path == code->path || strcmp(f->path, code->path) == 0)
			return f;
	}
	struct site_file *f = vector_extend(&a->files);
	*f = (struct site_file) { .program = a->program };
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

/* The function around ADDRESS by its call frame information, else by its symbol. */
static struct address_range function_around(const struct code_file *f, uint64_t address)
{
	const struct frame_range *r = frames_at(elf_file_frames(f->elf), address);
	if (r)
		return (struct address_range) { r->begin, r->end };
	const struct elf_symbol *symbol = elf_file_symbol_at(f->elf, address);
	return symbol && symbol->is_function
		       ? (struct address_range) { symbol->address, symbol->address + symbol->size }
		       : (struct address_range) { 0 };
}

/* Of a site whose function nobody has named. */
static void site_find_function(const struct code_file *f, struct code_site *s)
{
	uint64_t address, begin;
	if (s->function_size || s->patch.kind == PATCH_ENTRY ||
	    !elf_file_address(f->elf, s->at, &address))
		return;
	const struct address_range r = function_around(f, address);
	if (r.begin == r.end || !elf_file_offset(f->elf, r.begin, &begin))
		return;
	s->function = begin;
	s->function_size = (uint32_t)(r.end - r.begin);
}

static void sites_of_event(struct attaching *a, unsigned group, uint32_t event)
{
	const struct executor_request *r = a->request;
	const struct group_code *g = &attaching_program(a)->groups[group];
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
	const struct program *p = attaching_program(a);
	for (unsigned g = 0; g < p->group_count; g++)
		for (uint32_t i = 0; i < p->groups[g].event_count; i++)
			if (event_is_function(p->groups[g].kind) &&
			    p->groups[g].events[i].code.pid == a->request->pid)
				sites_of_event(a, g, i);
}

/* --- all files --- */

#define STAT_HEAP 47

static void heap_find(struct attaching *a)
{
	a->space.heap_end = process_stat_number(a->injector->target.pid, STAT_HEAP);
	for (size_t i = 0; i < a->space.count; i++)
		if (string_equal(a->list[i].path, "[heap]"))
			a->space.heap_end = a->list[i].end;
}

static void files_unplan(struct attaching *a)
{
	for (size_t i = 0; i < a->files.count; i++)
		file_unplan(&a->files.items[i]);
	code_space_deinit(&a->space);
}

static struct error *files_plan(struct attaching *a)
{
	struct error *err = NULL;
	files_unplan(a);
	heap_find(a);
	covered_collect(a);
	a->space.has_shadow_stack =
		process_status_has(a->injector->target.pid, "x86_Thread_features", "shstk");
	for (size_t i = 0; i < a->files.count && !err; i++)
		err = file_plan(a, &a->files.items[i]);
	return err;
}

static bool files_fit(const struct attaching *a)
{
	bool fit = true;
	for (size_t i = 0; i < a->files.count; i++)
		fit &= file_fits(a, &a->files.items[i]);
	return fit;
}

/* A process of -p runs while the code is made, which takes most of the time. */
static struct error *files_attach(struct attaching *a)
{
	struct process *p = a->remote.process;
	if (a->holds)
		a->problem = NULL;
	struct error *err = files_plan(a);
	if (!err)
		err = attaching_hold(a);
	if (!err && a->holds && !files_fit(a))
		err = files_plan(a);
	for (size_t i = 0; i < a->files.count && !err; i++)
		err = file_write_jumps(a, &a->files.items[i]);
	if (a->holds)
		error_free(process_run(p)); /* its end is seen later, too */
	files_unplan(a);
	return err;
}

/* What is refused is reported when a site is attached first. */
static struct error *jumps_make(struct attaching *a)
{
	struct error *err = files_attach(a);
	for (size_t i = 0; i < a->files.count && !err; i++) {
		const struct site_file *f = &a->files.items[i];
		err = sites_report(a, f, &f->left);
		if (!err)
			err = sites_report(a, f, &f->sites);
	}
	if (!err)
		report_refused(a);
	return err;
}

static struct error *attaching_begin(struct attaching *a, struct injector *i, unsigned program)
{
	const struct injected *target = &i->target;
	*a = (struct attaching) {
		.injector = i,
		.program = program,
		.remote = { .process = target->process,
			    .memory = target->memory,
			    .view = &i->view,
			    .memory_at = target_memory(i),
			    .ticket = i->arrival.ticket },
	};
	struct error *err = process_mappings(target->pid, &a->list, &a->space.count);
	if (err)
		return err;
	a->space.list = a->list;
	a->covered = mem_zalloc((attaching_program(a)->group_count + 1) * sizeof(*a->covered));
	process_read_word(target->pid,
			  target->base + PROCESS_OWN_AT +
				  offsetof(struct process_own, thread_number),
			  &a->thread_number);
	if (!process_is_held(target->process) && process_status_number(target->pid, "Seccomp"))
		a->problem =
			"the process filters its system calls (seccomp), so none are made in it";
	if (!process_is_held(target->process))
		a->maps = process_link_maps(target->pid);
	else
		arrival_begin(i, a->list, a->space.count);
	return NULL;
}

static void site_file_deinit(struct site_file *f)
{
	code_file_deinit(&f->file);
	vector_free(&f->sites);
	vector_free(&f->left);
	vector_free(&f->known);
}

/* Files with jumps may be mapped again later. */
static void attaching_end(struct attaching *a)
{
	if (a->may_run)
		message_loss("functions in %u mapping%s of libraries of process %d are not traced: "
			     "threads may have run them before dtrace knew of them",
			     a->may_run, a->may_run == 1 ? "" : "s", a->injector->target.pid);
	struct jumped_files *jumped = a->injector->jumped;
	if (!jumped)
		jumped = a->injector->jumped = mem_zalloc(sizeof(*jumped));
	for (size_t k = 0; k < a->files.count; k++)
		if (a->files.items[k].known.count || !a->request) /* it had some before */
			vector_push(&jumped->list, a->files.items[k]);
		else
			site_file_deinit(&a->files.items[k]);
	for (unsigned k = 0; k < attaching_program(a)->group_count; k++)
		vector_free(&a->covered[k]);
	free(a->covered);
	vector_free(&a->files);
	vector_free(&a->reasons);
	free(a->fatal_name);
	code_space_deinit(&a->space);
	vector_free(&a->stands.list);
	link_maps_free(a->maps);
	process_mappings_free(a->list, a->space.count);
}

/*
 * At the calls of the linker's function, as the function itself has probes of other tracers, dtrace
 * among them: at its first instruction, which is its only one.  With the sites of clauses in the
 * same file: what is near shares a window.
 */
static void linker_collect(struct attaching *a)
{
	struct injected_linker *l = &a->injector->linker;
	if (!l->at || l->has_jump)
		return;
	const struct event_code code = { .path = l->path, .name = l->name };
	struct site_file *f = site_file_of(a, &code);
	offset_vector calls = { 0 };
	uint64_t address;
	bool has_others = f->sites.count;
	if (!f->file.problem && elf_file_address(f->file.elf, l->at, &address))
		branches_to(f->file.elf, address, &calls);
	for (size_t i = 0; i < calls.count; i++) {
		struct code_site site = { .patch = { .at = calls.items[i], .kind = PATCH_INSIDE },
					  .group = LINKER_GROUP,
					  .at = calls.items[i] };
		if (has_others)
			site_find_function(&f->file, &site);
		else /* nobody else needs the instructions around it */
			site.function = site.at, site.function_size = CALL_SIZE;
		vector_push(&f->sites, site);
	}
	if (!calls.count)
		linker_refuse(a->injector,
			      f->file.problem ? f->file.problem
					      : "the calls by which its linker reports them are "
						"not found");
	vector_free(&calls);
	l->has_jump = true;
}

/* The sites of A and the agent's own. */
static struct error *attaching_with_agent(struct attaching *a)
{
	linker_collect(a);
	agent_collect(a);
	struct error *err = jumps_make(a);
	attaching_end(a);
	return err;
}

struct error *jumps_attach(struct injector *i, const struct executor_request *request)
{
	struct attaching a;
	if (!request->pid)
		return NULL;
	if (request->pid != i->target.pid)
		return error_new("executor=process traces one process so far, which is not %d",
				 request->pid);
	struct error *err = attaching_begin(&a, i, request->program);
	if (err)
		return err;
	a.request = request;
	a.holds = !process_is_held(i->target.process) && !request->program;
	events_collect(&a);
	return attaching_with_agent(&a);
}

/* The files of PROGRAM, which come back to the list. */
static void jumped_take(struct jumped_files *jumped, unsigned program, struct attaching *a)
{
	size_t kept = 0;
	for (size_t k = 0; k < jumped->list.count; k++)
		if (jumped->list.items[k].program == program)
			vector_push(&a->files, jumped->list.items[k]);
		else
			jumped->list.items[kept++] = jumped->list.items[k];
	jumped->list.count = kept;
}

static struct error *program_renew(struct injector *i, unsigned program)
{
	struct attaching a;
	struct error *err = attaching_begin(&a, i, program);
	if (err)
		return err;
	jumped_take(i->jumped, program, &a);
	err = files_attach(&a);
	for (size_t k = 0; k < a.files.count && !err; k++)
		renewed_report(&a.files.items[k], i->target.pid);
	attaching_end(&a);
	return err;
}

struct error *jumps_again(struct injector *i)
{
	struct error *err = NULL;
	for (size_t k = 0; i->jumped && k < i->jumped->list.count; k++)
		i->jumped->list.items[k].known.count = 0;
	for (unsigned n = 0; n < i->programs.count && i->jumped && !err; n++)
		err = program_renew(i, n);
	return err;
}

struct error *jumps_of_agent(struct injector *i)
{
	struct attaching a;
	struct error *err = attaching_begin(&a, i, 0);
	if (err)
		return err;
	return attaching_with_agent(&a);
}

/* A new library has no file of the list: then no program is asked. */
static bool program_has_new(const struct injector *i, unsigned program)
{
	bool has = false;
	for (size_t k = 0; k < i->jumped->list.count; k++)
		for (size_t n = 0; n < i->arrival.fresh.count; n++)
			has |= i->jumped->list.items[k].program == program &&
			       i->jumped->list.items[k].key.inode ==
				       i->arrival.fresh.items[n].inode;
	return has;
}

struct error *jumps_renew(struct injector *i)
{
	struct error *err = NULL;
	for (unsigned n = 0; n < i->programs.count && i->jumped && !err; n++)
		if (program_has_new(i, n))
			err = program_renew(i, n);
	return err;
}

void jumps_free(struct injector *i)
{
	for (size_t k = 0; i->jumped && k < i->jumped->list.count; k++)
		site_file_deinit(&i->jumped->list.items[k]);
	if (i->jumped)
		vector_free(&i->jumped->list);
	free(i->jumped);
}
