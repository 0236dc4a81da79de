/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * match - from a description to probes
 *
 * For a description, the fixed providers up to the last one that it may mean discover all their
 * probes, in the order of the provider table, or keep their ids free (count()).  So the id of a
 * fixed probe before the providers of processes is the same in each run, for any description; the
 * id of one after them, in each run without probes of processes.  A script with only BEGIN costs
 * three probes.
 */
#include <assert.h>
#include <string.h>

#include "base/diagnostic.h"
#include "probe/probe_internal.h"

/* --- discovering ---------------------------------------------------------------------------- */

bool probe_db_has_fixed(const struct probe_db *db, const char *name)
{
	for (const struct provider *const *p = db->providers; *p; p++)
		if (!(*p)->process && string_equal((*p)->name, name))
			return true;
	return false;
}

const char *probe_db_without_pid(const struct probe_db *db, const char *provider)
{
	if (probe_db_has_fixed(db, provider))
		return NULL;
	for (const struct provider *const *p = db->providers; *p; p++) {
		int pid;
		if ((*p)->process && !(*p)->process->process_of &&
		    strncmp(provider, (*p)->name, strlen((*p)->name)) == 0 &&
		    !probe_provider_pid(provider, (*p)->name, &pid))
			return (*p)->name;
	}
	return NULL;
}

/* BEGIN, END and ERROR belong to no other provider; this knowledge avoids all other discovery. */
static bool only_dtrace(const struct probe_desc *desc)
{
	return string_equal(desc->name, "BEGIN") || string_equal(desc->name, "END") ||
	       string_equal(desc->name, "ERROR");
}

bool probe_desc_may_mean(const struct probe_desc *desc, const struct provider *provider)
{
	if (!probe_field_match(desc->provider, provider->name))
		return false;
	if (only_dtrace(desc) && !string_equal(provider->name, "dtrace"))
		return false;
	return !provider->may_mean || provider->may_mean(provider, desc);
}

bool probe_db_has_provider(const struct probe_db *db, const char *name)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (string_equal(db->providers[i]->name, name))
			return true;
	return false;
}

bool probe_db_matches_fixed(const struct probe_db *db, const char *pattern)
{
	for (unsigned i = 0; db->providers[i]; i++)
		if (!db->providers[i]->process && glob_match(pattern, db->providers[i]->name))
			return true;
	for (const char *const *p = db->announced; p && *p; p++)
		if (glob_match(pattern, *p))
			return true;
	return false;
}

static bool of_every_process(const struct probe_db *db, const struct provider *p, const char *field)
{
	return p->process && p->process->files && p->process->files_are_meant(p, db, field);
}

bool probe_db_of_every_process(const struct probe_db *db, const char *provider)
{
	bool any = false;
	for (unsigned i = 0; db->providers[i]; i++)
		any |= of_every_process(db, db->providers[i], provider);
	return any;
}

void probe_db_announce(struct probe_db *db, const char *const *names)
{
	db->announced = names;
}

bool probe_db_is_announced(const struct probe_db *db, const char *name)
{
	for (const char *const *p = db->announced; p && *p; p++)
		if (string_equal(*p, name))
			return true;
	return false;
}

static const struct probe_desc everything = { "", "", "", "" };

static void keep_ids(struct probe_db *db, unsigned which)
{
	db->kept[which] = (uint32_t)db->probes.count + 1;
	for (unsigned n = db->providers[which]->count(); n > 0; n--)
		vector_push(&db->probes, NULL);
}

/* Make the probes of provider WHICH whose ids are kept free. */
static struct error *match_fill(struct probe_db *db, unsigned which)
{
	if (!db->kept[which])
		return NULL;
	const struct provider *p = db->providers[which];
	db->filling = db->kept[which];
	struct error *err = p->discover(p, db, &everything);
	assert(err || db->filling == db->kept[which] + p->count());
	db->filling = db->kept[which] = 0;
	return err;
}

