/* SPDX-License-Identifier: BSD-2-Clause */
#include <ctype.h>
#include <string.h>

#include "probe/probe_internal.h"

static void meaning_add(struct meanings *m, const struct provider *owner,
			const struct probe_desc *desc, const char *provider)
{
	struct meaning *one = &m->items[m->count++];
	one->owner = owner;
	one->desc = *desc;
	if (provider)
		snprintf(one->provider, sizeof(one->provider), "%s%d", provider, m->pid);
	one->desc.provider = provider ? one->provider : desc->provider;
}

static const struct provider *owner_of(const struct probe_db *db, const char *field, int *pid)
{
	const struct provider *const *p = db->providers;
	while (*p && !provider_process_of(*p, field, pid))
		p++;
	return *p;
}

/* FIELD is a pattern and a number: does the pattern fit NAME? */
static bool stem_fits(const char *field, const char *name)
{
	size_t len = strlen(field);
	while (len && isdigit((unsigned char)field[len - 1]))
		len--;
	auto_free char *stem = mem_strndup(field, len);
	return !glob_is_plain(stem) && stem[strspn(stem, "*")] && glob_match(stem, name);
}

/* p*d123::f:entry: providers that OWNER, the static probes', is not, if the name is one of theirs.
 */
static void add_by_pattern(const struct probe_db *db, const struct probe_desc *desc,
			   struct meanings *m)
{
	const struct provider *static_probes = m->items[0].owner;
	for (unsigned i = 0; db->providers[i] && m->count < MEANINGS_MOST; i++) {
		const struct provider *p = db->providers[i];
		if (p != static_probes && p->process && p->process->name_means && *desc->name &&
		    p->process->name_means(desc) != PROBE_NAME_STATIC &&
		    stem_fits(desc->provider, p->name))
			meaning_add(m, p, desc, p->name);
	}
}

/* pid123:::query-start: static probes of that process, whatever their provider. */
static void add_static(const struct probe_db *db, const struct probe_desc *desc, struct meanings *m)
{
	enum probe_name means = m->items[0].owner->process->name_means(desc);
	int pid;
	const struct provider *static_probes = owner_of(db, "*1", &pid);
	if (means == PROBE_NAME_OWN || !static_probes)
		return;
	m->is_static = means == PROBE_NAME_STATIC;
	if (m->is_static)
		m->count = 0;
	meaning_add(m, static_probes, desc, "*");
}

void meanings_find(struct meanings *m, const struct probe_db *db, const struct probe_desc *desc)
{
	*m = (struct meanings) { .count = 0 };
	const struct provider *owner = owner_of(db, desc->provider, &m->pid);
	if (!owner)
		return;
	meaning_add(m, owner, desc, NULL);
	if (owner->process->name_means)
		add_static(db, desc, m);
	else if (owner->process->process_of)
		add_by_pattern(db, desc, m);
}
