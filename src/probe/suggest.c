/* SPDX-License-Identifier: BSD-2-Clause */
/* suggest - the probe description that was probably meant */
#include <string.h>

#include "base/nearest.h"
#include "probe/probe_internal.h"

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

/* Does DESC match probes, once its provider has found out what there is? */
static bool can_be_had(struct probe_db *db, const struct probe_desc *desc)
{
	probe_vector found = { 0 };
	error_free(probe_db_match(db, desc, &found));
	bool any = found.count > 0;
	vector_free(&found);
	return any;
}

/* The same, but a process is not searched for a suggestion: what was found there counts. */
static const struct probe *first_usable(struct probe_db *db, const struct probe_desc *desc)
{
	bool usable = probe_db_is_of_process(db, desc->provider) || can_be_had(db, desc);
	return usable ? probe_db_first_match(db, desc) : NULL;
}

/* The value of field WHICH, among probes that fit otherwise, that is nearest to DESC's. */
static const char *field_suggest(struct probe_db *db, const struct fields *desc, int which)
{
	const char *text[4];
	for (int i = 0; i < 4; i++)
		text[i] = i == which ? "" : desc->text[i];
	const struct probe_desc others = { text[0], text[1], text[2], text[3] };

	struct nearest nearest = nearest_to(desc->text[which]);
	if (which == 3) /* there are few: enter can only be entry */
		nearest.distance = MAX(nearest.distance, (unsigned)strlen(nearest.wanted) / 2 + 1);
	if (which != 0 && !first_usable(db, &others))
		return NULL;
	for (const struct probe *p = NULL; (p = probe_db_next(db, p));) {
		struct fields fields = fields_of_probe(p);
		if (!p->is_hidden && others_fit(desc, &fields, which))
			nearest_try(&nearest, fields.text[which]);
	}
	return nearest.best;
}

static char *suggestion_text(const struct probe_desc *d)
{
	return mem_printf("%s:%s:%s:%s", d->provider, d->module, d->function, d->name);
}

bool probe_db_lacks_provider(struct probe_db *db, const char *provider)
{
	if (!*provider || !glob_is_plain(provider))
		return false;
	error_free(probe_db_discover_all(db));
	for (const struct probe *p = NULL; (p = probe_db_next(db, p));)
		if (strcmp(p->provider, provider) == 0)
			return false;
	return true;
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
	const struct probe_desc meant[] = {
		{ text[first], "", module, last },
		{ text[first], module, last, "entry" },
	};
	for (size_t i = 0; i < ARRAY_SIZE(meant); i++)
		if (can_be_had(db, &meant[i]))
			return suggestion_text(&meant[i]);
	return NULL;
}

/*
 * Listings of other systems have the module, often the function, too, of probes that are known by
 * provider and name alone: io:genunix:bdev_strategy:start, dtrace::BEGIN: (a field to the left).
 * RET is DESC without its module, or without both; false: it has no such.
 */
static bool without_place(const struct probe_desc *desc, bool module_alone, struct probe_desc *ret)
{
	bool is_left = !*desc->name;
	*ret = *desc;
	ret->module = "";
	if (module_alone)
		return *desc->module && !(is_left && !*desc->function);
	ret->name = is_left ? desc->function : desc->name;
	ret->function = "";
	return *desc->function;
}

static char *placed_suggest(struct probe_db *db, const struct probe_desc *desc)
{
	bool is_left = !*desc->name;
	for (int module_alone = 1; module_alone >= 0; module_alone--) {
		struct probe_desc meant;
		if (!without_place(desc, module_alone, &meant))
			continue;
		const struct probe *p = first_usable(db, &meant);
		if (p && (module_alone || is_left || !*p->function))
			return suggestion_text(&meant);
	}
	return NULL;
}

char *probe_db_suggest(struct probe_db *db, const struct probe_desc *desc)
{
	struct fields fields = { { desc->provider, desc->module, desc->function, desc->name } };
	struct error *err = probe_db_discover_all(db);
	error_free(err); /* the existing probes suffice */

	char *moved = provider_suggest(db, &fields);
	if (!moved)
		moved = placed_suggest(db, desc);
	if (moved)
		return moved;
	for (int i = 0; i < 4; i++) {
		if (!*fields.text[i] || !glob_is_plain(fields.text[i]))
			continue;
		const char *best = field_suggest(db, &fields, i);
		if (!best)
			continue;
		fields.text[i] = best;
		return suggestion_text(&(struct probe_desc) { fields.text[0], fields.text[1],
							      fields.text[2], fields.text[3] });
	}
	return NULL;
}

/* A probe that DESC means, with another place perhaps, and that this kernel or process lacks. */
static const struct probe *missing_probe(struct probe_db *db, const struct probe_desc *desc)
{
	const struct probe *missing = probe_db_missing(db, desc, NULL);
	struct probe_desc meant;
	for (int module_alone = 1; !missing && module_alone >= 0; module_alone--)
		if (*desc->provider && without_place(desc, module_alone, &meant))
			missing = probe_db_missing(db, &meant, NULL);
	return missing;
}

