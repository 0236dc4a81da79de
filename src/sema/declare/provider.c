/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider - declarations of providers and the types of their probes
 *
 * They are checked and kept, so that a second declaration must agree with the first, and that
 * args[] have types before there are probes; attributes and probes come from the programs that
 * define them.
 */
#include "sema/declare/declare.h"
#include "syntax/syntax.h"

struct probe_types {
	const char *name;
	const struct type **input, **output;
	unsigned input_count, output_count;
	struct declared_argument *args; /* output_count of them */
};

struct provider_declaration {
	struct probe_types *probes;
	unsigned count;
};

/* Each output is the input of its name, as it is or translated. */
static void provider_outputs_check(struct sema *s, const struct provider_probe_node *n,
				   const struct probe_types *types)
{
	const struct param_node *p = params_are_void(n->output) ? NULL : n->output;
	for (unsigned i = 0; p; p = p->next, i++) {
		const char *name = p->declarator->name;
		int from = params_find(n->input, name);
		if (from < 0)
			continue; /* was reported */
		struct texpr *input = sample_new(s, types->input[from], p->range);
		if (!convert_compatible(s, input, types->output[i]) &&
		    !translator_exists(s, input, types->output[i]))
			diagnose(s->diagnostics, p->range, D_PROV_PRXLATOR,
				 "there is no translator from %s, the argument %s, to %s",
				 type_text(s, types->input[from]), name,
				 type_text(s, types->output[i]));
	}
}

/* What args[] are made of. */
static struct declared_argument *provider_probe_arguments(struct sema *s,
							  const struct provider_probe_node *n,
							  const struct probe_types *types)
{
	struct declared_argument *list =
		arena_alloc(s->arena, (types->output_count + 1) * sizeof(*list));
	const struct param_node *p = params_are_void(n->output) ? NULL : n->output;
	for (unsigned i = 0; i < types->output_count; i++) {
		int from = (int)i;
		if (n->has_output) {
			from = p ? params_find(n->input, p->declarator->name) : -1;
			p = p ? p->next : NULL;
		}
		unsigned at = from < 0 ? 0 : (unsigned)from; /* was reported */
		list[i] = (struct declared_argument) {
			at,
			at < types->input_count ? types->input[at] : types->output[i],
			types->output[i],
		};
	}
	return list;
}

static bool provider_probe_check(struct sema *s, const struct provider_probe_node *n,
				 struct probe_types *types)
{
	types->name = n->name;
	if (params_count(n->input) > PROBE_PARAMS_MAX || params_count(n->output) > PROBE_PARAMS_MAX)
		return false;
	types->input = params_check(s, n->input, &types->input_count);
	types->output = types->input;
	types->output_count = types->input_count;
	if (n->has_output)
		types->output = params_check(s, n->output, &types->output_count);
	if (!types->input || !types->output)
		return false;
	if (n->has_output)
		provider_outputs_check(s, n, types);
	types->args = provider_probe_arguments(s, n, types);
	return true;
}

static bool types_are_same(const struct type *const *a, unsigned a_count,
			   const struct type *const *b, unsigned b_count)
{
	for (unsigned i = 0; i < a_count && i < b_count; i++)
		if (!type_same(a[i], b[i]))
			return false;
	return a_count == b_count;
}

static const struct probe_types *probe_of(const struct provider_declaration *d, const char *name)
{
	for (unsigned i = 0; i < d->count; i++)
		if (string_equal(d->probes[i].name, name))
			return &d->probes[i];
	return NULL;
}

/* A second declaration of a provider says the same. */
static void agreement_check(struct sema *s, const struct provider_declaration *before,
			    const struct probe_types *probe, const char *provider,
			    struct range range)
{
	const struct probe_types *other = probe_of(before, probe->name);
	if (other &&
	    types_are_same(probe->input, probe->input_count, other->input, other->input_count) &&
	    types_are_same(probe->output, probe->output_count, other->output, other->output_count))
		return;
	diagnose(s->diagnostics, range, D_PROV_INCOMPAT,
		 other ? "the probe %s of provider %s is declared with other arguments already"
		       : "the probe %s is not in the first declaration of provider %s",
		 probe->name, provider);
}

/* --- stability ------------------------------------------------------------------------------ */

