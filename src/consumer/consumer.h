/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consumer - from executors' buffers to records and aggregations
 *
 * In:   sources: the buffers, maps and counters of running programs (executor/source.h).
 * Out:  struct record, one call of the visitor each; sorted rows of
 *       aggregations; drops.
 *
 * Each area of a source (each CPU, where the kernel is the executor) fills its own buffer, so
 * writers never wait for each other.  The price is paid here: we queue what every area left and
 * merge the queues by time (order.c).  A firing takes its time stamp first and commits its record
 * last, and it may be preempted in between.  So a round visits only what is older than the clock at
 * the start of the round before: everything that was in flight then has had a whole round to
 * arrive.  Without `temporal` records are visited area by area straight from the buffers.
 *
 * Sources run the same clauses, and what they have is merged by number: a clause, an aggregation,
 * a variable, a probe is the same in all of them.  Each is read by its own layout; aggregations
 * are shown by that of the first source.
 *
 * A committed speculation comes as one record and is visited record by record at its place
 * (group.c); what was discarded never comes here (runtime/speculation.c).
 *
 * Aggregations are read when somebody wants to see them (snapshot.c): areas are
 * merged, keys that print alike become one, and what clear() forgot is
 * subtracted.  The executors' numbers are not set back while firings add to them
 * (but for min and max without keys), so an update that races with clear() or
 * trunc() is not lost (aggregation.c, generation.c).  A word
 * is read whole, but a value of several words (avg, stddev, histograms) may be
 * read between two changes of one update: such a row is one update out of step
 * with itself while tracing goes on, and exact at the end.
 *
 * The option aggrate is the least time between two readings of an aggregation
 * for printa(): one that comes sooner shows the last reading again.  It is 0
 * unless somebody sets it: each printa() shows what is there, as the
 * classic text has it.  Reading a million keys takes a second or so, and there
 * a rate is worth while.  What acts on values (clear, trunc), and the end, always
 * reads anew.
 *
 * Always true:
 *   1. A record is visited exactly once.  A damaged one is visited too, with
 *      `problem` set and nothing else to rely on.
 *   2. Records come by (time, source, area, arrival) if `temporal` is on; a record that
 *      needed more than a round to arrive comes late rather than never.
 *   3. Rows stay as they are until aggregation_rows_free(), whatever happens to
 *      the aggregations meanwhile.
 *
 * A tracer's life: consumer_new; BEGIN runs, consumer_collect; all probes fire from
 * now on, consumer_visit_collected; consumer_poll in a loop; all probes but END stop,
 * consumer_flush; END runs, consumer_flush; rows of all aggregations; consumer_free.
 * So BEGIN's records come first and END's last.
 *
 * To add a kind of drop: a counter in abi/state.h and a row in drop.def.
 */
#ifndef CONSUMER_CONSUMER_H
#define CONSUMER_CONSUMER_H

#include "abi/abi.h"
#include "base/base.h"

struct consumer;
struct record_source;

/* --- what the consumer must be told ---------------------------------------------------- */

struct probe_names {
	const char *provider, *module, *function, *name;
};

/* Those who know probes and symbols.  Answers stay valid while the consumer lives. */
struct consumer_names {
	void *arg;
	const struct probe_names *(*probe)(void *arg, uint32_t id); /* NULL: no such probe */
	/*
	 * Where the symbol of ADDRESS begins (else ADDRESS), and the name of its
	 * module (or NULL).  TGID 0: the kernel's.  The functions may be NULL.
	 */
	uint64_t (*symbol_start)(void *arg, uint32_t tgid, uint64_t address);
	const char *(*module_name)(void *arg, uint32_t tgid, uint64_t address);
	/*
	 * How many of the COUNT words at PCS, a stack of TGID, can be frames; the rest is what code
	 * without frame pointers left on the stack.  May be NULL: all can.
	 */
	unsigned (*stack_frames)(void *arg, uint32_t tgid, const void *pcs, unsigned count);
};

/* In keys, in the place of a pc: here the stack ends early, as stack_frames() says. */
#define STACK_ENDS_EARLY 1

struct consumer_setup {
	const struct record_source
		*sources; /* at least one; copied, what they point to is a loan */
	unsigned source_count;
	uint32_t cpu_count; /* D's cpu is below */
	bool temporal;
	bool per_cpu; /* keep each CPU's part of aggregations too (aggpercpu) */
	struct consumer_names names;
	uint64_t (*now)(void); /* the clock of record_header.time; NULL: CLOCK_MONOTONIC */
};

