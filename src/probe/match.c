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

#include "probe/probe_internal.h"

/* --- discovering ---------------------------------------------------------------------------- */

bool probe_db_has_fixed(const struct probe_db *db, const char *name)
{
	for (const struct provider *const *p = db->providers; *p; p++)
		if (!(*p)->per_process && string_equal((*p)->name, name))
			return true;
	return false;
}

const char *probe_db_without_pid(const struct probe_db *db, const char *provider)
{
	if (probe_db_has_fixed(db, provider))
		return NULL;
	for (const struct provider *const *p = db->providers; *p; p++) {
		int pid;
		if ((*p)->per_process && !(*p)->process_of &&
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
	if (provider->may_mean_as)
		return provider->may_mean_as(provider, desc);
	return !provider->may_mean || provider->may_mean(desc);
}

static struct error *discover_one(struct probe_db *db, const struct provider *p,
				  const struct probe_desc *desc)
{
	return p->discover_as ? p->discover_as(p, db, desc) : p->discover(db, desc);
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
		if (!db->providers[i]->per_process && glob_match(pattern, db->providers[i]->name))
			return true;
	for (const char *const *p = db->announced; p && *p; p++)
		if (glob_match(pattern, *p))
			return true;
	return false;
}

static bool of_every_process(const struct probe_db *db, const struct provider *p, const char *field)
{
	return p->of_every_process && p->of_every_process(db, field);
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
static struct error *fill(struct probe_db *db, unsigned which)
{
	if (!db->kept[which])
		return NULL;
	const struct provider *p = db->providers[which];
	db->filling = db->kept[which];
	struct error *err = discover_one(db, p, &everything);
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
		struct error *err =
			p->count || p->per_process ? NULL : discover_one(db, p, &everything);
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
		err = fill(db, i);
	return err;
}

/* Whose probes a description with the provider FIELD, of a process, means; NULL: of none. */
static const struct provider *owner_in_process(const struct probe_db *db, const char *field,
					       int *pid)
{
	const struct provider *const *p = db->providers;
	while (*p && !provider_process_of(*p, field, pid))
		p++;
	return *p;
}

bool probe_db_is_of_process(const struct probe_db *db, const char *provider)
{
	int pid;
	return owner_in_process(db, provider, &pid);
}

static struct error *discover(struct probe_db *db, const struct probe_desc *desc)
{
	int pid;
	const struct provider *owner = owner_in_process(db, desc->provider, &pid);
	for (unsigned i = 0; db->providers[i]; i++) {
		const struct provider *p = db->providers[i];
		bool asked = !p->per_process
				     ? probe_desc_may_mean(desc, p)
				     : p == owner || of_every_process(db, p, desc->provider);
		if (!asked)
			continue;
		struct error *err = discover_fixed(db, i + 1);
		if (!err)
			err = fill(db, i);
		if (!err)
			err = discover_one(db, p, desc);
		if (err)
			return err;
	}
	return NULL;
}

/* --- matching --------------------------------------------------------------------------------- */

static bool function_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->function, p->function))
		return true;
	return p->owner->function_alias && p->owner->function_alias(p, desc->function);
}

static bool module_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->module, p->module))
		return true;
	return p->owner->module_alias && glob_is_plain(desc->module) &&
	       p->owner->module_alias(p, desc->module);
}

bool probe_place_match(const struct probe_desc *desc, const struct probe *p)
{
	return function_match(desc, p) && module_match(desc, p);
}

static bool name_match(const struct probe_desc *desc, const struct probe *p)
{
	if (probe_field_match(desc->name, p->name))
		return true;
	return p->owner->name_alias && p->owner->name_alias(p, desc->name);
}

/* A description while the probes are gone through. */
struct question {
	const struct probe_db *db;
	const struct probe_desc *desc;
	const struct provider *owner; /* of probes of one process, which it means; NULL: of none */
	int pid;
	/* The provider of the last probe, and whether it is meant: neighbours share one. */
	const struct provider *last_owner;
	const char *last_provider;
	bool last_fits;
};

static struct question question_of(const struct probe_db *db, const struct probe_desc *desc)
{
	struct question q = { .db = db, .desc = desc };
	q.owner = owner_in_process(db, desc->provider, &q.pid);
	return q;
}

/*
 * A description with a process means probes of one provider in that process: `*$target:::`; one of
 * every process those alone.
 */
static bool process_match(const struct question *q, const struct probe *p)
{
	int its;
	if (!p->owner->per_process)
		return true;
	bool has_process = provider_process_of(p->owner, p->provider, &its);
	if (q->owner)
		return q->owner == p->owner && has_process && its == q->pid;
	return has_process != of_every_process(q->db, p->owner, q->desc->provider);
}

static bool provider_match(struct question *q, const struct probe *p)
{
	if (q->last_provider == p->provider && q->last_owner == p->owner)
		return q->last_fits;
	q->last_provider = p->provider;
	q->last_owner = p->owner;
	return q->last_fits =
		       probe_field_match(q->desc->provider, p->provider) && process_match(q, p);
}

static bool names_match(struct question *q, const struct probe *p)
{
	return provider_match(q, p) && name_match(q->desc, p) && probe_place_match(q->desc, p);
}

static bool probe_match(struct question *q, const struct probe *p)
{
	return !p->is_retired && !p->is_hidden && names_match(q, p);
}

const struct probe *probe_db_missing(const struct probe_db *db, const struct probe_desc *desc,
				     const struct probe *after)
{
	struct question q = question_of(db, desc);
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

static struct error *match(struct probe_db *db, const struct probe_desc *desc, bool whole,
			   probe_vector *ret)
{
	if (!db->depth++)
		db->rounds++;
	struct error *err = discover(db, desc);
	db->depth--;
	if (err)
		return err;
	struct question q = question_of(db, desc);
	for (const struct probe *p = NULL; (p = probe_db_next(db, p));)
		if (probe_match(&q, p) && (whole || !leaves_out(db, desc, p)))
			vector_push(ret, p);
	return NULL;
}

struct error *probe_db_match(struct probe_db *db, const struct probe_desc *desc, probe_vector *ret)
{
	return match(db, desc, false, ret);
}

struct error *probe_db_match_whole(struct probe_db *db, const struct probe_desc *desc,
				   probe_vector *ret)
{
	return match(db, desc, true, ret);
}

unsigned probe_db_round(const struct probe_db *db)
{
	return db->depth ? db->rounds : 0;
}

const struct probe *probe_db_first_match(const struct probe_db *db, const struct probe_desc *desc)
{
	struct question q = question_of(db, desc);
	const struct probe *p = NULL;
	while ((p = probe_db_next(db, p)) && !probe_match(&q, p))
		;
	return p;
}
