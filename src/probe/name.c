/* SPDX-License-Identifier: BSD-2-Clause */
/* name - what the names of providers and probes say: processes, hyphens, equal descriptions */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/diagnostic.h"
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

const struct provider_process provider_by_number;

bool provider_process_of(const struct provider *p, const char *field, int *pid)
{
	if (!p->process)
		return false;
	return p->process->process_of ? p->process->process_of(field, pid)
				      : probe_provider_pid(field, p->name, pid);
}

bool probe_desc_same(const struct probe_desc *a, const struct probe_desc *b)
{
	return string_equal(a->provider, b->provider) && string_equal(a->module, b->module) &&
	       string_equal(a->function, b->function) && string_equal(a->name, b->name);
}

static char *unmatched_text(const struct probe_desc *d)
{
	return mem_printf("probe description %s:%s:%s:%s does not match any probes", d->provider,
			  d->module, d->function, d->name);
}

struct error *probe_desc_unmatched(const struct probe_desc *desc, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	auto_free char *text = unmatched_text(desc);
	auto_free char *why = mem_vprintf(fmt, ap);
	va_end(ap);
	return error_tag(error_new("%s%s", text, why), D_PDESC_ZERO);
}

char *probe_desc_why_unmatched(const struct probe_desc *desc, const struct error *err)
{
	auto_free char *unmatched = unmatched_text(desc);
	const char *text = error_text(err);
	size_t len = strlen(unmatched);
	return strncmp(text, unmatched, len) == 0 ? mem_strdup(text + len)
						  : mem_printf(": %s", text);
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