/* Fails when the layouts of a program contradict themselves, or those of another source. */
MUST_CHECK struct error *consumer_new(const struct consumer_setup *setup, struct consumer **ret);
void consumer_free(struct consumer *c); /* NULL is fine */

/* The first source's, by which aggregations are shown. */
const struct program *consumer_program(const struct consumer *c);
uint32_t consumer_cpu_count(const struct consumer *c); /* record.cpu is below */
const struct probe_names *consumer_probe(const struct consumer *c, uint32_t id); /* or NULL */

/* --- records --------------------------------------------------------------------------- */

struct record {
	const struct record_header *header;
	uint32_t size;
	int cpu;			    /* of a damaged one: its area */
	const struct clause_layout *clause; /* its source's */
	const struct probe_names *probe;
	const char *problem; /* what is wrong with it; NULL: it was checked and is sound */
};

/* An error ends the round and comes back; the record counts as visited. */
typedef struct error *record_visit_fn(void *arg, const struct record *r);

/* One round: drain the buffers, visit what is old enough. */
MUST_CHECK struct error *consumer_poll(struct consumer *c, record_visit_fn *visit, void *arg);

/* Drain the buffers and visit all that was there, however young. */
MUST_CHECK struct error *consumer_flush(struct consumer *c, record_visit_fn *visit, void *arg);

/* Drain the buffers and keep what was there: BEGIN's records, before others can fire. */
MUST_CHECK struct error *consumer_collect(struct consumer *c);
/* Visit what was kept, and nothing that came later. */
MUST_CHECK struct error *consumer_visit_collected(struct consumer *c, record_visit_fn *visit,
						  void *arg);

/* Records that wait for their round: poll again soon. */
size_t consumer_waiting(const struct consumer *c);

/* Check SIZE bytes of a record from AREA of a source.  Its soundness is told by ret->problem. */
void record_read(const struct consumer *c, unsigned source, unsigned area, const void *data,
		 uint32_t size, struct record *ret);

static inline bool record_flag(const struct record *r, int flag)
{
	const uint64_t *flags = (const uint64_t *)(r->header + 1);
	return flag < 0 || flags[flag / 64] >> (flag % 64) & 1;
}

/* --- aggregations (indexes are those of program.aggregations) --------------------------- */

struct aggregation_order {
	bool by_key;		 /* aggsortkey */
	bool reverse;		 /* aggsortrev */
	unsigned key_position;	 /* aggsortkeypos */
	unsigned value_position; /* aggsortpos */
};

/*
 * The merged value in plain words: like abi/state.h, but min and max are the
 * number itself, and 128-bit halves have their carry.
 */
struct aggregation_value {
	const struct aggregation_layout *layout;
	const int64_t *words;
	const int64_t *cpu_words; /* of each CPU; NULL: not kept (aggregation_of_cpu()) */
	uint64_t normal;	  /* the divisor for display, never 0 */
	bool missing;		  /* another aggregation of the row has this key, this one not */
};

/* How the bytes of a key lie. */
struct key_layout {
	const struct value_field *fields;
	unsigned count;
	uint32_t size;
};

struct aggregation_row {
	const unsigned char *key;
	const struct key_layout *layout; /* of KEY; of a joined row, keys_join()'s */
	const struct aggregation_value *values;
	unsigned value_count;
};

struct aggregation_rows {
	struct aggregation_row *items;
	size_t count;
	struct arena *arena;
	struct snapshot **snapshots; /* that the items point into */
	unsigned snapshot_count;
};

/*
 * The tuples of AGGREGATIONS, sorted.  JOIN puts tuples with equal keys in one
 * row, as printa() of several wants it; otherwise each is a row of its own.
 */
MUST_CHECK struct error *consumer_rows(struct consumer *c, const uint32_t *aggregations,
				       unsigned count, bool join,
				       const struct aggregation_order *order,
				       struct aggregation_rows *ret);
void aggregation_rows_free(struct aggregation_rows *rows);

/*
 * How keys lie in joined rows of AGGREGATIONS: one may have 4 bytes for what
 * another has 8 for, or a probe's number for what another has as text.  The
 * fields are ARENA's, or the program's if all agree.
 */
