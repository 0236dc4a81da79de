/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/library/library.h"

#include "formula/formula.h"
#include "tracer/library/library_file.h"

/* --- finding ------------------------------------------------------------------------------- */

typedef VECTOR(struct place) place_vector;

static void take_place(struct library *l, enum declarer who, struct library_file *f, size_t item,
		       bool pragmas, place_vector *ret)
{
	if (source_declarer(&f->source) != who)
		return;
	bool is_pragma = f->items[item].kind == OUTLINE_PRAGMA;
	if (f->items[item].kind == OUTLINE_DEPEND || f->items[item].kind == OUTLINE_OPTION ||
	    is_pragma != pragmas)
		return;
	if (!f->hidden && !f->fetched[item] && library_dependencies_met(l, f))
		vector_push(ret, (struct place) { f, item, NULL });
}

/* Translators to one type add up; of anything else the first definition counts. */
static bool adds_up(const char *name)
{
	return strncmp(name, "xlate ", 6) == 0;
}

/*
 * Is F, of which a definition was read, DECLARED_BY_LIBRARY, so that a search in files of the site
 * ends?
 */
static bool is_in_place_of_ours(struct library *l, enum declarer who, struct library_file *f)
{
	return who == DECLARED_BY_SITE && f->source.is_ours && library_dependencies_met(l, f);
}

/* The item of WHO's files that defines NAME and was not fetched yet; or the pragmas about NAME. */
static void find_all(struct library *l, enum declarer who, const char *name, bool pragmas,
		     place_vector *ret)
{
	for (struct place *p = hash_get_string(l->names, name); p; p = p->next) {
		if (!adds_up(name) && is_in_place_of_ours(l, who, p->file))
			return;
		take_place(l, who, p->file, p->item, pragmas, ret);
	}
	if (who != DECLARED_BY_LIBRARY)
		return;
	struct place ours;
	for (size_t i = library_embedded_first(name); library_embedded_at(l, i, name, &ours); i++)
		take_place(l, who, ours.file, ours.item, pragmas, ret);
}

static enum library_kind library_find(void *arg, enum declarer who, const char *name)
{
	struct library *l = library_opened(arg);
	if (who == DECLARED_BY_LIBRARY && topology_defines(name) && !l->has_topology &&
	    l->embedded[0])
		library_add_topology(l);
	place_vector places = { 0 };
	find_all(l, who, name, false, &places);
	enum library_kind kind =
		!places.count ? LIBRARY_NOTHING
		: places.items[0].file->items[places.items[0].item].kind == OUTLINE_TYPE
			? LIBRARY_TYPE
			: LIBRARY_VALUE;
	vector_free(&places);
	return kind;
}

static bool library_left_out(void *arg, const char *name, const char **file, const char **needed)
{
	const struct library *l = library_opened(arg);
	for (struct place *p = hash_get_string(l->names, name); p; p = p->next)
		if (p->file->dependencies == MISSING) {
			*file = p->file->source.name;
			*needed = p->file->missing;
			return true;
		}
	return false;
}

/* --- fetching ------------------------------------------------------------------------------ */

/* All rows of one item are fetched together. */
static void mark_fetched(struct library_file *f, size_t item)
{
	uint32_t begin = f->items[item].begin;
	while (item > 0 && f->items[item - 1].begin == begin)
		item--;
	for (; item < f->item_count && f->items[item].begin == begin; item++)
		f->fetched[item] = true;
}

static void compile(struct library *l, struct library_file *f, size_t item)
{
	library_file_unpack(l, f);
	const struct outline_item *i = &f->items[item];
	tracer_compile_library(l->tracer, &f->source, i->begin, i->end, i->line);
}

static void fetch(struct library *l, const struct place *p)
{
	struct library_file *f = p->file;
	if (f->fetched[p->item])
		return;
	mark_fetched(f, p->item);
	f->used = true;
	compile(l, f, p->item);
}

/* The file's pragmas about NAME come first. */
static void fetch_pragmas(struct library *l, const char *name, const struct library_file *f)
{
	place_vector places = { 0 };
	find_all(l, source_declarer(&f->source), name, true, &places);
	for (size_t i = 0; i < places.count; i++)
		if (places.items[i].file == f)
			fetch(l, &places.items[i]);
	vector_free(&places);
}

