/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consumer - from executors' buffers to records and aggregations
 *
 * In:   sources: the buffers, maps and counters of running programs (executor/source.h).
 * Out:  struct record, one call of the visitor each; sorted rows of
 *       aggregations; drops.
 *
 * Each area of a source (each CPU, where the kernel is the executor) fills its own buffer, so
 * writers never wait for each other.  The price is paid here: we queue the records of each area and
 * merge the queues by time (order.c).  A firing takes its time stamp first and commits its record
 * last, and it may be preempted in between.  So a round visits only records that are older than the
 * start of the previous round: a record that was in flight then has had a whole round to arrive.
 * Without `temporal` records are visited area by area straight from the buffers.
 *
 * Sources run the same clauses and are merged by number: a clause, an aggregation, a variable or
 * a probe has the same number in all of them.  Each source is read by its own layout;
 * aggregations are printed by the layout of the first source.
 *
 * A committed speculation arrives as one record and is visited record by record at its
 * time (group.c); a discarded one never arrives (runtime/speculation.c).
 *
 * Aggregations are read when they are printed (snapshot.c): areas are merged,
 * keys with the same output become one, and the values that clear() removed are
 * subtracted.  The executors' values are not reset while firings add to them
 * (except min and max without keys), so an update that races with clear() or
 * trunc() is not lost (aggregation.c, generation.c).  A word is read whole, but
 * a value of several words (avg, stddev, histograms) may be read between two
 * changes of one update: during tracing the words of such a row may differ by
 * one update; at the end they are exact.
 *
 * The rest of a copied user stack (abi/unwind.h) is put in place of the copy's number where the
 * stack is printed, and in keys before they are compared (key_shown.c).  So the many keys that
 * copies of the same stack have in the executor's map are one key here, and the same one that the
 * stack has later, when it is not copied.
 *
 * Processes that run the same code have one key for equal stacks and addresses: files and offsets
 * are compared, and the key is that of the process that we met first (ustackmerge).
 *
 * The option aggrate is the least time between two readings of an aggregation for
 * printa(): a printa() that comes sooner prints the last reading again.  The
 * default is 0: each printa() prints the current values, as classic DTrace
 * documents.  Reading a million keys takes about a second; then a rate is useful.
 * clear(), trunc() and the end always read again.
 *
 * Always true:
 *   1. A record is visited exactly once.  A damaged record is visited too,
 *      with `problem` set; its other members are not reliable.
 *   2. Records are visited by (time, source, area, arrival) if `temporal` is on; a
 *      record that needed more than a round to arrive is visited late.
 *   3. Rows do not change until aggregation_rows_free(), even if firings add to the
 *      aggregations.
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

/* The most bytes that a row takes next to its key and value until it is printed: a tuple, a place,
 * a sortable row, in lists that have just grown (snapshot.c, sort.c). */
#define CONSUMER_ROW 120

/* --- what the consumer needs to know --------------------------------------------------- */

struct probe_names {
	const char *provider, *module, *function, *name;
	const char *written; /* probefunc, where it is not the function; or NULL */
};