/* Fixed providers before COUNT know all of theirs afterwards, or keep the ids of all. */
static struct error *discover_fixed(struct probe_db *db, unsigned count)
{
	while (db->complete < count) {
		const struct provider *p = db->providers[db->complete];
		if (p->count)
			keep_ids(db, db->complete);
		struct error *err = p->count || p->process ? NULL : p->discover(p, db, &everything);
		if (err)
			return err;
		db->complete++;
	}
	return NULL;
}

struct error *probe_db_discover_all(struct probe_db *db)
{
	unsigned count = 0;
	while (db->providers[count])
		count++;
	struct error *err = discover_fixed(db, count);
	for (unsigned i = 0; i < count && !err; i++)
		err = match_fill(db, i);
	return err;
}

bool probe_db_is_of_process(const struct probe_db *db, const char *provider)
{
	const struct probe_desc desc = { provider, "", "", "" };
	struct meanings m;
	meanings_find(&m, db, &desc);
	return m.count;
}

/* The fixed probes before those of provider WHICH have their ids, and it makes those of DESC. */
static struct error *discover_of(struct probe_db *db, unsigned which, const struct probe_desc *desc)
{
	struct error *err = discover_fixed(db, which + 1);
	if (!err)
		err = match_fill(db, which);
	return err ? err : db->providers[which]->discover(db->providers[which], db, desc);
}

static unsigned index_of(const struct probe_db *db, const struct provider *p)
{
	unsigned i = 0;
	while (db->providers[i] != p)
		i++;
	return i;
}

/*
 * An error only if there is nothing of any meaning; then the one of the provider that knows the
 * name, else the first.  Otherwise it is *UNLESS_FOUND: other meanings have no error, but may have
 * no such probe.
 */
static struct error *discover_meanings(struct probe_db *db, const struct meanings *m,
				       struct error **unless_found)
{
	struct error *why = NULL;
	bool has_some = false;
	for (unsigned i = 0; i < m->count; i++) {
		const struct meaning *one = &m->items[i];
		struct error *err = discover_of(db, index_of(db, one->owner), &one->desc);
		has_some |= !err;
		if (!why || (err && one->owner->process->name_means)) {
			error_free(why);
			why = err;
		} else {
			error_free(err);
		}
	}
	if (!has_some)
		return why;
	*unless_found = why;
	return NULL;
}

static struct error *providers_discover(struct probe_db *db, const struct probe_desc *desc,
					const struct meanings *m, struct error **unless_found)
{
	for (unsigned i = 0; db->providers[i]; i++) {
		const struct provider *p = db->providers[i];
		bool asked = p->process ? of_every_process(db, p, desc->provider)
					: probe_desc_may_mean(desc, p);
		struct error *err = asked ? discover_of(db, i, desc) : NULL;
		if (err)
			return err;
	}
	return discover_meanings(db, m, unless_found);
}

/* --- matching --------------------------------------------------------------------------------- */

static bool function_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->function, p->function))
		return true;
	const struct provider_aliases *a = p->owner->aliases;
	return a && a->function && a->function(p, desc->function);
}

static bool module_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->module, p->module))
		return true;
	const struct provider_aliases *a = p->owner->aliases;
	return a && a->module && glob_is_plain(desc->module) && a->module(p, desc->module);
}

bool probe_place_match(const struct probe_desc *desc, const struct probe *p)
{
	return function_match(desc, p) && module_match(desc, p);
}

static bool name_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->name, p->name))
		return true;
	const struct provider_aliases *a = p->owner->aliases;
	return a && a->name && a->name(p, desc->name);
}

/* A description while the probes are gone through. */
struct question {
	const struct probe_db *db;
	const struct probe_desc *desc;
	struct meanings meanings;
	/* The provider of the last probe, and as what it is meant: neighbours share one. */
	const struct provider *last_owner;
	const char *last_provider;
	const struct probe_desc *last_desc;
};

/* Q must not move. */
static void question_init(struct question *q, const struct probe_db *db,
			  const struct probe_desc *desc)
{
	*q = (struct question) { .db = db, .desc = desc };
	meanings_find(&q->meanings, db, desc);
}

/* The description that means P's provider; NULL: P is not meant.  One of every process means those
 * probes alone. */
