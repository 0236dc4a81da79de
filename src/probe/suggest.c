/* SPDX-License-Identifier: BSD-2-Clause */
/* suggest - the probe description that was probably meant */
#include <string.h>

#include "base/nearest.h"
#include "probe/probe.h"

/* Fields as an array, in the order of struct probe_desc. */
struct fields {
	const char *text[4];
};

static struct fields fields_of_probe(const struct probe *p)
{
	return (struct fields) { { p->provider, p->module, p->function, p->name } };
}

/* Does all but field WHICH fit? */
static bool others_fit(const struct fields *desc, const struct fields *probe, int which)
{
	for (int i = 0; i < 4; i++)
		if (i != which && !probe_field_match(desc->text[i], probe->text[i]))
			return false;
	return true;
}

static const struct probe *probe_at(struct probe_db *db, uint32_t i)
{
	return probe_db_get(db, i + 1);
}

/* The value of field WHICH, among probes that fit otherwise, that is nearest to DESC's. */
static const char *field_suggest(struct probe_db *db, const struct fields *desc, int which)
{
	struct nearest nearest = nearest_to(desc->text[which]);
	if (which == 3) /* there are few: enter can only be entry */
		nearest.distance = MAX(nearest.distance, (unsigned)strlen(nearest.wanted) / 2 + 1);
	const struct probe *p;
	for (uint32_t i = 0; (p = probe_at(db, i)); i++) {
		struct fields fields = fields_of_probe(p);
		if (others_fit(desc, &fields, which))
			nearest_try(&nearest, fields.text[which]);
	}
	return nearest.best;
}

static char *desc_text(const struct fields *f)
{
	return mem_printf("%s:%s:%s:%s", f->text[0], f->text[1], f->text[2], f->text[3]);
}

bool probe_db_lacks_provider(struct probe_db *db, const char *provider)
{
	if (!*provider || !glob_is_plain(provider))
		return false;
	error_free(probe_db_discover_all(db));
	const struct probe *p;
	for (uint32_t i = 0; (p = probe_at(db, i)); i++)
		if (strcmp(p->provider, provider) == 0)
			return false;
	return true;
}

/* Are there probes like DESC, in providers that are discovered (those of a process are not)? */
static bool can_be_had(struct probe_db *db, const struct fields *desc)
{
	probe_vector found = { 0 };
	const char *const *text = desc->text;
	struct probe_desc wanted = { text[0], text[1], text[2], text[3] };
	error_free(probe_db_match(db, &wanted, &found));
	bool any = found.count > 0;
	vector_free(&found);
	return any;
}

/*
 * Fields count from the right: syscall:entry, syscall:read:entry and pid1:a.out:main have their
 * provider in another field's place.  Either fields between it and the rest were omitted, or those
 * after the function, or both.
 */
static char *provider_suggest(struct probe_db *db, const struct fields *desc)
{
	const char *const *text = desc->text;
	int first = 0;
	while (first < 3 && !*text[first])
		first++;
	if (first == 0)
		return NULL;
	const char *module = first == 1 ? text[2] : "", *last = first < 3 ? text[3] : "";
	const struct fields meant[] = {
		{ { text[first], "", module, last } },
		{ { text[first], module, last, "entry" } },
	};
	for (size_t i = 0; i < ARRAY_SIZE(meant); i++)
		if (can_be_had(db, &meant[i]))
			return desc_text(&meant[i]);
	return NULL;
}

char *probe_db_suggest(struct probe_db *db, const struct probe_desc *desc)
{
	struct fields fields = { { desc->provider, desc->module, desc->function, desc->name } };
	struct error *err = probe_db_discover_all(db);
	error_free(err); /* the existing probes suffice */

	char *moved = provider_suggest(db, &fields);
	if (moved)
		return moved;
	for (int i = 0; i < 4; i++) {
		if (!*fields.text[i] || !glob_is_plain(fields.text[i]))
			continue;
		const char *best = field_suggest(db, &fields, i);
		if (!best)
			continue;
		fields.text[i] = best;
		return desc_text(&fields);
	}
	return NULL;
}

char *probe_db_why_unmatched(struct probe_db *db, const struct probe_desc *desc)
{
	auto_free char *meant = probe_db_suggest(db, desc);
	const char *of_process = probe_db_without_pid(db, desc->provider);
	const struct probe *missing = probe_db_missing(db, desc, NULL);
	if (missing) /* all its reasons: -lvv */
		return mem_printf(" (this %s has none: %.*s)",
				  missing->owner->per_process ? "process" : "kernel",
				  (int)strcspn(missing->not_chosen, "\n"), missing->not_chosen);
	if (of_process && string_equal(of_process, desc->provider))
		return mem_printf(" (provider %s is that of one process, as in %s1234 or "
				  "%s$target)",
				  of_process, of_process, of_process);
	if (probe_db_is_announced(db, desc->provider))
		return mem_printf(" (provider %s is not yet supported)", desc->provider);
	if (meant)
		return mem_printf(" (did you mean %s?)", meant);
	if (of_process)
		return mem_printf(
			" (\"%s\" is not a process id: provider %s is that of one process, "
			"as in %s1234 or %s$target)",
			desc->provider + strlen(of_process), of_process, of_process, of_process);
	if (!glob_is_plain(desc->provider) && probe_db_of_every_process(db, desc->provider))
		return mem_strdup(" (no process has such static probes: -Z waits for one)");
	if (probe_db_lacks_provider(db, desc->provider))
		return mem_printf(" (there is no provider %s%s: dtrace -l lists the providers)",
				  desc->provider,
				  probe_db_of_every_process(db, desc->provider)
					  ? ", and no process has static probes of this name"
					  : "");
	return mem_strdup("");
}
