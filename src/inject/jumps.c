/* SPDX-License-Identifier: BSD-2-Clause */
/* A file's sites to jumps: places near its mappings, and function by function the windows */
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/sort.h"
#include "inject/attaching.h"

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

/* --- which mappings may get jumps --- */

static bool is_known(const struct site_file *f, const struct mapping *m)
{
	for (size_t i = 0; i < f->known.count; i++)
		if (f->known.items[i].begin == m->start && f->known.items[i].end == m->end)
			return true;
	return false;
}

/* Is it what the dynamic linker has loaded?  A program can map files and run them itself. */
static bool is_linkers(const struct attaching *a, const struct site_file *f,
		       const struct mapping *m)
{
	uint64_t address;
	return elf_file_address(f->file.elf, m->offset, &address) &&
	       link_maps_find(a->maps, m->start - address) >= 0;
}

/*
 * While the process is held all of its code.  Later only what a library has brought whose thread
 * waits: other threads may run all else, and a jump is not written at once.  Its file must be the
 * one that the sites are of, too: it may have been written anew.
 */
static bool may_get_jumps(struct attaching *a, struct site_file *f, const struct mapping *m)
{
	const struct injector *i = a->injector;
	if (a->holds || process_is_held(i->target.process))
		return true;
	bool is_new = arrival_is_new(i, m);
	bool may = is_new && is_linkers(a, f, m) &&
		   images_find(i->options.images, i->target.pid, m) == f->file.image;
	if (!may && !is_known(f, m)) {
		vector_push(&f->known, ((struct address_range) { m->start, m->end }));
		a->may_run++;
	}
	return may;
}

static struct error *places_open(struct attaching *a, struct site_file *f)
{
	struct error *err = NULL;
	const struct injected_program *program = &a->injector->programs.items[f->program];
	uint64_t room = placed_room(program->program, a->covered, f->sites.count);
	for (size_t i = 0; i < a->space.count && !err && !f->file.problem; i++) {
		const struct mapping *m = &a->list[i];
		if (!site_file_maps(f, m) || !has_sites(f, m) || !may_get_jumps(a, f, m))
			continue;
		if (a->problem) {
			f->file.problem = a->problem;
			return NULL;
		}
		bool may_lack = may_lack_tls(a, m);
		if (may_lack &&
		    !(process_auxiliary(a->injector->target.pid, AT_HWCAP2) & HWCAP2_FSGSBASE)) {
			f->file.problem = "threads may not be set up there yet, which this "
					  "processor cannot tell";
			return NULL;
		}
		struct placed p = { .injector = a->injector,
				    .program = program,
				    .thread_number = a->thread_number,
				    .may_lack_tls = may_lack,
				    .covered = a->covered };
		if (!code_place_open(&p.place, &f->file, &a->space, i, room)) {
			f->file.problem = "there is no room for code within 2 GiB of its file";
			return NULL;
		}
		p.place.base = a->injector->target.base;
		err = placed_groups(&p, &f->sites);
		vector_push(&f->places, p);
	}
	return err;
}

/* --- functions --- */

/* Sites of one function, from FIRST to END - 1 of a file's, and where they fit. */
struct function_plan {
	size_t first, end;
	struct patch_function function;
	struct patch_plan plan;
	offset_vector local;
	enum patch_refusal why; /* of all of them; PATCH_FITS: the plan says */
};

static size_t function_end(const code_site_vector *sites, size_t first)
{
	size_t end = first + 1;
	while (end < sites->count && sites->items[end].function == sites->items[first].function)
		end++;
	return end;
}

/* For function_plan_deinit(). */
static void function_plan_make(const struct site_file *f, size_t first, struct function_plan *ret)
{
	struct code_site *sites = f->sites.items;
	VECTOR(struct patch_site) wanted = { 0 };
	uint64_t size = 0;
	bool with_jumps = false;
	*ret = (struct function_plan) { .first = first, .end = function_end(&f->sites, first) };
	for (size_t i = first; i < ret->end; i++) {
		size = MAX(size, (uint64_t)sites[i].function_size);
		with_jumps |= sites[i].patch.kind != PATCH_ENTRY;
		vector_push(&wanted, sites[i].patch);
	}
	ret->why = code_function(&f->file, sites[first].function, size, with_jumps, &ret->local,
				 &ret->function);
	if (ret->why == PATCH_FITS)
		patch_plan_make(patch_machine(arch_host()), &ret->function, wanted.items,
				wanted.count, &ret->plan);
	for (size_t i = first; i < ret->end; i++)
		sites[i].refusal = ret->why == PATCH_FITS ? ret->plan.refusals.items[i - first]
							  : (uint8_t)ret->why;
	vector_free(&wanted);
}

static void function_plan_deinit(struct function_plan *p)
{
	patch_plan_deinit(&p->plan);
	vector_free(&p->local);
}

