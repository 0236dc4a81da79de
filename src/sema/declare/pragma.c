/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pragma - attributes, binding and depends_on
 *
 * They may come before or after the names that they refer to, so attributes and bindings are noted
 * by name before the program's items are checked, and the existence of the names is checked
 * afterwards.
 */
#include <ctype.h>

#include "sema/sema_internal.h"

/* "1.6.3" as 0x01006003, the digits of __SUNW_D_VERSION; 0: not a version. */
static uint32_t version_parse(const char *text)
{
	static const unsigned limits[] = { 0xff, 0xfff, 0xfff };
	uint32_t parts[3] = { 0 };
	unsigned count = 0;
	for (;; text++) {
		char *end;
		unsigned long part = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 0;
		if (!isdigit((unsigned char)*text) || part > limits[count])
			return 0;
		parts[count++] = (uint32_t)part;
		text = end;
		if (*text != '.' || count == ARRAY_SIZE(parts))
			break;
	}
	return *text || count < 2 ? 0 : parts[0] << 24 | parts[1] << 12 | parts[2];
}

/* --- before the items --- */

static void reported_elsewhere(struct sema *s, const struct pragma_node *p, const char *name)
{
	diagnose(s->diagnostics, p->range, D_PRAGMA_SCOPE,
		 "%s is defined elsewhere: this pragma belongs to its definition", name);
}

/* Pragmas about a name must be in the program that defines it. */
static struct name_notes *notes_for(struct sema *s, const struct pragma_node *p, const char *name)
{
	struct hash *all = s->names[speaker(s)].notes;
	struct name_notes *notes = hash_get_string(all, name);
	if (!notes && name_taken(s, name).kind != NAME_UNKNOWN) {
		reported_elsewhere(s, p, name);
		return NULL;
	}
	if (!notes) {
		notes = ARENA_NEW(s->arena, struct name_notes);
		hash_put_string(all, name, notes);
	}
	return notes;
}

static int provider_part(const char *part)
{
	static const char *const parts[PROVIDER_PARTS] = { "provider", "module", "function", "name",
							   "args" };
	for (int i = 0; part && i < PROVIDER_PARTS; i++)
		if (string_equal(parts[i], part))
			return i;
	return -1;
}

/* P gives the ATTRIBUTES of a part of the provider that the program declares. */
static void provider_pragma(struct sema *s, const struct pragma_node *p,
			    struct attributes attributes)
{
	int part = provider_part(p->words[4]);
	if (part < 0)
		diagnose(s->diagnostics, p->range, D_PRAGMA_INVAL,
			 "the part of a provider is provider, module, function, name or args");
	else if (probe_db_has_provider(s->probes, p->words[3]))
		diagnose(s->diagnostics, p->range, D_PRAGMA_SCOPE,
			 "the provider %s is built in, and its attributes are fixed", p->words[3]);
	else
		provider_attributes(s, p->words[3])[part] = attributes;
}

static void attributes_pragma(struct sema *s, const struct pragma_node *p)
{
	struct attributes attributes;
	if (!attributes_parse(p->words[1], &attributes)) {
		diagnose(s->diagnostics, p->range, D_PRAGMA_INVAL,
			 "attributes are written Name/Data/Class, like Stable/Evolving/Common, not "
			 "%s",
			 p->words[1]);
		return;
	}
	if (string_equal(p->words[2], "provider") && p->words[3]) {
		provider_pragma(s, p, attributes);
		return;
	}
	if (p->words[3]) {
		diagnose(s->diagnostics, p->range, D_PRAGMA_MALFORM,
			 "attributes belong to one name");
		return;
	}
	struct name_notes *notes = notes_for(s, p, p->words[2]);
	if (notes) {
		notes->has_attributes = true;
		notes->attributes = attributes;
	}
}

static void binding_pragma(struct sema *s, const struct pragma_node *p)
{
	uint32_t version = version_parse(p->words[1]);
	if (!version) {
		diagnose(s->diagnostics, p->range, D_PRAGMA_INVAL,
			 "%s is not a version: write it like 1.6 or 1.6.3", p->words[1]);
		return;
	}
	if (string_equal(p->words[2], "translator"))
		return; /* translator_since() looks here */
	struct name_notes *notes = notes_for(s, p, p->words[2]);
	if (notes)
		notes->since = version;
}

