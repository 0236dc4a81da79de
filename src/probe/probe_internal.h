/* SPDX-License-Identifier: BSD-2-Clause */
/* probe_internal - the probe database, as the files of this folder see it */
#ifndef PROBE_INTERNAL_H
#define PROBE_INTERNAL_H

#include "probe/probe.h"

struct probe_db {
	const struct provider **providers; /* NULL-ended */
	const char *const *announced;
	struct probe_settings settings;
	struct types *types;
	void **states; /* of each provider; NULL: not made yet */
	unsigned left_out;
	struct hash *left_out_names;	     /* each counted once */
	VECTOR(const char *) left_out_texts; /* in the arena */
	unsigned rounds, depth; /* of probe_db_match(): outermost calls; calls in each other */
	unsigned complete; /* of providers: these made all of their fixed set, or keep its ids */
	VECTOR(struct probe *) probes; /* id - 1; NULL: kept free */
	/* Of each provider, the first of the ids that are kept free (count()); 0: none are. */
	uint32_t *kept;
	uint32_t filling; /* the next id to give to a probe, of those; 0: the next new one */
	struct hash *names;
	const struct event_args *last_args[EVENT_COUNT]; /* of the last event of each kind */
	struct arena *arena;
};

/* --- meaning.c --- */

/*
 * What a description with a process means: probes of one provider in that process, and others where
 * the provider is a pattern that fits pid (p*d123::f:entry), or where it is pid and the name is not
 * one of pid's (pid123:::query-start).
 */
struct meaning {
	const struct provider *owner;
	struct probe_desc desc; /* for the owner */
	char provider[32];	/* of DESC, if it is not the description's */
};

#define MEANINGS_MOST 3

struct meanings {
	struct meaning items[MEANINGS_MOST];
	unsigned count; /* 0: DESC is not of a process */
	int pid;
	bool is_static; /* a name that is not one of pid's means static probes alone */
};

/* M must not move: its descriptions point into it. */
void meanings_find(struct meanings *m, const struct probe_db *db, const struct probe_desc *desc);

/* match.c: may PROVIDER have probes that DESC means? */
bool probe_desc_may_mean(const struct probe_desc *desc, const struct provider *provider);
/* Is NAME a provider that is not of processes?  It may have no probes. */
bool probe_db_has_fixed(const struct probe_db *db, const char *name);

#endif
