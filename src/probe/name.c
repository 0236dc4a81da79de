/* SPDX-License-Identifier: BSD-2-Clause */
/* name - what the names of providers and probes say: processes, hyphens, equal descriptions */
#include <ctype.h>
#include <string.h>

#include "probe/probe.h"

bool probe_provider_pid(const char *field, const char *provider, int *pid)
{
	size_t len = strlen(provider);
	if (strncmp(field, provider, len) != 0 || !field[len])
		return false;
	const char *digits = field + len;
	int64_t value = 0;
	for (; isdigit((unsigned char)*digits); digits++)
		if (value <= INT32_MAX)
			value = value * 10 + (*digits - '0');
	if (*digits)
		return false;
	*pid = value <= INT32_MAX ? (int)value : 0;
	return true;
}

bool provider_process_of(const struct provider *p, const char *field, int *pid)
{
	if (!p->per_process)
		return false;
	return p->process_of ? p->process_of(field, pid) : probe_provider_pid(field, p->name, pid);
}

bool probe_desc_same(const struct probe_desc *a, const struct probe_desc *b)
{
	return string_equal(a->provider, b->provider) && string_equal(a->module, b->module) &&
	       string_equal(a->function, b->function) && string_equal(a->name, b->name);
}

void probe_name_hyphenate(char *name)
{
	char *to = name;
	for (const char *from = name; *from; to++) {
		bool is_hyphen = from[0] == '_' && from[1] == '_';
		*to = is_hyphen ? '-' : *from;
		from += is_hyphen ? 2 : 1;
	}
	*to = '\0';
}
