/* SPDX-License-Identifier: BSD-2-Clause */
/* A file's sites to jumps: places near its mappings, and function by function the windows */
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "base/sort.h"
#include "inject/attaching.h"

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

/* The library may have been unmapped since, and mapped again at the same place. */
static bool has_jumps(const struct attaching *a, const struct site_file *f, const struct mapping *m)
{
	unsigned char bytes[PATCH_JUMP_MOST];
	for (size_t i = 0; i < f->jumps.count; i++) {
		const struct patch_write *w = &f->jumps.items[i];
		if (w->address >= m->start && w->address < m->end &&
		    pread(a->remote.memory, bytes, w->size, (off_t)w->address) == w->size &&
		    memcmp(bytes, w->new_bytes, w->size) == 0)
			return true;
	}
	return false;
}

static struct error *places_open(struct attaching *a, struct site_file *f, placed_vector *ret)
{
	struct error *err = NULL;
	const struct injected_program *program = &a->injector->programs.items[f->program];
	uint64_t room = placed_room(program->program, a->covered, f->sites.count);
	for (size_t i = 0; i < a->space.count && !err && !f->file.problem; i++) {
		const struct mapping *m = &a->list[i];
		if (!site_file_maps(f, m) || !has_sites(f, m) || has_jumps(a, f, m))
			continue;
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

/* The code is somewhere in the process, which is to be left alone (struct injected). */
static void remember_code(struct injector *i, const struct code_place *p)
{
	vector_push(&i->target.code,
		    ((struct address_range) { p->code.address, p->code.address + p->code.used }));
}

static struct error *places_write(struct attaching *a, struct site_file *f, placed_vector *places)
{
	struct error *err = NULL;
	for (size_t i = 0; i < places->count && !err; i++) {
		err = code_place_write(&places->items[i].place, &a->remote, f->sites.items);
		remember_code(a->injector, &places->items[i].place);
		if (places->items[i].place.windows.count)
			vector_push(&f->jumps, places->items[i].place.windows.items[0].write);
	}
	for (size_t i = 0; i < places->count && !err; i++)
		err = code_semaphores(&places->items[i].place, &a->remote, &f->sites);
	return err;
}

struct error *file_attach(struct attaching *a, struct site_file *f)
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
	return err;
}
