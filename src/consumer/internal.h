/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * internal - the consumer's body, for the files of this folder only
 *
 *   consumer.c     life and rounds             order.c     sorting by time
 *   record.c       checks                      drops.c     reports of drops
 *   group.c        committed speculations      compatible.c can sources be merged?
 *   snapshot.c     reading aggregations        sort.c      rows in order
 *   aggregation.c  clear, trunc, normalize     value.c     results
 *   key.c          keys: order, joining        bucket.c    histograms: bounds, percentiles
 *   key_shown.c    keys as they are printed
 *   generation.c   deleting truncated elements
 */
#ifndef CONSUMER_INTERNAL_H
#define CONSUMER_INTERNAL_H

#include "base/base.h"
#include "consumer/consumer.h"
#include "executor/source.h"

/* The offset of a reference into the record's tail. */
struct ref_place {
	int flag; /* of its action */
	uint32_t offset;
};

/* The references to check in a record of a clause. */
struct clause_check {
	struct ref_place *refs;
	unsigned ref_count;
};

/* A source, and the consumer's data about it. */
struct input {
	struct record_source source;
	unsigned number;
	struct clause_check *checks;	/* by clause */
	struct area_counters *reported; /* by area: the counters at the last report of drops */
};

/* The records of an area of a source. */
struct lane {
	const struct input *input;
	unsigned area;
};

/* One key with its merged value, of the last snapshot. */
struct tuple {
	unsigned char *key;
	/* The merged value, then (per_cpu) that of each CPU; if there are several, each has a
	 * further word after its word_count: whether something was aggregated. */
	int64_t *words;
	long double weight; /* rows are sorted by it: the value, or of a histogram the weighted
			     * sum */
};

/*
 * The values that one area, or a group of areas (struct key_shard), added under one key: the
 * executor's words, nothing subtracted or decoded.  In an aggregation without keys the struct
 * key_shard is the key.
 */
struct element {
	struct aggregation_share *share;
	const unsigned char *key;
	const int64_t *words; /* word_count */
};

/* The words of an element that clear() or trunc() removed. */
struct baseline {
	bool with_key; /* the key was removed, too: the element is absent unless more is added */
	int64_t words[];
};

/* The result of one reading.  The aggregation and rows of it hold it by counted references. */
struct snapshot {
	unsigned holders;
	uint64_t round, time; /* of the reading */
	struct arena *arena;
	VECTOR(struct tuple) tuples;
	VECTOR(struct element) seen; /* for clear() and trunc(): the elements to remove */
};

/* An aggregation in one source. */
struct aggregation_share {
	const struct input *input;
	const struct aggregation_layout *layout;
	bool has_own_keys;     /* their layout differs from that of the printed keys */
	struct hash *baseline; /* an element's key -> struct baseline; NULL: none */
	size_t elements;       /* in its map at the last reading */
	bool has_retired;      /* there are elements of old generations ... */
	uint64_t retired_at;   /* ... since this time, or the last attempt to delete them */
	uint64_t drops_before; /* of all aggregations, at that attempt */
};

struct aggregation_state {
	const struct aggregation_layout *layout; /* for the output: the first source's */
	struct aggregation_share *shares;	 /* by source */
	uint32_t word_count;			 /* of one value */
	unsigned parts; /* values of a tuple: 1, or 1 and one for each CPU */
	uint64_t normal;
	bool printed;
	bool forgets;		   /* some clause clears or truncates it */
	bool was_cleared;	   /* then a min or max without data is 0 */
	bool was_truncated;	   /* keyless: absent until it differs from its baseline */
	bool was_reset;		   /* keyless, by clear(): present though zero */
	bool reduces_keys;	   /* different keys of executors may be printed as one */
	struct snapshot *snapshot; /* the last one; NULL: out of date */
};

/* Of keys that print alike the first one. */
struct shown_names {
	struct hash *first; /* as it is printed -> bytes of a key */
	struct arena *arena;
	size_t bytes;
};
#define SHOWN_BYTES_MOST (4u << 20) /* then what is not used any more is forgotten */

struct consumer {
	struct consumer_setup setup;
	const struct program *program; /* the first source's */
	struct input *inputs;	       /* setup.source_count */
	struct lane *lanes;
	unsigned lane_count;
	struct order *order;
	uint64_t round_began;	   /* clock at the start of the last round */
	uint64_t round;		   /* its number */
	uint64_t aggregation_rate; /* ns that a snapshot may be reused */
	struct aggregation_state *aggregations;
	struct shown_names *shown, *shown_before; /* key_shown.c; NULL: empty */
	uint64_t shown_round, shown_time;	  /* when `shown` became `shown_before` */
	struct arena *arena;
	struct clause_drops *reported_clauses; /* counters at the last report, of all areas */
	uint64_t reported_missed, reported_no_area, reported_unreached, reported_tail_calls,
		reported_records, reported_calls;
};

/* compatible.c: an error if sources differ in anything that is merged by number */
MUST_CHECK struct error *inputs_check(const struct consumer *c);

/* record.c */
MUST_CHECK struct error *checks_new(struct consumer *c, struct input *input);
void record_check(const struct consumer *c, const struct lane *lane, const void *data,
		  uint32_t size, struct record *ret);