static const struct probe_desc *desc_of(const struct question *q, const struct probe *p)
{
	int its;
	const struct meanings *m = &q->meanings;
	bool fits = probe_field_match(q->desc->provider, p->provider);
	if (!p->owner->process)
		return fits ? q->desc : NULL;
	bool has_process = provider_process_of(p->owner, p->provider, &its);
	if (!m->count)
		return fits && has_process != of_every_process(q->db, p->owner, q->desc->provider)
			       ? q->desc
			       : NULL;
	for (unsigned i = 0; i < m->count && has_process && its == m->pid; i++)
		if (m->items[i].owner == p->owner &&
		    probe_field_match(m->items[i].desc.provider, p->provider))
			return &m->items[i].desc;
	return NULL;
}

static bool names_match(struct question *q, const struct probe *p)
{
	if (q->last_provider != p->provider || q->last_owner != p->owner)
		q->last_desc = desc_of(q, p);
	q->last_provider = p->provider;
	q->last_owner = p->owner;
	return q->last_desc && name_match(q->last_desc, p) && probe_place_match(q->last_desc, p);
}

static bool probe_match(struct question *q, const struct probe *p)
{
	return !p->is_retired && !p->is_hidden && names_match(q, p);
}

const struct probe *probe_db_missing(const struct probe_db *db, const struct probe_desc *desc,
				     const struct probe *after)
{
	struct question q;
	question_init(&q, db, desc);
	for (const struct probe *p = after; (p = probe_db_next(db, p));)
		if (p->is_hidden && p->not_chosen && !p->events && names_match(&q, p))
			return p;
	return NULL;
}

/* Does DESC, a pattern, leave P out, which it would mean? */
static bool leaves_out(struct probe_db *db, const struct probe_desc *desc, const struct probe *p)
{
	const char *field = *p->function ? desc->function : desc->name;
	bool in_full = *field && glob_is_plain(field);
	const char *why = in_full || !p->owner->only_in_full ? NULL : p->owner->only_in_full(p);
	const struct probe_desc d = { p->provider, p->module, p->function, p->name };
	if (why)
		probe_db_leave_out(db, &d, why, false);
	return why;
}

/* pid123:::enrty is not the name of a static probe either.  WHY: what their provider says, or NULL.
 */
static struct error *not_static(const struct question *q, struct error *why)
{
	if (why && error_tag_of(why) != D_PDESC_ZERO)
		return why;
	error_free(why);
	return probe_desc_unmatched(q->desc,
				    ": '%s' is neither entry, return nor an offset in hexadecimal "
				    "digits, and process %d has no such static probe",
				    q->desc->name, q->meanings.pid);
}

static struct error *probes_match(struct probe_db *db, const struct probe_desc *desc, bool whole,
				  probe_vector *ret)
{
	struct question q;
	question_init(&q, db, desc);
	if (!db->depth++)
		db->rounds++;
	auto_error struct error *unless_found = NULL;
	struct error *err = providers_discover(db, desc, &q.meanings, &unless_found);
	size_t before = ret->count;
	db->depth--;
	if (err)
		return q.meanings.is_static ? not_static(&q, err) : err;
	for (const struct probe *p = NULL; (p = probe_db_next(db, p));)
		if (probe_match(&q, p) && (whole || !leaves_out(db, desc, p)))
			vector_push(ret, p);
	if (ret->count > before)
		return NULL;
	return q.meanings.is_static ? not_static(&q, NULL) : take(unless_found);
}

struct error *probe_db_match(struct probe_db *db, const struct probe_desc *desc, probe_vector *ret)
{
	return probes_match(db, desc, false, ret);
}

struct error *probe_db_match_whole(struct probe_db *db, const struct probe_desc *desc,
				   probe_vector *ret)
{
	return probes_match(db, desc, true, ret);
}

unsigned probe_db_round(const struct probe_db *db)
{
	return db->depth ? db->rounds : 0;
}

const struct probe *probe_db_first_match(const struct probe_db *db, const struct probe_desc *desc)
{
	struct question q;
	question_init(&q, db, desc);
	const struct probe *p = NULL;
	while ((p = probe_db_next(db, p)) && !probe_match(&q, p))
		;
	return p;
}
