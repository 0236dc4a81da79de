/* SPDX-License-Identifier: BSD-2-Clause */
/* provider_check - what must hold of a provider's declaration as it is written */
#include <string.h>

#include "syntax/syntax.h"

#define NAME_MAX_LETTERS 63

bool params_are_void(const struct param_node *params)
{
	return params && !params->next && params->spec->words == WORD_VOID &&
	       !params->declarator->parts && !params->declarator->name;
}

unsigned params_count(const struct param_node *params)
{
	unsigned count = 0;
	for (; params; params = params->next)
		count++;
	return count;
}

int params_find(const struct param_node *params, const char *name)
{
	for (int i = 0; name && params; params = params->next, i++)
		if (params->declarator->name && string_equal(params->declarator->name, name))
			return i;
	return -1;
}

static void written_name_check(const char *what, const char *name, struct range range,
			       struct diagnostics *d)
{
	if (strlen(name) > NAME_MAX_LETTERS)
		diagnose(d, range, D_PROV_BADNAME, "the name of a %s has at most %d letters", what,
			 NAME_MAX_LETTERS);
	else if (strchr(name, '`'))
		diagnose(d, range, D_PROV_BADNAME, "the name of a %s cannot hold a backquote",
			 what);
}

static bool count_check(const struct param_node *params, struct range range, struct diagnostics *d)
{
	unsigned count = params_count(params);
	if (count > PROBE_PARAMS_MAX)
		diagnose(d, range, D_PROV_PRARGLEN, "a probe has at most %d arguments, not %u",
			 PROBE_PARAMS_MAX, count);
	return count <= PROBE_PARAMS_MAX;
}

/* Names of inputs are what outputs choose by: each once, and where there are outputs, all of them.
 */
static void probe_inputs_check(const struct provider_probe_node *n, struct diagnostics *d)
{
	for (const struct param_node *p = params_are_void(n->input) ? NULL : n->input; p;
	     p = p->next) {
		const char *name = p->declarator->name;
		if (!name && n->has_output)
			diagnose(d, p->range, D_DECL_PROTO_NAME,
				 "an argument needs a name where output arguments choose by it");
		else if (params_find(p->next, name) >= 0)
			diagnose(d, p->range, D_DECL_PROTO_FORM, "there are two arguments %s",
				 name);
	}
}

static void probe_outputs_check(const struct provider_probe_node *n, struct diagnostics *d)
{
	for (const struct param_node *p = params_are_void(n->output) ? NULL : n->output; p;
	     p = p->next) {
		const char *name = p->declarator->name;
		if (params_find(n->input, name) < 0)
			diagnose(d, p->range, D_DECL_PROTO_FORM,
				 "an output argument has the name of the input that it comes "
				 "from%s%s",
				 name ? ": there is no input " : "", name ? name : "");
	}
}

static void probe_node_check(const struct provider_probe_node *n, struct diagnostics *d)
{
	written_name_check("probe", n->name, n->range, d);
	if (!count_check(n->input, n->range, d) || !count_check(n->output, n->range, d))
		return;
	probe_inputs_check(n, d);
	if (n->has_output)
		probe_outputs_check(n, d);
}

bool provider_probe_is_repeated(const struct provider_node *n,
				const struct provider_probe_node *probe)
{
	const struct provider_probe_node *p = n->probes;
	while (p != probe && !string_equal(p->name, probe->name))
		p = p->next;
	return p != probe;
}

void provider_check(const struct provider_node *n, struct range range, struct diagnostics *d)
{
	size_t len = strlen(n->name);
	written_name_check("provider", n->name, range, d);
	if (len && n->name[len - 1] >= '0' && n->name[len - 1] <= '9')
		diagnose(d, range, D_PROV_BADNAME,
			 "the name of a provider cannot end in a digit: the process id follows it");
	for (const struct provider_probe_node *p = n->probes; p; p = p->next) {
		probe_node_check(p, d);
		if (provider_probe_is_repeated(n, p))
			diagnose(d, p->range, D_PROV_PRDUP, "the probe %s is declared twice",
				 p->name);
	}
}