/* group.c: RECORD_GROUP */
static inline bool group_is(const void *data, uint32_t size)
{
	const struct record_header *header = data;
	return size >= sizeof(*header) && header->kind == RECORD_GROUP;
}
MUST_CHECK struct error *group_visit(const struct consumer *c, const struct lane *lane,
				     const void *data, uint32_t size, record_visit_fn *visit,
				     void *arg);

/* snapshot.c */
/* Afterwards a->snapshot is of this round, or young enough for aggrate: printa(), clear() and
 * trunc() of a clause use the same snapshot. */
MUST_CHECK struct error *snapshot_take(struct consumer *c, struct aggregation_state *a);
void snapshot_drop(struct aggregation_state *a); /* it is out of date */
void snapshot_release(struct snapshot *s);
/* Called once for each element; the element is valid during the call. */
typedef struct error *element_fn(void *arg, const struct element *e);
/* Visit the elements of an aggregation's map. */
MUST_CHECK struct error *elements_visit(struct aggregation_share *share, element_fn *visit,
					void *arg);
uint32_t element_key_size(const struct aggregation_layout *layout);
/* NULL: none. */
const struct baseline *baseline_of(const struct aggregation_share *share, const void *key);
void baseline_free(struct aggregation_share *share);
/* WORDS = E's words minus its baseline; false: they are zero, and its key was removed, too. */
bool element_since(const struct aggregation_state *a, const struct element *e, int64_t *words);
uint64_t *keyless_words(const struct aggregation_share *share, unsigned area);
unsigned keyless_area(const struct element *e);

/* consumer.c */
static inline uint32_t areas_of(const struct input *input)
{
	return input->source.program->area_count;
}

/* generation.c: for aggregations with generations */
/* From now on firings add to new elements. */
void generation_begin(struct consumer *c, struct aggregation_state *a);
/*
 * Delete removed elements, if it is time, or (IF_FULL) if the map has little space left.
 * Elements of earlier snapshots are then no longer in the map.
 */
MUST_CHECK struct error *generations_settle(struct consumer *c, struct aggregation_state *a,
					    bool if_full);

/* key_shown.c */
/* The key of an element as it is printed: keys with the same output are equal.  There must be
 * keys. */
void shown_forget(struct consumer *c); /* before a snapshot */
void shown_deinit(struct consumer *c);
void key_shown(struct consumer *c, const struct aggregation_state *a,
	       const struct aggregation_share *share, const unsigned char *key, unsigned char *ret);

/* value.c */
void words_add(enum aggregate function, int64_t *into, const int64_t *words, uint32_t count);
void words_subtract(enum aggregate function, int64_t *from, const int64_t *words, uint32_t count);
size_t words_size(const struct aggregation_state *a); /* bytes of a value */
size_t part_words(const struct aggregation_state *a); /* from one part of a tuple to the next */
size_t parts_size(const struct aggregation_state *a); /* bytes of a tuple's values, all parts */
/* The word that orders tuples of equal weight: a histogram's bucket of zero; -1: there is none. */
int tuple_tie_at(const struct aggregation_layout *layout);
/* By weight, then by that word.  NULL: a missing value, which is 0. */
int tuple_values_compare(const struct tuple *a, const struct tuple *b, int tie_at);
/* A number: where two differ, the tuples' values are in the same order.  NULL: no tuple. */
uint64_t tuple_rank(const struct tuple *t);
/* Set the weights of TUPLES. */
void tuples_weigh(const struct aggregation_layout *layout, struct tuple *tuples, size_t count);

/* key.c */
int keys_compare(const struct consumer *c, const struct key_layout *layout, const unsigned char *a,
		 const unsigned char *b, unsigned first);
/* A number: where two differ, the keys are in the same order. */
uint64_t key_rank(const struct key_layout *layout, const unsigned char *key, unsigned first);
struct key_layout key_layout_of(const struct aggregation_layout *a);
bool key_layouts_agree(const struct key_layout *a, const struct key_layout *b);
/* Can the aggregations of a printa() be joined? */
MUST_CHECK struct error *keys_check_join(const struct program *p,
					 const struct action_layout *action);
/* Convert KEY from layout FROM to layout TO (of a join; RET is zeroed). */
void key_convert(const struct consumer *c, const struct key_layout *from, const unsigned char *key,
		 const struct key_layout *to, unsigned char *ret);

/*
 * order.c - a queue of records for each lane, merged by time
 *
 * A lane is an area of a source: the areas of the first source, then those of the second, ...
 *
 * A queue's records are copied one after another into chunks.  An array of
 * (time, place) is kept sorted by insertion from its tail: a lane's records
 * arrive sorted except a few whose firing was interrupted.
 */

struct order;

struct order *order_new(unsigned lane_count);
void order_free(struct order *o); /* NULL is fine */

void order_add(struct order *o, unsigned lane, uint64_t time, const void *data, uint32_t size);
size_t order_count(const struct order *o);

/* Visit records older than WATERMARK in order.  A record whose visit fails is removed, too. */
typedef struct error *order_visit_fn(void *arg, unsigned lane, const void *data, uint32_t size);
MUST_CHECK struct error *order_visit(struct order *o, uint64_t watermark, order_visit_fn *visit,
				     void *arg);

#endif
