/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * every - formulas of every process: plockstat*:::mutex-acquire
 *
 * A probe for each file that has what the formula is made of, in all processes that map it, now or
 * later: its events are those of pid* and of static probes of every process, which know the files
 * (provider/process/mapped_files.h); so are its file, its processes and its end (formula_files).
 * OBJECT of `uprobe OBJECT:FUNCTION` is the name of a file.  A description's module is the file
 * that is meant, by its name or path as with pid*; for `libc`, which is the C library of a process,
 * that may have any name, as a static program has one of its own.
 *
 * Events of the kernel are in all processes, and a formula's values are of the thread: so one probe
 * has them for all files.  If two files have different alternatives, both with such events, a
 * firing would be seen twice, and the second one is left out.
 */
#include <string.h>

#include "base/diagnostic.h"
#include "formula/formula_internal.h"

bool formula_is_of_every_process(const struct provider *self, const struct probe_db *db,
				 const char *field)
{
	size_t len = strlen(self->name);
	return strncmp(field, self->name, len) == 0 && string_equal(field + len, "*");
}

/* --- which files ------------------------------------------------------------------------------ */

/* Of P, a probe of pid or usdt, whose file OBJECT is the description's name of. */
static struct formula_process *every_file_of(struct formula_file *f, const struct probe *p,
					     const char *object)
{
	struct file_key key = { 0 };
	probe_file_key(p, &key);
	for (size_t i = 0; i < f->processes.count; i++) {
		struct formula_process *known = f->processes.items[i];
		if (known->has_file && !memcmp(&known->file, &key, sizeof(key)))
			return known;
	}
	struct formula_process *file = formula_process_new(f, f->provider.name, p->module);
	file->object = object ? arena_strdup(f->owner->arena, object) : NULL;
	file->has_file = true;
	file->file = key;
	return file;
}

typedef VECTOR(struct formula_process *) place_vector;

static void place_add(place_vector *places, struct formula_process *place)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->items[i] == place)
			return;
	vector_push(places, place);
}

/* The files that have something of FORMULA, as ANY says; why there is none. */
static const char *files_find(struct formula_file *f, struct probe_db *db,
			      const struct formula_probe *formula,
			      const struct formula_process *any, place_vector *ret)
{
	const char *problem = NULL;
	probe_vector all = { 0 };
	for (const struct formula_alternative *a = formula->alternatives; a; a = a->next)
		for (const struct formula_source *s = a->sources; s; s = s->next) {
			if (!formula_event_is_of_process(&s->event))
				continue;
			all.count = 0;
			const char *missing =
				formula_process_find(f->owner->arena, db, &s->event, any, &all);
			problem = problem ? problem : missing;
			for (size_t i = 0; i < all.count; i++)
				place_add(ret, every_file_of(f, all.items[i], any->object));
		}
	vector_free(&all);
	return problem;
}

/* --- events of the kernel --------------------------------------------------------------------- */

static bool has_kernel_events(const struct formula_alternative *a)
{
	for (const struct formula_source *s = a->sources; s; s = s->next)
		if (!formula_event_is_of_process(&s->event))
			return true;
	return false;
}

const char *formula_every_process_problem(const struct making *m, bool *has_kernels)
{
	const struct formula_alternative *chosen = m->made->chosen;
	size_t index = (size_t)(m->made - m->process->made);
	for (size_t i = 0; m->process->has_file && i < m->file->processes.count; i++) {
		const struct formula_process *other = m->file->processes.items[i];
		const struct formula_alternative *its = other->made[index].chosen;
		if (!other->has_file || other == m->process || !its)
			continue;
		if (its != chosen && has_kernel_events(its) && has_kernel_events(chosen))
			return "in another file it is made in another way, with events of the "
			       "kernel, which are those of all processes\n";
		*has_kernels |= its == chosen;
	}
	return NULL;
}

/* --- probes ----------------------------------------------------------------------------------- */