struct key_layout keys_join(const struct program *p, const uint32_t *aggregations, unsigned count,
			    struct arena *arena);

/* The least ns between two readings for printa(); 0: each reads anew. */
void consumer_set_aggregation_rate(struct consumer *c, uint64_t ns);

/* V as CPU alone had it; V has cpu_words.  False: nothing was aggregated there. */
bool aggregation_of_cpu(const struct aggregation_value *v, unsigned cpu,
			struct aggregation_value *ret);

/* The number of a tuple of count, sum, avg, min, max or stddev, normalized. */
int64_t aggregation_result(const struct aggregation_value *value);
/* A histogram's count, normalized; truncated towards 0. */
int64_t count_normalized(int64_t count, uint64_t normal);

/* The name that KIND tells, one of value_kind_is_probe_name(). */
const char *probe_name_part(const struct probe_names *names, enum value_kind kind);

/*
 * Lower bounds of llquantize's buckets above the centre, *COUNT of them; free()
 * them.  The overflow bucket begins at *LIMIT.
 */
uint64_t *llquantize_bounds(const struct llquantize *ll, unsigned *count, uint64_t *limit);

/* A histogram's bucket: LEAST <= x <= MOST.  The outermost ones may have one bound only. */
struct bucket {
	int64_t least, most;
	int64_t label; /* the bound that it is known by; of the centre 0 */
	bool has_least, has_most;
	bool is_centre; /* of llquantize: |x| < factor^low */
	int64_t count;	/* not normalized */
};

/* The buckets of a histogram, from low to high; free() them. */
struct bucket *histogram_buckets(const struct aggregation_value *v, unsigned *count);

/*
 * The value below which PERCENT of all values lie (weights count).  Inside a
 * bucket values are taken to be spread evenly, and the answer never leaves the
 * bucket; of one without a bound it is the bound that there is.  llquantize's
 * centre counts as not negative unless lower buckets hold something.  False: there
 * are no values, or a weight is negative.
 */
bool histogram_percentile(const struct bucket *buckets, unsigned count, double percent,
			  int64_t *ret);

/* For aggregations that an action of the program clears, or truncates; others keep no account. */
MUST_CHECK struct error *consumer_clear(struct consumer *c, uint32_t aggregation);
/* N > 0 keeps the N greatest, N < 0 the -N least, 0 nothing. */
MUST_CHECK struct error *consumer_trunc(struct consumer *c, uint32_t aggregation, int64_t n);
void consumer_normalize(struct consumer *c, uint32_t aggregation, uint64_t normal); /* not 0 */

/* printa() showed it: not again at the end. */
void consumer_mark_printed(struct consumer *c, uint32_t aggregation);
bool consumer_was_printed(const struct consumer *c, uint32_t aggregation);

/* --- drops ------------------------------------------------------------------------------ */

enum drop_kind {
#define DROP(id, field, scope, tag, what, more) DROP_##id,
#include "consumer/drop.def"
#undef DROP
	DROP_MISSED,	 /* firings the kernel skipped (prog_missed) */
	DROP_NO_AREA,	 /* firings that an executor had no area for (control.no_area) */
	DROP_UNFINISHED, /* firings that still slept when all was printed */
	DROP_CALLERS,	 /* user stacks shown that end early: STACK_ENDS_EARLY */
	DROP_SUSPENDED, /* firings put aside whose system calls had not returned (control.suspended)
			 */
	DROP_KINDS,
};

struct drop {
	enum drop_kind kind;
	int cpu; /* -1: not told by CPU */
	/* Not NULL: told by area, and so is named this one. */
	const char *area_words;
	unsigned area;
	/* dropsby=clause: this many of what was told before were this clause's; else NULL */
	const struct clause_layout *clause;
	uint64_t count;
	uint32_t string_size; /* of DROP_TRUNCATED_STRINGS: strsize */
};

typedef void drop_visit_fn(void *arg, const struct drop *drop);

/* What was dropped since the last call.  MISSED: sum of prog_missed() of all programs. */
void consumer_drops(struct consumer *c, uint64_t missed, drop_visit_fn *visit, void *arg);

const char *drop_tag(enum drop_kind kind); /* DTRACEDROP_... */
/* `3 drops on CPU 1`, without prefix and newline; the caller frees it. */
char *drop_text(const struct drop *drop);

#endif
