/* SPDX-License-Identifier: BSD-2-Clause */
/* internal - declarations shared by the files of remote/; see remote.h */
#ifndef REMOTE_INTERNAL_H
#define REMOTE_INTERNAL_H

#include "remote/remote.h"

/* --- store.c ---------------------------------------------------------------------------------- */

/* Keys -> pointers; after many removals it is made anew. */
struct store {
	struct hash *items;
	size_t count, removed;
};

void store_init(struct store *t);
void store_deinit(struct store *t, void (*release)(void *value)); /* NULL: nothing is */
/* The caller puts a pointer there, never NULL, at once. */
void **store_place(struct store *t, const void *key, size_t key_size);
/* What was there, or NULL. */
void *store_remove(struct store *t, const void *key, size_t key_size);

/* --- mirror.c --------------------------------------------------------------------------------- */

/* CALL with each probe id in KEY, an element's of MAP.  KEY is written to only if CALL changes one.
 */
typedef struct error *key_probe_fn(void *arg, uint32_t *id);
MUST_CHECK struct error *key_probes(const struct program *p, unsigned map, void *key,
				    key_probe_fn *call, void *arg);

struct remote_host {
	struct remote_setup setup;
	struct arena *arena;
	bool is_ready, has_ended;
	struct program program;
	struct remote_facts facts;
	VECTOR(const char *) options;
	int64_t clock_offset;
	uint64_t bytes; /* of REMOTE_BYTES_MOST */
	uint64_t records, missed;
	struct hash *probe_ids; /* the agent's -> ours */
	char *area_words;

	/* the copy: the regions, and what the agent has of those that we change */
	char *regions[REGION_COUNT];
	char *theirs[REGION_COUNT];
	struct store *elements;	  /* by map: the key, with our probe ids -> the value */
	struct strbuf record;	  /* the one that has come, as the asker has it */
	struct strbuf queue;	  /* records for the consumer: u64 size, the record, to 8 bytes */
	struct strbuf changes;	  /* frames for the agent */
	uint64_t settle, settled; /* tokens: the last one that was sent, and that came back */
	struct record_source source;
};

/* What an element takes here, about. */
static inline uint64_t element_bytes(const struct map_layout *m)
{
	return 96 + (uint64_t)m->key_size + m->value_size;
}

/* An element of the copy; KEY has our probe ids. */
void mirror_put(struct remote_host *r, unsigned map, const void *key, const void *value);

/* source.c */
void source_init(struct remote_host *r);

#endif