/* Look-up of probes and symbols.  Results are valid for the life of the consumer. */
struct consumer_names {
	void *arg;
	const struct probe_names *(*probe)(void *arg, uint32_t id); /* NULL: no such probe */
	/*
	 * The start of the symbol at ADDRESS (else ADDRESS), and the name of its
	 * module (or NULL).  TGID 0: of the kernel.  The functions may be NULL.
	 */
	uint64_t (*symbol_start)(void *arg, uint32_t tgid, uint64_t address);
	const char *(*module_name)(void *arg, uint32_t tgid, uint64_t address);
	/*
	 * How many of the COUNT words at PCS, a stack of TGID, can be frames (abi/unwind.h); the
	 * next word says how the stack ended, or the rest are words that code without frame
	 * pointers left on the stack.  May be NULL: all can be frames.
	 */
	unsigned (*stack_frames)(void *arg, uint32_t tgid, const void *pcs, unsigned count);
	/*
	 * Append to KEY what identifies the code at ADDRESS of TGID in all processes: its file and,
	 * unless FILE_ALONE, the place there.  False: nothing does.  NULL: equal stacks and
	 * addresses of different processes are different keys (ustackmerge).
	 */
	bool (*place_identity)(void *arg, uint32_t tgid, uint64_t address, bool file_alone,
			       struct strbuf *key);
	/*
	 * The words that follow the frames of the user stack whose copy has NUMBER, *COUNT of them;
	 * NULL: they are lost.  The same each time.  May be NULL: no stack is copied.
	 */
	const uint64_t *(*copied_frames)(void *arg, uint64_t number, unsigned *count);
	/*
	 * WORD, a frame of an interpreter (abi/interpreted.h), or one that was met before and
	 * prints alike.  May be NULL.
	 */
	uint64_t (*same_frame)(void *arg, uint64_t word);
	/* Append the text of VALUE, a time that TYPE has a format of (strftime()); false: TYPE has
	 * none.  May be NULL. */
	bool (*time_text)(const struct type *type, int64_t value, struct strbuf *out);
};

struct consumer_setup {
	const struct record_source
		*sources; /* at least one; the array is copied, the pointers in it are loans */
	unsigned source_count;
	uint32_t cpu_count; /* D's cpu is less */
	bool temporal;
	bool per_cpu; /* keep the values of each CPU, too (aggpercpu) */
	struct consumer_names names;
	uint64_t (*now)(void); /* the clock of record_header.time; NULL: CLOCK_MONOTONIC */
};

/* An error if the layouts of a program contradict each other, or those of another source. */
MUST_CHECK struct error *consumer_new(const struct consumer_setup *setup, struct consumer **ret);
void consumer_free(struct consumer *c); /* NULL is fine */

/* Can sources that run A and B be merged? */
bool consumer_programs_agree(const struct program *a, const struct program *b);

/* The first source's program; aggregations are printed by its layout. */
const struct program *consumer_program(const struct consumer *c);
/* That of source number SOURCE; NULL: there are fewer. */
const struct program *consumer_source_program(const struct consumer *c, unsigned source);
/* What is in place of WORD, a user stack's last word, which may have the number of a copy. */
const uint64_t *consumer_copied_frames(struct consumer *c, const uint64_t *word, unsigned *count);
uint32_t consumer_cpu_count(const struct consumer *c); /* record.cpu is less */
const struct probe_names *consumer_probe(const struct consumer *c, uint32_t id); /* or NULL */

/* --- records --------------------------------------------------------------------------- */

struct record {
	const struct record_header *header;
	uint32_t size;
	int cpu;			    /* of a damaged record: its area */
	const struct clause_layout *clause; /* its source's */
	const struct probe_names *probe;
	unsigned source;     /* its number */
	const char *problem; /* why the record is damaged; NULL: it was checked and is valid */
	const char *host;    /* the machine that has left it; NULL: this one, or all of them */
	bool is_again; /* what it does to aggregations was done, for another machine's record */
};

/* An error ends the round and is returned; the record counts as visited. */
typedef struct error *record_visit_fn(void *arg, const struct record *r);

/* One round: drain the buffers, visit the records that are old enough. */
MUST_CHECK struct error *consumer_poll(struct consumer *c, record_visit_fn *visit, void *arg);

/* Drain the buffers and visit all records, even the newest. */
MUST_CHECK struct error *consumer_flush(struct consumer *c, record_visit_fn *visit, void *arg);

/* Drain the buffers and keep the records: BEGIN's records, before other probes can fire. */
MUST_CHECK struct error *consumer_collect(struct consumer *c);
/* Visit the kept records, and no later ones. */
MUST_CHECK struct error *consumer_visit_collected(struct consumer *c, record_visit_fn *visit,
						  void *arg);

/* Records that wait for their round: poll again soon. */
size_t consumer_waiting(const struct consumer *c);