struct error *formula_every_process_probes(struct formula_file *f, struct probe_db *db,
					   const struct probe_desc *desc)
{
	struct formula_process any = { .object = *desc->module ? desc->module : NULL };
	place_vector files = { 0 };
	const char *problem = NULL;
	size_t i = 0;
	for (const struct formula_probe *p = f->tree ? f->tree->probes : NULL; p;
	     p = p->next, i++) {
		if (!probe_field_match(desc->name, p->name) || formula_is_repeated(f, p))
			continue;
		files.count = 0;
		const char *missing = files_find(f, db, p, &any, &files);
		problem = problem || files.count ? problem : missing;
		for (size_t k = 0; k < files.count; k++) {
			const struct making m = { f, db, files.items[k], &files.items[k]->made[i] };
			if (!m.made->probe)
				formula_make_first(&m, p);
		}
	}
	vector_free(&files);
	return problem ? probe_desc_unmatched(desc, ": %s", problem) : NULL;
}

/* --- what is known of files ------------------------------------------------------------------- */

/* A probe of pid or usdt of P's file; NULL: P is not there. */
static const struct probe *used_by(const struct probe *p)
{
	const struct formula_made *made = p->data;
	return made && made->used.count ? made->used.items[0] : NULL;
}

static bool used_mapped(const struct provider *self, struct probe_db *db, int pid,
			const struct mapping *m)
{
	return false; /* those of pid and usdt say it */
}

static bool used_look(const struct provider *self, struct probe_db *db)
{
	return false;
}

static bool used_is_gone(struct probe_db *db, const struct probe *p)
{
	return used_by(p) && probe_db_is_gone(db, used_by(p));
}

static bool used_key(const struct probe *p, struct file_key *ret)
{
	return used_by(p) && probe_file_key(used_by(p), ret);
}

static size_t used_mappers(const struct probe *p, const int **ret)
{
	return used_by(p) ? probe_mappers(used_by(p), ret) : 0;
}

static struct bytes used_file(const struct probe *p, const char **name)
{
	struct bytes build_id = bytes_of(NULL, 0);
	if (used_by(p))
		probe_file(used_by(p), name, &build_id);
	return build_id;
}

static bool used_same_file(const struct probe *a, const struct probe *b)
{
	return used_by(a) && used_by(b) && probe_same_file(used_by(a), used_by(b));
}

static struct file_types used_types(const struct probe *p)
{
	return used_by(p) ? probe_file_types(used_by(p))
			  : (struct file_types) { .btf = bytes_of(NULL, 0) };
}

/* The probes of PLACE are retired, or none was made. */
static bool place_is_over(const struct formula_process *place)
{
	bool any = false;
	for (size_t i = 0; i < place->count; i++) {
		const struct formula_made *made = &place->made[i];
		if (made->used.count && !made->probe->is_retired)
			return false;
		any |= made->used.count;
	}
	return any;
}

/* Those that the retired probes were made of are retired, too, and their files forgotten. */
static void used_forget(const struct provider *self, struct probe_db *db)
{
	struct formula_file *f = (struct formula_file *)self;
	for (size_t i = 0; i < f->processes.count; i++) {
		struct formula_process *place = f->processes.items[i];
		if (!place->has_file || !place_is_over(place))
			continue;
		for (size_t k = 0; k < place->count; k++) {
			probe_vector *used = &place->made[k].used;
			for (size_t j = 0; j < used->count; j++)
				if (!used->items[j]->is_retired)
					probe_db_retire(db, used->items[j]);
			used->count = 0;
		}
		place->file = (struct file_key) { 0 };
	}
}

const struct provider_files formula_files = {
	.mapped = used_mapped,
	.look = used_look,
	.is_gone = used_is_gone,
	.key = used_key,
	.mappers = used_mappers,
	.file = used_file,
	.same_file = used_same_file,
	.types = used_types,
	.forget = used_forget,
};
