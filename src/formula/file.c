/* SPDX-License-Identifier: BSD-2-Clause */
/* file - texts of providers: parsed when a description may mean one of their probes */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/log.h"
#include "formula/formula_internal.h"
#include "provider/provider.h"
#include "syntax/outline.h"

#define OUR_MODULE "vmlinux" /* of each provider that we ship */

struct formulas *formulas_new(const struct formulas_env *env)
{
	struct formulas *f = mem_zalloc(sizeof(*f));
	f->env = *env;
	f->arena = arena_new();
	return f;
}

const struct provider *formulas_provider(const struct formulas *f, size_t i)
{
	return i < f->files.count ? &f->files.items[i]->provider : NULL;
}

void formulas_free(struct formulas *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->files.count; i++) {
		formula_processes_free(f->files.items[i]);
		vector_free(&f->files.items[i]->probes);
	}
	vector_free(&f->files);
	arena_free(f->arena);
	free(f);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool formula_is_type(void *arg, const char *name)
{
	const struct formula_file *f = arg;
	enum declarer who = f->source.is_ours ? DECLARED_BY_LIBRARY : DECLARED_BY_SITE;
	return f->owner->env.is_type(f->owner->env.arg, who, name);
}

static void take_attributes(struct formula_file *f, struct diagnostics *d)
{
	_Static_assert((int)FORMULA_ATTRIBUTES == (int)PROVIDER_PARTS,
		       "as many, in the same order");
	for (unsigned i = 0; i < FORMULA_ATTRIBUTES && f->tree->attributes[i]; i++)
		if (!attributes_parse(f->tree->attributes[i], &f->provider.attributes[i]))
			diagnose(d, f->tree->attributes_range, D_SYNTAX,
				 "%s is not a stability: Evolving/Evolving/ISA is one",
				 f->tree->attributes[i]);
}

static void find_entries(struct arena *arena, const struct formula_provider *tree)
{
	for (const struct formula_probe *p = tree->probes; p; p = p->next)
		for (const struct formula_alternative *a = p->alternatives; a; a = a->next)
			for (struct formula_source *s = a->sources; s; s = s->next)
				s->entry = source_of_entry(arena, s);
}

/* A brace too many makes clauses of what follows; a clause would ask for probes while these are
 * listed. */
static void leave_out_clauses(struct program_node *program, struct diagnostics *d)
{
	for (struct node **n = &program->items; *n;) {
		if ((*n)->kind != NODE_CLAUSE) {
			n = &(*n)->next;
			continue;
		}
		diagnose(d, (*n)->range, D_SYNTAX, "a file of formulas has no clauses");
		*n = (*n)->next;
	}
}

/* The provider of the file's name; a file has no other.  One without a name is reported already. */
static void take_tree(struct formula_file *f, const struct program_node *program,
		      struct diagnostics *d)
{
	for (const struct node *n = program->items; n; n = n->next) {
		if (n->kind != NODE_FORMULA || !*n->formula->name)
			continue;
		if (!string_equal(n->formula->name, f->provider.name))
			diagnose(d, n->range, D_SYNTAX, "the file is the provider %s, not %s",
				 f->provider.name, n->formula->name);
		else if (f->tree)
			diagnose(d, n->range, D_SYNTAX, "the provider %s is here already",
				 f->provider.name);
		else
			f->tree = n->formula;
	}
	if (!f->tree)
		return;
	take_attributes(f, d);
	formula_leave_out_wrong(f->owner->arena, f->tree, d);
	find_entries(f->owner->arena, f->tree);
}

static void formula_read(struct formula_file *f)
{
	const struct syntax_env env = { .arg = f, .is_type = formula_is_type, .allow_empty = true };
	const struct syntax_mode mode = { .formulas = true };
	struct diagnostics d = { 0 };
	f->is_read = true;
	log_debug("the formulas of %s are read", f->source.name);
	if (!f->source.text) {
		char *text = arena_alloc(f->owner->arena, f->source.len + 1);
		packed_read(&f->ours->text, text);
		f->source.text = text;
	}
	struct program_node *program = syntax_parse(f->owner->arena, &f->source, &env, mode, &d);
	leave_out_clauses(program, &d);
	take_tree(f, program, &d);
	if (f->owner->env.report && d.list.count)
		f->owner->env.report(f->owner->env.arg, &d);
	if (f->owner->env.declare && f->tree)
		f->owner->env.declare(f->owner->env.arg, program);
	diagnostics_deinit(&d);
}

/* --- ids ------------------------------------------------------------------------------------- */

/* Of the files that we ship without reading them: reading all takes 2 ms. */
static void list_by_name(struct formula_file *f, struct probe_db *db)
{
	for (const char *name = f->ours->probes, *end; (end = strchr(name, ' ')); name = end + 1) {
		char text[64];
		snprintf(text, sizeof(text), "%.*s", (int)(end - name), name);
		formula_probe_add(f, db, OUR_MODULE, text);
	}
}