/* Check SIZE bytes of a record from AREA of a source; ret->problem: why it is damaged, or NULL. */
void record_read(const struct consumer *c, unsigned source, unsigned area, const void *data,
		 uint32_t size, struct record *ret);

static inline bool record_flag(const struct record *r, int flag)
{
	const uint64_t *flags = (const uint64_t *)(r->header + 1);
	return flag < 0 || flags[flag / 64] >> (flag % 64) & 1;
}

/* Who left R; NULL: its clause does not record it. */
static inline const struct record_thread *record_thread(const struct record *r)
{
	const unsigned char *begin = (const unsigned char *)r->header;
	bool has = r->header->kind == RECORD_DATA && r->clause->thread;
	return has ? (const struct record_thread *)(begin + r->clause->thread) : NULL;
}

/* --- aggregations (indexes are those of program.aggregations) --------------------------- */

struct aggregation_order {
	bool by_key;		 /* aggsortkey */
	bool reverse;		 /* aggsortrev */
	unsigned key_position;	 /* aggsortkeypos */
	unsigned value_position; /* aggsortpos */
};

/*
 * The merged value as plain words: as in abi/state.h, but min and max are the
 * number itself, and 128-bit halves have their carry.
 */
struct aggregation_value {
	const struct aggregation_layout *layout;
	const int64_t *words;
	const int64_t *cpu_words; /* of each CPU; NULL: not kept (aggregation_of_cpu()) */
	uint64_t normal;	  /* the divisor for display, never 0 */
	bool missing;		  /* another aggregation of the row has this key, this aggregation
				   * does not */
};

/* The layout of a key's bytes. */
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
	size_t count;
	struct sorting *sorted;
};

/*
 * The tuples of AGGREGATIONS, sorted.  JOIN puts tuples with equal keys in one row, for printa()
 * of several aggregations; otherwise each is a separate row.
 */
MUST_CHECK struct error *consumer_rows(struct consumer *c, const uint32_t *aggregations,
				       unsigned count, bool join,
				       const struct aggregation_order *order,
				       struct aggregation_rows *ret);
/* Row I, which is made now, as there may be millions; it lasts until the next call. */
const struct aggregation_row *aggregation_row_at(const struct aggregation_rows *rows, size_t i);
/* The number of rows from AT on that are of one aggregation, or joined. */
size_t aggregation_rows_alike(const struct aggregation_rows *rows, size_t at);
void aggregation_rows_free(struct aggregation_rows *rows);

/*
 * The layout of keys in joined rows of AGGREGATIONS: a field may have 4 bytes
 * in one aggregation and 8 in another, or be a probe's number in one and a
 * string in another.  The fields are ARENA's, or the program's if all agree.
 */
struct key_layout keys_join(const struct program *p, const uint32_t *aggregations, unsigned count,
			    struct arena *arena);

/* The least ns between two readings for printa(); 0: each printa() reads again. */
void consumer_set_aggregation_rate(struct consumer *c, uint64_t ns);

/* The value of V on CPU alone; V has cpu_words.  False: nothing was aggregated on this CPU. */
bool aggregation_of_cpu(const struct aggregation_value *v, unsigned cpu,
			struct aggregation_value *ret);

/* The number of a tuple of count, sum, avg, min, max or stddev, normalized. */
int64_t aggregation_result(const struct aggregation_value *value);
/* A histogram's count, normalized; truncated towards 0. */
int64_t count_normalized(int64_t count, uint64_t normal);

/* The part of the probe's name that KIND means, a kind of value_kind_is_probe_name(). */
const char *probe_name_part(const struct probe_names *names, enum value_kind kind);

/*
 * Lower bounds of llquantize's buckets above the centre, *COUNT of them; free()
 * them.  The overflow bucket begins at *LIMIT.
 */
uint64_t *llquantize_bounds(const struct llquantize *ll, unsigned *count, uint64_t *limit);