/* "mine.prov line 12: " at the beginning of WHY: its length. */
static size_t place_length(const char *why)
{
	const char *line = strstr(why, "line ");
	const char *number = line ? line + strlen("line ") : why;
	const char *end = number + strspn(number, "0123456789");
	bool is_place = line && end > number && strncmp(end, ": ", 2) == 0 &&
			!memchr(why, ':', (size_t)(line - why));
	return is_place ? (size_t)(end + 2 - why) : 0;
}

/* The first of the reasons why P is not there, without its place in the .prov file; all: -lvv. */
static char *missing_text(const struct probe *p)
{
	const char *why = p->not_chosen + place_length(p->not_chosen);
	int len = (int)strcspn(why, "\n");
	if (strncmp(why, "this ", strlen("this ")) == 0)
		return mem_printf(" (%.*s)", len, why);
	int pid;
	const char *what = !p->owner->process				      ? "kernel"
			   : provider_process_of(p->owner, p->provider, &pid) ? "process"
									      : "file";
	return mem_printf(" (this %s has none: %.*s)", what, len, why);
}

/* NAME is a provider of processes. */
static char *without_process_text(const struct probe_db *db, const char *name)
{
	auto_free char *all = mem_printf("%s*", name);
	auto_free char *every = probe_db_of_every_process(db, all)
					? mem_printf(", or of every process, as in %s", all)
					: mem_strdup("");
	return mem_printf(" (provider %s is that of one process, as in %s1234 or %s$target%s)",
			  name, name, name, every);
}

#define LISTED_MAX 12 /* names in a message */

/* The different names of PROVIDER's probes that contain PART, separated; *COUNT: how many. */
static void names_list(struct probe_db *db, const char *provider, const char *part,
		       struct strbuf *ret, unsigned *count)
{
	const char *listed[LISTED_MAX + 1];
	*count = 0;
	for (const struct probe *p = NULL; *count <= LISTED_MAX && (p = probe_db_next(db, p));) {
		unsigned i = 0;
		if (p->is_hidden || p->is_retired || strcmp(p->provider, provider) != 0 ||
		    !strstr(p->name, part))
			continue;
		while (i < *count && strcmp(listed[i], p->name) != 0)
			i++;
		if (i < *count)
			continue;
		listed[(*count)++] = p->name;
		strbuf_printf(ret, "%s%s", i ? ", " : "", p->name);
	}
}

/* DESC's provider has probes, but none of that name: which there are, or how they are listed. */
static char *names_hint(struct probe_db *db, const struct probe_desc *desc)
{
	const char *parts[] = { desc->name, "" };
	if (!*desc->provider || !*desc->name || *desc->module || *desc->function)
		return mem_strdup("");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		auto_strbuf struct strbuf names = { 0 };
		unsigned count;
		names_list(db, desc->provider, parts[i], &names, &count);
		if (count && count <= LISTED_MAX)
			return mem_printf(" (%s has %s)", desc->provider, strbuf_text(&names));
	}
	return mem_printf(" (dtrace -l -P %s lists those that there are)", desc->provider);
}

/* What DESC's provider knows; NULL: nothing. */
static char *provider_reason(struct probe_db *db, const struct probe_desc *desc)
{
	for (const struct provider *const *p = db->providers; *p; p++)
		if (string_equal((*p)->name, desc->provider))
			return (*p)->kernel ? (*p)->kernel->why_absent(db, desc) : NULL;
	return NULL;
}

char *probe_db_why_unmatched(struct probe_db *db, const struct probe_desc *desc)
{
	char *reason = provider_reason(db, desc);
	if (reason)
		return reason;
	auto_free char *meant = probe_db_suggest(db, desc);
	const char *of_process = probe_db_without_pid(db, desc->provider);
	const struct probe *missing = missing_probe(db, desc);
	if (missing)
		return missing_text(missing);
	if (of_process && string_equal(of_process, desc->provider))
		return without_process_text(db, of_process);
	if (of_process && probe_db_of_every_process(db, desc->provider))
		return names_hint(db, desc);
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
		return mem_printf(" (no process has such static probes%s)",
				  probe_db_lists(db) ? "" : ": -Z waits for one");
	bool lacks = probe_db_lacks_provider(db, desc->provider);
	if (lacks && probe_db_has_fixed(db, desc->provider))
		return mem_printf(" (the provider %s is here, but has no probes)", desc->provider);
	if (lacks)
		return mem_printf(" (there is no provider %s%s: dtrace -l lists the providers)",
				  desc->provider,
				  probe_db_of_every_process(db, desc->provider)
					  ? ", and no process has static probes of this name"
					  : "");
	return names_hint(db, desc);
}
