/* SPDX-License-Identifier: BSD-2-Clause */
/* definition - a definition file, read and checked */
#include <string.h>

#include "usdt/internal.h"

struct definition *definition_new(void)
{
	struct definition *d = mem_zalloc(sizeof(*d));
	d->arena = arena_new();
	d->typedefs = hash_new();
	return d;
}

void definition_free(struct definition *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->providers.count; i++)
		vector_free(&d->providers.items[i]->probes);
	vector_free(&d->providers);
	strbuf_deinit(&d->types);
	hash_free(d->typedefs);
	arena_free(d->arena);
	free(d);
}

bool definition_has_provider(const struct definition *d)
{
	return d->providers.count > 0;
}

/* --- probes ----------------------------------------------------------------------------------- */

static struct definition_parameter *parameters_of(struct definition *d,
						  const struct param_node *params, unsigned *count,
						  struct diagnostics *mistakes)
{
	*count = params_are_void(params) ? 0 : params_count(params);
	struct definition_parameter *list = arena_alloc(d->arena, (*count + 1) * sizeof(*list));
	for (unsigned i = 0; i < *count; i++, params = params->next) {
		bool is_struct = false;
		list[i].text = range_squeezed(d->arena, params->range);
		declared_parameter(d, params, &list[i], &is_struct);
		if (is_struct && mistakes)
			diagnose(mistakes, params->range, D_DECL_PROTO_TYPE,
				 "a structure is no argument of a site: declare a pointer to it, "
				 "and pass its address");
	}
	return list;
}

static struct definition_probe definition_probe_make(struct definition *d,
						     const struct provider_probe_node *n,
						     struct diagnostics *mistakes)
{
	struct definition_probe probe = { .name = n->name, .range = n->range };
	probe.input = parameters_of(d, n->input, &probe.input_count, mistakes);
	probe.output = probe.input;
	probe.output_count = probe.input_count;
	if (n->has_output)
		probe.output = parameters_of(d, n->output, &probe.output_count, NULL);
	probe.map = arena_alloc(d->arena, probe.output_count + 1);
	const struct param_node *p = n->output;
	for (unsigned i = 0; i < probe.output_count; i++) {
		int from = n->has_output ? params_find(n->input, p->declarator->name) : (int)i;
		probe.map[i] = (unsigned char)MAX(from, 0); /* was reported */
		p = p ? p->next : NULL;
	}
	return probe;
}

static bool same_parameters(const struct definition_parameter *a, unsigned a_count,
			    const struct definition_parameter *b, unsigned b_count)
{
	for (unsigned i = 0; i < a_count && i < b_count; i++)
		if (!string_equal(a[i].text, b[i].text))
			return false;
	return a_count == b_count;
}

static bool same_probe(const struct definition_probe *a, const struct definition_probe *b)
{
	return same_parameters(a->input, a->input_count, b->input, b->input_count) &&
	       same_parameters(a->output, a->output_count, b->output, b->output_count) &&
	       memcmp(a->map, b->map, a->output_count) == 0;
}

static struct definition_probe *probe_find(const struct definition_provider *provider,
					   const char *name)
{
	for (size_t i = 0; i < provider->probes.count; i++)
		if (string_equal(provider->probes.items[i].name, name))
			return &provider->probes.items[i];
	return NULL;
}

static void definition_probe_add(struct definition_provider *provider,
				 const struct definition_probe *probe, struct diagnostics *mistakes)
{
	const struct definition_probe *before = probe_find(provider, probe->name);
	if (!before)
		vector_push(&provider->probes, *probe);
	else if (!same_probe(before, probe))
		diagnose(mistakes, probe->range, D_PROV_INCOMPAT,
			 "the probe %s of provider %s is declared with other arguments already",
			 probe->name, provider->name);
}

/* --- providers -------------------------------------------------------------------------------- */

static struct definition_provider *definition_provider_named(struct definition *d, const char *name)
{
	for (size_t i = 0; i < d->providers.count; i++)
		if (string_equal(d->providers.items[i]->name, name))
			return d->providers.items[i];
	struct definition_provider *provider = ARENA_NEW(d->arena, struct definition_provider);
	provider->name = name;
	for (unsigned i = 0; i < ARRAY_SIZE(provider->attributes); i++)
		provider->attributes[i] = (struct attributes) { STABILITY_UNSTABLE,
								STABILITY_UNSTABLE, CLASS_COMMON };
	vector_push(&d->providers, provider);
	return provider;
}

static void definition_provider_add(struct definition *d, const struct node *n,
				    struct diagnostics *mistakes)
{
	provider_check(n->provider, n->range, mistakes);
	struct definition_provider *provider = definition_provider_named(d, n->provider->name);
	for (const struct provider_probe_node *p = n->provider->probes; p; p = p->next) {
		if (provider_probe_is_repeated(n->provider, p))
			continue;
		struct definition_probe probe = definition_probe_make(d, p, mistakes);
		definition_probe_add(provider, &probe, mistakes);
	}
}

static int attributes_part(const char *part)
{
	static const char *const parts[DTRACE_NOTE_PARTS] = { "provider", "module", "function",
							      "name", "args" };
	for (int i = 0; part && i < DTRACE_NOTE_PARTS; i++)
		if (string_equal(parts[i], part))
			return i;
	return -1;
}

/* #pragma D attributes A/A/A provider NAME PART */
static void attributes_add(struct definition *d, const struct pragma_node *p,
			   struct diagnostics *mistakes)
{
	struct attributes attributes;
	if (!string_equal(p->words[0], "attributes") || !string_equal(p->words[2], "provider") ||
	    !p->words[3])
		return;
	int part = attributes_part(p->words[4]);
	if (!attributes_parse(p->words[1], &attributes))
		diagnose(mistakes, p->range, D_PRAGMA_INVAL,
			 "attributes are written Name/Data/Class, like Stable/Evolving/Common, not "
			 "%s",
			 p->words[1]);
	else if (part < 0)
		diagnose(mistakes, p->range, D_PRAGMA_INVAL,
			 "the part of a provider is provider, module, function, name or args");
	for (size_t i = 0; i < d->providers.count && part >= 0; i++)
		if (string_equal(d->providers.items[i]->name, p->words[3]))
			d->providers.items[i]->attributes[part] = attributes;
}

/* --- the file --------------------------------------------------------------------------------- */

static const char *option_is_accepted(void *arg, const char *name, const char *value)
{
	return NULL; /* those of definition files say nothing about them */
}

static bool no_macro(void *arg, const char *name, int64_t *ret)
{
	return false;
}

void definition_read(struct definition *d, const struct source *source,
		     struct diagnostics *mistakes)
{
	const struct syntax_env env = {
		.arg = d,
		.set_option = option_is_accepted,
		.macro = no_macro,
		.allow_empty = true,
	};
	size_t before = mistakes->list.count;
	const struct program_node *program =
		syntax_parse(d->arena, source, &env, (struct syntax_mode) { 0 }, mistakes);
	if (mistakes->list.count > before)
		return;
	declared_types_add(d, program);
	for (const struct node *n = program->items; n; n = n->next) {
		if (n->kind == NODE_PROVIDER)
			definition_provider_add(d, n, mistakes);
		else if (n->kind == NODE_CLAUSE)
			diagnose(mistakes, n->range, D_PROV_INCOMPAT,
				 "a definition file has no clauses: it declares providers");
	}
	for (const struct pragma_node *p = program->pragmas; p; p = p->next)
		attributes_add(d, p, mistakes);
	if (mistakes->list.count == before)
		declared_text_add(d, program);
}