struct attributes *provider_attributes(struct sema *s, const char *name)
{
	struct attributes *a = hash_get_string(s->provider_attributes, name);
	if (a)
		return a;
	a = arena_alloc(s->arena, PROVIDER_PARTS * sizeof(*a));
	for (unsigned i = 0; i < PROVIDER_PARTS; i++)
		a[i] = (struct attributes) { STABILITY_UNSTABLE, STABILITY_UNSTABLE, CLASS_COMMON };
	hash_put_string(s->provider_attributes, name, a);
	return a;
}

const char *provider_declared_name(struct sema *s, const char *provider)
{
	size_t len = strlen(provider);
	while (len &&
	       (provider[len - 1] == '*' || (provider[len - 1] >= '0' && provider[len - 1] <= '9')))
		len--;
	return arena_strndup(s->arena, provider, len);
}

void provider_describe(struct sema *s, struct tclause *c)
{
	const char *name = provider_declared_name(s, c->desc.provider);
	if (!hash_get_string(s->providers, name))
		library_want(s, arena_printf(s->arena, "provider %s", name));
	if (!hash_get_string(s->providers, name))
		return;
	const struct attributes *a = provider_attributes(s, name);
	c->is_declared = true;
	c->declared = attributes_weaker(a[PART_OF_PROVIDER], a[PART_OF_NAME]);
	if (c->desc.module[0])
		c->declared = attributes_weaker(c->declared, a[PART_OF_MODULE]);
	if (c->desc.function[0])
		c->declared = attributes_weaker(c->declared, a[PART_OF_FUNCTION]);
}

static const char *probe_name_of(struct sema *s, const char *declared)
{
	char *name = arena_strdup(s->arena, declared);
	probe_name_hyphenate(name);
	return name;
}

static bool same_arguments(const struct probe_types *a, const struct probe_types *b)
{
	for (unsigned i = 0; i < a->output_count && i < b->output_count; i++)
		if (a->args[i].from != b->args[i].from ||
		    !type_same(a->args[i].input, b->args[i].input) ||
		    !type_same(a->args[i].output, b->args[i].output))
			return false;
	return a->output_count == b->output_count;
}

const struct declared_argument *provider_arguments(struct sema *s, const struct tclause *c,
						   unsigned *count, bool *differ)
{
	const struct provider_declaration *d =
		hash_get_string(s->providers, provider_declared_name(s, c->desc.provider));
	const struct probe_types *found = NULL;
	*differ = false;
	for (unsigned i = 0; d && i < d->count && !*differ; i++) {
		if (!probe_field_match(c->desc.name, probe_name_of(s, d->probes[i].name)))
			continue;
		*differ = found && !same_arguments(found, &d->probes[i]);
		found = &d->probes[i];
	}
	if (!found || *differ)
		return NULL;
	*count = found->output_count;
	return found->args;
}

/* One of our providers may be declared truthfully: it has all these probes. */
static void ours_check(struct sema *s, const char *provider, const char *probe, struct range range)
{
	if (!probe_db_has_provider(s->probes, provider))
		return;
	struct probe_desc desc = { provider, "", "", probe_name_of(s, probe) };
	probe_vector probes = { 0 };
	auto_error struct error *err = probe_db_match(s->probes, &desc, &probes);
	if (err || !probes.count)
		diagnose(s->diagnostics, range, D_PROV_INCOMPAT,
			 "the provider %s is built in and has no probe %s", provider, desc.name);
	vector_free(&probes);
}

void provider_declare(struct sema *s, const struct provider_node *node, struct range range)
{
	provider_check(node, range, s->diagnostics);
	unsigned count = 0;
	for (const struct provider_probe_node *p = node->probes; p; p = p->next)
		count++;
	struct provider_declaration *d = ARENA_NEW(s->arena, struct provider_declaration);
	d->probes = arena_alloc(s->arena, (count + 1) * sizeof(*d->probes));
	const struct provider_declaration *before = hash_get_string(s->providers, node->name);
	for (const struct provider_probe_node *p = node->probes; p; p = p->next) {
		struct probe_types types = { 0 };
		if (provider_probe_is_repeated(node, p) || !provider_probe_check(s, p, &types))
			continue;
		ours_check(s, node->name, p->name, p->range);
		if (before)
			agreement_check(s, before, &types, node->name, p->range);
		d->probes[d->count++] = types;
	}
	if (!before)
		hash_put_string(s->providers, node->name, d);
}