static void library_define(void *arg, enum declarer who, const char *name)
{
	struct library *l = library_opened(arg);
	place_vector places = { 0 };
	find_all(l, who, name, false, &places);
	size_t count = adds_up(name) ? places.count : MIN(places.count, 1u);
	for (size_t i = count; i < places.count; i++)
		places.items[i].file->fetched[places.items[i].item] = true;
	for (size_t i = 0; i < count; i++) {
		fetch_pragmas(l, name, places.items[i].file);
		fetch(l, &places.items[i]);
	}
	vector_free(&places);
}

/* --- clauses ------------------------------------------------------------------------------- */

/* Our own libraries (without text) have none. */
static bool has_unchecked(const struct library_file *f)
{
	return f->text && f->used && !f->clauses_checked;
}

static void library_check_clauses(struct tracer *t)
{
	struct library *l = t->library;
	/* A clause may use other files: the files before are checked again. */
	for (size_t i = 0; i < l->files.count; i++) {
		struct library_file *f = l->files.items[i];
		if (!has_unchecked(f))
			continue;
		f->clauses_checked = true;
		for (size_t j = 0; j < f->item_count; j++)
			if (f->items[j].kind == OUTLINE_CHECK)
				compile(l, f, j);
		i = (size_t)-1;
	}
}

/* --- all of a file --------------------------------------------------------------------------- */

/* The meaning of its names.  If a name is defined twice, the first definition is used. */
static void check_items(struct library *l, struct library_file *f)
{
	for (size_t i = 0; i < f->item_count; i++) {
		enum outline_kind kind = f->items[i].kind;
		if (kind <= OUTLINE_OTHER && !f->fetched[i])
			library_define(l->tracer, source_declarer(&f->source),
				       library_item_name(f, i));
	}
	for (size_t i = 0; i < f->item_count; i++)
		if (f->items[i].kind == OUTLINE_PRAGMA)
			fetch(l, &(struct place) { f, i, NULL });
}

static void check_file(struct library *l, struct library_file *f)
{
	const struct outline *read = &f->read;
	if (!library_dependencies_met(l, f))
		return;
	check_items(l, f);
	f->used = true; /* its clauses are checked, too */
	if (read->problem)
		diagnose(&l->tracer->compiling.library_mistakes,
			 (struct range) { .source = &f->source, .line = read->problem_line },
			 D_SYNTAX, "%s", read->problem);
}

static void library_check_named(struct tracer *t)
{
	struct library *l = t->library;
	const struct typed_program before = *sema_result(t->sema);
	for (size_t i = 0; i < l->files.count; i++) {
		struct library_file *f = l->files.items[i];
		if (f->is_named && !f->hidden)
			check_file(l, f);
		f->is_named = false;
	}
	library_check_clauses(t);
	*sema_result(t->sema) = before; /* files that were only checked are not in use */
}

/* --- the steps of the wing ------------------------------------------------------------------- */

int64_t *library_boot_wall_ns(struct tracer *t)
{
	return &t->library->boot_wall_ns;
}

static void library_new(struct tracer *t)
{
	t->library->boot_wall_ns = topology_boot_wall_ns();
	t->sema_env.library_find = library_find;
	t->sema_env.library_define = library_define;
	t->sema_env.library_left_out = library_left_out;
	t->sema_env.dependency = library_dependency;
	t->sema_env.formula_mistakes = formulas_mistakes;
}

static void library_before(struct tracer *t, const struct tracer_program *program)
{
	if (program)
		library_open_named(t);
	formulas_open(t);
}

static void library_checked(struct tracer *t, const struct program_node *program, bool is_right)
{
	library_check_clauses(t);
	library_check_named(t);
}

static struct error *library_connect(struct tracer *t, struct consumer_setup *consumer,
				     struct output_setup *output)
{
	if (t->plan) /* a core has none */
		host_begin(t);
	return NULL;
}

static void library_end(struct tracer *t)
{
	beat_end(&t->library->host);
}

static void library_free(struct tracer *t)
{
	formulas_free(t->library->formulas);
	library_close(t->library);
}

const struct wing library_wing = {
	.size = sizeof(struct library),
	.new = library_new,
	.open = library_before,
	.checked = library_checked,
	.connect = library_connect,
	.end = library_end,
	.free = library_free,
};
