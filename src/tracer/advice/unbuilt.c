/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unbuilt - static probes that are waited for (-Z), and that distributions do not build
 *
 * perl$target::: waits for a library that brings them.  None will, if perl itself was built
 * without.
 */
#include <string.h>

#include "tracer/advice/advice.h"

static const struct {
	const char *provider, *program, *option;
} rows[] = {
	{ "hotspot", "java", "--enable-dtrace" }, { "mysql", "MySQL", "-DENABLE_DTRACE=1" },
	{ "node", "node", "--with-dtrace" },	  { "perl", "perl", "-Dusedtrace" },
	{ "php", "PHP", "--enable-dtrace" },	  { "postgresql", "PostgreSQL", "--enable-dtrace" },
	{ "python", "Python", "--with-dtrace" },  { "ruby", "Ruby", "--enable-dtrace" },
};

/* Is PROVIDER the row's, perhaps with the number of a process? */
static bool is_of(const char *provider, const char *name)
{
	size_t len = strlen(name);
	return strncmp(provider, name, len) == 0 &&
	       !provider[len + strspn(provider + len, "0123456789*")];
}

void unbuilt_report(const struct tracer *t)
{
	const struct typed_program *typed = sema_result(t->sema);
	bool said[ARRAY_SIZE(rows)] = { false };
	for (unsigned i = 0; i < typed->clause_count; i++) {
		const struct tclause *c = typed->clauses[i];
		for (size_t k = 0; !c->probe_count && k < ARRAY_SIZE(rows); k++) {
			if (said[k] || !is_of(c->desc.provider, rows[k].provider))
				continue;
			said[k] = true;
			message("warning: line %u: there is no probe of %s yet: %s has them if it "
				"was built with %s",
				c->range.line, c->desc.provider, rows[k].program, rows[k].option);
		}
	}
}