static void formula_list(struct formula_file *f, struct probe_db *db)
{
	f->is_listed = true;
	if (f->ours) {
		list_by_name(f, db);
		return;
	}
	formula_read(f);
	for (const struct formula_probe *p = f->tree ? f->tree->probes : NULL; p; p = p->next)
		formula_probe_add(f, db, f->tree->module, p->name);
}

/* Is the text what its row says? */
static bool is_as_listed(const struct formula_file *f)
{
	const char *name = f->ours->probes;
	const struct formula_probe *p = f->tree ? f->tree->probes : NULL;
	for (; p; p = p->next) {
		size_t len = strlen(p->name);
		if (strncmp(name, p->name, len) != 0 || name[len] != ' ')
			return false;
		name += len + 1;
	}
	return !*name && f->tree && string_equal(f->tree->module, OUR_MODULE);
}

/* --- the provider ----------------------------------------------------------------------------- */

static bool may_mean(const struct provider *self, const struct probe_desc *desc)
{
	const struct formula_file *f = (const struct formula_file *)self;
	if (!probe_field_match(desc->function, ""))
		return false;
	if (string_equal(desc->provider, self->name) || !*desc->name || !glob_is_plain(desc->name))
		return true;
	return f->ours ? strstr(f->ours->probes, desc->name) != NULL
		       : memmem(f->source.text, f->source.len, desc->name, strlen(desc->name)) !=
				 NULL;
}

static struct error *formula_discover(const struct provider *self, struct probe_db *db,
				      const struct probe_desc *desc)
{
	struct formula_file *f = (struct formula_file *)self;
	struct types *types = probe_db_types(db);
	const char *problem = types ? types_kernel_problem(types) : "";
	if (problem && string_equal(desc->provider, self->name))
		return error_tag(error_new("there are no %s probes: %s", self->name, problem),
				 D_PDESC_ZERO);
	if (problem)
		return NULL;
	if (self->process) {
		if (!f->is_read)
			formula_read(f);
		return formula_is_of_every_process(self, db, desc->provider)
			       ? formula_every_process_probes(f, db, desc)
			       : formula_process_probes(f, db, desc);
	}
	if (!f->is_listed) {
		formula_list(f, db);
		return NULL; /* the next description that means one chooses its events */
	}
	if (!f->is_read) {
		formula_read(f);
		assert(is_as_listed(f));
	}
	formula_probes_choose(f, db, desc);
	return NULL;
}

static bool formula_module_alias(const struct probe *probe, const char *module)
{
	const struct formula_made *made = probe->data;
	struct file_key file;
	if (!probe->owner->process || !probe_file_key(probe, &file))
		return false;
	const struct probe *used = made->used.items[0];
	return used->owner->aliases->module(used, module);
}

static const struct provider_aliases formula_aliases = { .module = formula_module_alias };

static const struct provider_process formula_processes = {
	.files = &formula_files,
	.files_are_meant = formula_is_of_every_process,
};

static const char *only_in_full(const struct probe *probe)
{
	for (const struct probe_event *e = probe->events; e; e = e->next)
		if (event_in_programs(&e->event))
			return "programs call the functions that it is made of";
	return NULL;
}

static bool formulas_know(const struct formulas *formulas, const char *name)
{
	for (size_t i = 0; i < formulas->files.count; i++)
		if (string_equal(formulas->files.items[i]->provider.name, name))
			return true;
	return false;
}

static bool formula_file_add(struct formulas *formulas, struct probe_db *db, const char *name,
			     bool of_processes, const struct embedded_formulas *ours,
			     struct source source)
{
	if (formulas_know(formulas, name))
		return true;
	struct formula_file *f = ARENA_NEW(formulas->arena, struct formula_file);
	source.kind = SOURCE_LIBRARY;
	source.is_ours = ours != NULL;
	source.is_formulas = true;
	*f = (struct formula_file) {
		.provider = {
			.name = arena_strdup(formulas->arena, name),
			.attributes = { EVOLVING_ISA, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN,
					EVOLVING_ISA, EVOLVING_ISA },
			.process = of_processes ? &formula_processes : NULL,
			.discover = formula_discover,
			.may_mean = may_mean,
			.only_in_full = only_in_full,
			.aliases = &formula_aliases,
		},
		.owner = formulas,
		.ours = ours,
		.source = source,
	};
	/* Before usdt, which means all other names with a number. */
	if (!probe_db_insert(db, &f->provider, of_processes ? "usdt" : "rawtp"))
		return false;
	vector_push(&formulas->files, f);
	return true;
}

bool formulas_add(struct formulas *formulas, struct probe_db *db, const char *name,
		  const char *path, const char *text, size_t len)
{
	/* The file is not parsed before a description means it, but which descriptions may? */
	bool of_processes = outline_has_words(text, len, "context", "pidclass");
	const char *copy = arena_strdup(formulas->arena, path);
	return formula_file_add(formulas, db, name, of_processes, NULL,
				(struct source) { .name = copy, .text = text, .len = len });
}

bool formulas_add_embedded(struct formulas *formulas, struct probe_db *db,
			   const struct embedded_formulas *ours)
{
	return formula_file_add(formulas, db, ours->name, ours->of_processes, ours,
				(struct source) { .name = ours->name, .len = ours->text.whole });
}
