/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stability - how likely a clause means the same on other systems, and since which version
 *
 * Code that resolves a name passes its attributes here; the clause's attributes are the weakest of
 * them.  The parts of an inline or a translator are its author's responsibility: during an
 * expansion nothing is counted, and afterwards its own attributes are.
 *
 * Attributes of our own names are in builtin.def.
 */
#include "sema/sema_internal.h"

#define STABLE STABILITY_STABLE
#define PRIVATE STABILITY_PRIVATE

static const struct attributes kernel_attributes = { PRIVATE, PRIVATE, CLASS_UNKNOWN };
static const struct attributes most = { STABLE, STABLE, CLASS_COMMON };

/* --- attributes --- */

void stability_begin(struct sema *s)
{
	s->attributes = most;
}

static void use(struct sema *s, struct attributes a, struct range range)
{
	if (s->hidden)
		return;
	s->attributes = attributes_weaker(s->attributes, a);
	if (!s->env->has_amin || !attributes_are_weaker(a, s->env->amin))
		return;
	struct attributes least = s->env->amin;
	diagnose(s->diagnostics, range, D_ATTR_MIN,
		 "this has the attributes %s/%s/%s, which is less than the %s/%s/%s that -xamin "
		 "requires",
		 stability_text(a.name), stability_text(a.data), class_text(a.class),
		 stability_text(least.name), stability_text(least.data), class_text(least.class));
}

void stability_use_type(struct sema *s, const struct type *type, struct range range)
{
	if (type->btf_id)
		use(s, kernel_attributes, range);
}

void stability_use_symbol(struct sema *s, struct range range)
{
	use(s, kernel_attributes, range);
}

/* The weakest that PART has among the providers of the clause's probes. */
static void use_part(struct sema *s, enum provider_part part, struct range range)
{
	const struct tclause *c = s->clause;
	for (unsigned i = 0; c && i < c->probe_count; i++) {
		const struct probe *p = c->probes[i];
		bool declares = p->args && p->args->declaration;
		if (i && p->owner == c->probes[i - 1]->owner && !declares)
			continue;
		use(s, probe_part_attributes(p, part), range);
	}
}

void stability_use_args(struct sema *s, struct range range)
{
	use_part(s, PART_OF_ARGS, range);
}

void stability_use_builtin(struct sema *s, const struct builtin_row *row, struct range range)
{
	if (row->attributes.is_of_part)
		use_part(s, row->attributes.part, range);
	else if (attributes_are_weaker(row->attributes.own, most))
		use(s, row->attributes.own, range);
}

void stability_use_defined(struct sema *s, enum declarer who, const char *name, struct range range)
{
	const struct name_notes *notes = hash_get_string(s->names[who].notes, name);
	if (notes && notes->has_attributes)
		use(s, notes->attributes, range);
}

void stability_use_probes(struct sema *s, const struct tclause *c)
{
	if (c->is_declared) {
		struct attributes before = s->attributes;
		use(s, c->declared, c->range);
		s->attributes = before;
	}
	for (unsigned i = 0; s->env->has_amin && i < c->probe_count; i++) {
		struct attributes before = s->attributes;
		size_t told = s->diagnostics->list.count;
		probe_db_arguments(s->probes, c->probes[i]); /* which may declare them */
		use(s, probe_attributes(c->probes[i], &c->desc), c->range);
		s->attributes = before;
		if (s->diagnostics->list.count > told)
			return;
	}
}

/* --- versions --- */

/* A pragma's word counts; without one, a program's names are always there. */
static uint32_t since(struct sema *s, enum declarer who, const char *name)
{
	const struct name_notes *notes = hash_get_string(s->names[who].notes, name);
	if ((notes && notes->since) || who == DECLARED_BY_D)
		return notes ? notes->since : 0;
	return builtin_since(name);
}

bool version_has(struct sema *s, enum declarer who, const char *name)
{
	return !s->env->version || since(s, who, name) <= s->env->version;
}

static const char *version_text(struct sema *s, uint32_t version)
{
	return arena_printf(s->arena, version & 0xfff ? "%u.%u.%u" : "%u.%u", version >> 24,
			    version >> 12 & 0xfff, version & 0xfff);
}

const char *version_advice(struct sema *s, const char *name)
{
	for (enum declarer who = speaker(s); who <= DECLARED_BY_US; who++)
		if (!version_has(s, who, name))
			return arena_printf(s->arena,
					    ": it was added in version %s of D, and the program is "
					    "compiled as %s (-xversion)",
					    version_text(s, since(s, who, name)),
					    version_text(s, s->env->version));
	return "";
}

/* Libraries may use names of all versions: their definitions decide what a version has. */
bool version_check_call(struct sema *s, const struct node *n)
{
	const struct node *callee = n->call.callee;
	if (n->range.source->kind == SOURCE_LIBRARY || n->range.source->kind == SOURCE_NOTE)
		return true;
	if (callee->kind != NODE_IDENT || version_has(s, DECLARED_BY_US, callee->ident.name))
		return true;
	diagnose(s->diagnostics, n->range, D_FUNC_UNDEF,
		 "%s() was added in version %s of D, and the program is compiled as %s (-xversion)",
		 callee->ident.name, version_text(s, since(s, DECLARED_BY_US, callee->ident.name)),
		 version_text(s, s->env->version));
	return false;
}