/* A histogram's bucket: LEAST <= x <= MOST.  The outermost buckets may have only one bound. */
struct bucket {
	int64_t least, most;
	int64_t label; /* the bound that names the bucket in the output; of the centre 0 */
	bool has_least, has_most;
	bool is_centre; /* of llquantize: |x| < factor^low */
	int64_t count;	/* not normalized */
};

/* The buckets of a histogram, from low to high; free() them. */
struct bucket *histogram_buckets(const struct aggregation_value *v, unsigned *count);

/*
 * The value below which PERCENT of all values are (weights included).  Values are
 * assumed to be spread evenly in a bucket.  The greatest value may be anywhere in
 * the last bucket, so there only the bucket's greatest number is known not to be
 * below it; in a bucket with one bound it is this bound.  llquantize's centre
 * counts as not negative unless lower buckets have values.
 */
enum percentile_kind {
	PERCENTILE_UNKNOWN, /* there are no values, or a weight is negative */
	PERCENTILE_VALUE,
	PERCENTILE_AT_MOST, /* at most the value */
	PERCENTILE_AT_LEAST,
};

struct percentile {
	enum percentile_kind kind;
	int64_t value;
};

struct percentile histogram_percentile(const struct bucket *buckets, unsigned count,
				       double percent);

/* Only for aggregations that an action of the program clears or truncates; others have no
 * baselines. */
MUST_CHECK struct error *consumer_clear(struct consumer *c, uint32_t aggregation);
/* N > 0 keeps the N greatest, N < 0 the -N least, 0 nothing. */
MUST_CHECK struct error *consumer_trunc(struct consumer *c, uint32_t aggregation, int64_t n);
void consumer_normalize(struct consumer *c, uint32_t aggregation, uint64_t normal); /* not 0 */

/* printa() has printed it: do not print it again at the end. */
void consumer_mark_printed(struct consumer *c, uint32_t aggregation);
bool consumer_was_printed(const struct consumer *c, uint32_t aggregation);

/* --- drops ------------------------------------------------------------------------------ */

enum drop_kind {
#define DROP(id, field, scope, tag, what, more) DROP_##id,
#include "consumer/drop.def"
#undef DROP
	DROP_MISSED,	/* firings that the kernel skipped (prog_missed) */
	DROP_UNREACHED, /* firings that reached no program (control.unreached) */
	/* results lost: no room for a note of a function that ended by a jump (abi/exit.h) */
	DROP_TAIL_CALLS,
	/* values of entries: no cell was free (abi/call.h) */
	DROP_CALLS,
	DROP_NO_AREA,	 /* firings that an executor had no area for (control.no_area) */
	DROP_RECORDS,	 /* records that their threads did not finish (control.records_lost) */
	DROP_UNFINISHED, /* firings that still slept when all was printed */
	DROP_CALLERS,	 /* printed user stacks that end early: enum stack_end */
	DROP_SUSPENDED,	 /* suspended firings: system calls did not return (control.suspended) */
	/* of printed jstack()s (output/text/interpreted.c): */
	DROP_NATIVE_STACKS,
	DROP_CUT_FRAMES,
	DROP_JIT_FRAMES,
	DROP_KINDS,
};

struct drop {
	enum drop_kind kind;
	int cpu; /* -1: not reported by CPU */
	/* Not NULL: reported by area, and these are the words for an area. */
	const char *area_words;
	unsigned area;
	/* dropsby=clause: COUNT of the drops just reported were of this clause; else NULL */
	const struct clause_layout *clause;
	uint64_t count;
	uint32_t string_size;	  /* of DROP_TRUNCATED_STRINGS: strsize */
	enum stack_end stack_end; /* of DROP_CALLERS */
};

typedef void drop_visit_fn(void *arg, const struct drop *drop);

/* The drops since the last call.  MISSED: sum of prog_missed() of all programs. */
void consumer_drops(struct consumer *c, uint64_t missed, drop_visit_fn *visit, void *arg);

const char *drop_tag(enum drop_kind kind); /* DTRACEDROP_... */
/* `3 drops on CPU 1`, without prefix and newline; the caller frees it. */
char *drop_text(const struct drop *drop);

#endif