static void functions_put(struct site_file *f)
{
	placed_vector *places = &f->places;
	struct function_plan p = { 0 };
	for (size_t i = 0; i < f->sites.count; i = p.end) {
		function_plan_make(f, i, &p);
		for (size_t k = 0; k < places->count && p.why == PATCH_FITS; k++) {
			struct placed *placed = &places->items[k];
			if (code_place_has(&placed->place, &p.function))
				code_place_add(&placed->place, &p.function, &p.plan, f->sites.items,
					       (uint32_t)p.first, placed_fire, placed);
		}
		function_plan_deinit(&p);
	}
}

/* --- returns are all seen, or none ---
 *
 * A return has several exits, and those of the functions that it jumps to.  If one of them has no
 * place, the event has none: a call that leaves there would be missing without a word.
 */

static uint64_t event_of_site(const struct code_site *s)
{
	return (uint64_t)s->group << 32 | s->event;
}

static struct hash *broken_events(struct site_file *f)
{
	struct hash *broken = hash_new();
	struct function_plan p = { 0 };
	for (size_t i = 0; i < f->sites.count; i = p.end) {
		bool has_exits = false;
		p.end = function_end(&f->sites, i);
		for (size_t k = i; k < p.end; k++)
			has_exits |= f->sites.items[k].patch.kind == PATCH_EXIT;
		if (!has_exits)
			continue;
		function_plan_make(f, i, &p);
		for (size_t k = i; k < p.end; k++) {
			const struct code_site *s = &f->sites.items[k];
			uint64_t event = event_of_site(s);
			if (s->patch.kind == PATCH_EXIT && s->refusal != PATCH_FITS)
				*hash_place(broken, &event, sizeof(event)) = broken;
		}
		function_plan_deinit(&p);
	}
	return broken;
}

static void leave_broken(struct site_file *f)
{
	code_site_vector kept = { 0 };
	struct hash *broken = broken_events(f);
	for (size_t i = 0; i < f->sites.count; i++) {
		struct code_site s = f->sites.items[i];
		uint64_t event = event_of_site(&s);
		if (s.patch.kind != PATCH_EXIT || !hash_get(broken, &event, sizeof(event))) {
			vector_push(&kept, s);
			continue;
		}
		s.refusal = s.refusal == PATCH_FITS ? PATCH_OTHER_EXIT : s.refusal;
		vector_push(&f->left, s);
	}
	vector_free(&f->sites);
	f->sites = kept;
	hash_free(broken);
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

static int site_compare(const void *left, const void *right)
{
	const struct code_site *a = left, *b = right;
	return (a->at > b->at) - (a->at < b->at);
}

struct error *file_write_jumps(struct attaching *a, struct site_file *f)
{
	struct error *err = NULL;
	placed_vector *places = &f->places;
	if (f->file.problem)
		return NULL;
	for (size_t i = 0; i < places->count && !err; i++) {
		err = code_place_write(&places->items[i].place, &a->remote, f->sites.items);
		vector_push(&f->known, places->items[i].place.text);
	}
	for (size_t i = 0; i < places->count && !err; i++)
		err = code_semaphores(&places->items[i].place, &a->remote, &f->sites);
	for (size_t i = 0; i < places->count; i++)
		if (places->items[i].place.is_mapped)
			jumps_remember(&a->injector->target, places->items[i].place.code.bytes,
				       places->items[i].place.code.address);
	return err;
}

/* A window of one instruction, as of the linker's calls, needs none: all code would be decoded for
 * nothing (ld.so: 3 ms, libc: 10 to 20 ms). */
static bool needs_targets(const struct site_file *f)
{
	bool needs = false;
	for (size_t i = 0; i < f->sites.count && !needs; i++) {
		const struct code_site *s = &f->sites.items[i];
		bool is_first = s->at == s->function && !group_is_agents(s->group);
		needs = s->patch.kind != PATCH_INSIDE || is_first || !code_is_long(&f->file, s->at);
	}
	return needs;
}

struct error *file_plan(struct attaching *a, struct site_file *f)
{
	sort_by_number(f->sites.items, f->sites.count, sizeof(*f->sites.items),
		       offsetof(struct code_site, function), site_compare);
	if (!f->file.problem && needs_targets(f))
		code_file_targets(&f->file);
	if (!f->file.problem)
		leave_broken(f);
	leave_served(&f->sites);
	struct error *err = places_open(a, f);
	if (!err && !f->file.problem)
		functions_put(f);
	return err;
}

bool file_fits(const struct attaching *a, const struct site_file *f)
{
	bool fits = true;
	for (size_t i = 0; i < f->places.count; i++) {
		const struct code_place *p = &f->places.items[i].place;
		const struct mapping *m = mappings_find(a->list, a->space.count, p->text.begin);
		fits &= m && site_file_maps(f, m) && m->end == p->text.end &&
			m->offset == p->text_at;
		for (size_t k = 0; k < a->space.count; k++)
			fits &= a->list[k].start >= p->code.address + p->code.size ||
				a->list[k].end <= p->code.address;
	}
	return fits;
}

void file_unplan(struct site_file *f)
{
	for (size_t i = 0; i < f->places.count; i++)
		placed_deinit(&f->places.items[i]);
	vector_free(&f->places);
}