static void depends_pragma(struct sema *s, const struct pragma_node *p)
{
	const char *kind = p->words[1], *name = p->words[2];
	bool library = string_equal(kind, "library");
	if (!library && !string_equal(kind, "module") && !string_equal(kind, "provider"))
		diagnose(s->diagnostics, p->range, D_PRAGMA_INVAL,
			 "depends_on takes module, provider or library, not %s", kind);
	else if (library && p->range.source->kind != SOURCE_LIBRARY)
		diagnose(s->diagnostics, p->range, D_PRAGMA_DEPEND,
			 "only a D library can depend on the library %s; a program needs no such "
			 "line, it finds what it uses",
			 name);
	else if (s->env->dependency && !s->env->dependency(s->env->arg, kind, name))
		diagnose(s->diagnostics, p->range, D_PRAGMA_DEPEND,
			 "the program needs the %s %s, which is missing%s", kind, name,
			 string_equal(kind, "module") ? " or has no types" : "");
}

/* "PROVIDER:MODULE:FUNCTION:NAME", of which the inner two are often empty. */
static bool is_description(const char *text)
{
	unsigned colons = 0;
	for (const char *c = text; *c; c++)
		colons += *c == ':';
	return colons == 3 && *text != ':' && text[strlen(text) - 1] != ':';
}

/* What begins at probes of one description ends at those of the other. */
static void pair_pragma(struct sema *s, const struct pragma_node *p)
{
	for (int i = 1; i <= 2; i++)
		if (!is_description(p->words[i])) {
			diagnose(s->diagnostics, p->range, D_PRAGMA_INVAL,
				 "%s is not a description of probes: write it like "
				 "php*:::request-startup",
				 p->words[i]);
			return;
		}
	vector_push(&s->pairs, p->words[1]);
	vector_push(&s->pairs, p->words[2]);
}

/* A binding for the translator after it. */
static bool binds_translator(const struct pragma_node *p)
{
	return string_equal(p->words[0], "binding") && string_equal(p->words[2], "translator");
}

/* The first translator after P, or NULL. */
static const struct node *next_translator(const struct program_node *program,
					  const struct pragma_node *p)
{
	const struct node *n = program->items;
	while (n && !(n->kind == NODE_TRANSLATOR && n->range.begin > p->range.begin))
		n = n->next;
	return n;
}

uint32_t translator_since(const struct sema *s, struct range place)
{
	const struct program_node *program = s->program;
	uint32_t since = 0;
	if (!program || program->source != place.source)
		return 0;
	for (const struct pragma_node *p = program->pragmas; p; p = p->next) {
		const struct node *n = binds_translator(p) ? next_translator(program, p) : NULL;
		if (n && n->range.begin == place.begin)
			since = version_parse(p->words[1]);
	}
	return since;
}

void pragmas_begin(struct sema *s, const struct program_node *program)
{
	for (const struct pragma_node *p = program->pragmas; p; p = p->next) {
		if (string_equal(p->words[0], "attributes"))
			attributes_pragma(s, p);
		else if (string_equal(p->words[0], "binding"))
			binding_pragma(s, p);
		else if (string_equal(p->words[0], "pair"))
			pair_pragma(s, p);
		else
			depends_pragma(s, p);
	}
}

/* --- after them --- */

static bool declares_provider(const struct program_node *program, const char *name)
{
	for (const struct node *n = program->items; n; n = n->next)
		if (n->kind == NODE_PROVIDER && string_equal(n->provider->name, name))
			return true;
	return false;
}

/* Too many words, no such part, or a provider that is ours: attributes_pragma() refused it. */
static bool is_reported(struct sema *s, const struct pragma_node *p)
{
	return !string_equal(p->words[2], "provider") || provider_part(p->words[4]) < 0 ||
	       probe_db_has_provider(s->probes, p->words[3]);
}

static bool is_used(struct sema *s, const struct program_node *program, const struct pragma_node *p)
{
	const char *name = p->words[2];
	if (string_equal(p->words[0], "depends_on") || string_equal(p->words[0], "pair"))
		return true;
	if (string_equal(p->words[0], "attributes") && p->words[3])
		return is_reported(s, p) || declares_provider(program, p->words[3]);
	if (binds_translator(p))
		return next_translator(program, p);
	return name_taken(s, name).kind != NAME_UNKNOWN ||
	       types_declared_typedef(s->types, speaker(s), name);
}

/* The program does not define NAME of P; a library may. */
static void not_defined(struct sema *s, const struct pragma_node *p, const char *name)
{
	if (!p->words[3] && name_find(s, name).kind != NAME_UNKNOWN)
		reported_elsewhere(s, p, name);
	else
		diagnose(s->diagnostics, p->range, D_PRAGMA_UNUSED,
			 "this pragma is about %s, which the program does not define", name);
}

/* Pragmas of a library are fetched with the name that they refer to. */
void pragmas_end(struct sema *s, const struct program_node *program)
{
	if (program->source->kind == SOURCE_LIBRARY)
		return;
	for (const struct pragma_node *p = program->pragmas; p; p = p->next)
		if (!is_used(s, program, p))
			not_defined(s, p, p->words[3] ? p->words[3] : p->words[2]);
}
