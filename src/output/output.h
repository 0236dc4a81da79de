/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * output - records to text, for people or for programs
 *
 * In:   the consumer's records, rows of aggregations, drops.
 * Out:  bytes on a descriptor (default: standard output); messages on another.
 *
 * output_record() walks the actions of a record.  Those that act on the
 * consumer (clear, trunc, normalize, exit) or on us (freopen, setopt ...) are
 * done right there, in the record's place among all others.  Those that show
 * something go to a form of output, struct output_ops: text.c is one, json.c
 * and buffered.c others; a further one is a table of the same functions.
 *
 * Formats are parsed once, when the output is made (printf.c), because a million records a second
 * pass here.
 *
 * Always true (output_verify(), as far as it says so; tests/golden and tests/trace compare text):
 *   1. The text is that of the classic dtrace, byte for byte; JSON follows
 * docs/schema/dtrace-output.schema.json, and has all data of the text.
 *   2. Output comes before the messages about what followed it: our buffer is
 *      written out before each message.
 *   3. The first error of writing is kept, returned by every later call, and nothing more is
 * written.  error_errno() EPIPE: the reader is gone.
 *
 * To add an action that shows something: a case in text_action().
 * To add a line of JSON: output/json/, docs/schema/dtrace-output.schema.json, docs/json.md.
 * To add a form: a table of functions like output_json_ops, a word of the option oformat.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include <signal.h>

#include "abi/abi.h"
#include "base/base.h"
#include "consumer/consumer.h"

struct output;
struct symbols;
struct types;
struct writer;

#define PERCENTILES_MAX 16

struct percentiles {
	unsigned count;
	double items[PERCENTILES_MAX];
};

/* TEXT is like "50,90,99.9": at most 16 numbers from 0 to 100. */
MUST_CHECK bool percentiles_parse(const char *text, struct percentiles *ret);

struct output_options {
	bool quiet;
	bool flowindent;
	bool rawbytes;
	bool rawterminal; /* control characters of others' text reach a terminal */
	bool droptags;
	bool testing; /* no CPU and no id, which differ from run to run */
	bool noresolve;
	bool enumnames;	  /* enumerators in the place of their numbers */
	bool ustacklines; /* frames of user stacks have their places in the source */
	bool agghist, aggpack, aggzoom;
	bool utf8; /* aggpack may use block characters */
	struct percentiles percentiles;
	uint32_t printsize; /* bytes that print() shows; 0: all that were recorded */
	int stackindent;
	struct aggregation_order order;
};

enum row_part {
	ROW_KEY = 1,
	ROW_VALUE = 2,
	ROW_FORMAT = 4, /* by printa()'s format */
	ROW_LAST = 8,	/* nothing of the row comes after it */
};

/*
 * A form of output: one function for each thing to show.  DATA is o's.  Those
 * marked * may be NULL.
 */
struct output_ops {
	void (*start)(struct output *o); /* * tracing begins */
	void (*begin)(struct output *o); /* * before the first record */
	void (*record_begin)(struct output *o, const struct record *r);
	void (*action)(struct output *o, const struct record *r,
		       const struct action_layout *action);
	/* An action without output (clear(), system() ...) was carried out. */
	void (*acted)(struct output *o, const struct record *r, const struct action_layout *action);
	void (*record_end)(struct output *o, const struct record *r);
	/* ACTION (and R) NULL: at the end of tracing. */
	void (*aggregations)(struct output *o, const struct record *r,
			     const struct action_layout *action,
			     const struct aggregation_rows *rows);
	/*
	 * * Called by rows_print() and rows_printf() when PARTS (enum row_part) of a row of
	 * AGGREGATION have been shown; KEY: which key, NULL: not one of them.
	 */
	void (*row_part)(struct output *o, const struct aggregation_layout *aggregation,
			 const struct value_field *key, unsigned parts);
	void (*drop)(struct output *o, const struct drop *drop);
	void (*fault)(struct output *o, const struct record *r, const struct record_fault *fault);
	/* R is damaged (r->problem), or one of its actions failed on our side. */
	void (*problem)(struct output *o, const struct record *r, const char *text);
	void (*puts)(struct output *o, const char *text); /* * of the caller's */
	void (*end)(struct output *o); /* * tracing has stopped; before the last aggregations */
	void (*exit)(struct output *o, int status); /* nothing comes after this */
	void (*free)(struct output *o);		    /* * o->form */
};

extern const struct output_ops output_text_ops;	    /* for people */
extern const struct output_ops output_json_ops;	    /* for programs: docs/json.md */
extern const struct output_ops output_stream_ops;   /* the same, what comes often in numbers */
extern const struct output_ops output_buffered_ops; /* -B: text as calls of a buffer handler */

/* Expressions as the D program has them, blanks made one. */
struct about_values {
	const char *const *texts;
	unsigned count;
};

struct about_program {
	const char *file; /* NULL: the text is of the command line */
	const char *text;
};

struct about_clause {
	unsigned program; /* its number, from 1; 0: it is of none */
	unsigned probes;
	uint32_t probe;			    /* its number, if there is one alone; else 0 */
	const struct about_values *actions; /* as many as its layout has */
};

struct about_aggregation {
	struct about_values key, key_types;
	const char *value, *value_type; /* NULL: it has none, or none is known */
	const char *unit;		/* of its values; NULL: it is not known */
	bool is_cleared;		/* by some clause */
};

/* What the D programs say of what they record.  All of it is the caller's, and outlives us. */
struct output_about {
	const struct about_program *programs;
	unsigned program_count;
	struct about_values options; /* "NAME" or "NAME=VALUE" */
	struct about_values pairs;   /* descriptions: where something begins, where it ends */
	const int *pids;	     /* of -c and -p */
	unsigned pid_count;
	unsigned clause_count;
	const struct about_clause *clauses; /* by clause, and by aggregation, of the program */
	const struct about_aggregation *aggregations;
};

struct output_setup {
	struct consumer *consumer;
	struct symbols *symbols;		 /* NULL: addresses are shown as numbers */
	struct code_names *code_names;		 /* NULL: no stack has frames of interpreters */
	struct types *types;			 /* for print(); NULL: it shows nothing */
	uint32_t target;			 /* tgid of $target, for %A of numbers; 0: none */
	int fd;					 /* stays the caller's */
	const char *fd_name;			 /* for messages: "<stdout>" */
	int message_fd;				 /* standard error */
	int command_fd;				 /* standard output of system(); 0: ours */
	const volatile sig_atomic_t *interrupts; /* see writer.h; may be NULL */
	struct output_options options;
	const struct output_about *about; /* NULL: nothing is known */
	int64_t wall_offset; /* to UTC, of the clock of records; 0: as of this machine now */
	uint64_t began;	 /* when values of aggregations began, ns of CLOCK_MONOTONIC; 0: unknown */
	bool is_foreign; /* nothing that records would do here is done: commands, files */
	bool shows_cleared;	      /* rows are shown before clear() and trunc() empty them */
	bool has_texts;		      /* of a stream: what a format makes of values is there, too */
	const struct output_ops *ops; /* NULL: text */
	bool verify;		      /* lines of JSON, for output_verify(), also if not VERIFIES */
	/* setopt(): NULL, or the reason why not.  The function may be NULL. */
	const char *(*set_option)(void *arg, const char *name, const char *value);
	bool is_elsewhere; /* records are other machines', and commands were run there */
	/* Records go there; nothing is done here but system().  May be NULL. */
	struct error *(*record)(void *arg, const struct record *r);
	/* A round has been written.  May be NULL. */
	void (*flush)(void *arg);
	/* While system() waits for its command: do what tracing needs now.  May be NULL. */
	struct error *(*go_on)(void *arg);
	void *arg;
};

/* Fails when a format of the program cannot be read. */
MUST_CHECK struct error *output_new(const struct output_setup *setup, struct output **ret);
void output_free(struct output *o); /* NULL is fine; does not flush */

/*
 * The false statement of "Always true", or NULL: lines of JSON that are not an object each,
 * messages before the output that precedes them, output after an error.  Called by output_flush()
 * if VERIFIES (base/base.h), and in all unit tests; lines are only looked at if VERIFIES or
 * setup.verify.
 */
MUST_CHECK struct error *output_verify(const struct output *o);

/* May be changed at any time. */
struct output_options *output_options(struct output *o);

/* Tracing begins: what the form says at once; flushes. */
MUST_CHECK struct error *output_start(struct output *o);

/* A record_visit_fn: consumer_poll(c, output_record, o). */
MUST_CHECK struct error *output_record(void *output, const struct record *r);

/* A record_visit_fn that shows nothing: R is counted as lost.  An error when that were many. */
#define OUTPUT_SKIPPED_MAX 1000000
MUST_CHECK struct error *output_skip(void *output, const struct record *r);

/*
 * Nothing more is written to the output.  *RECORDS: that were skipped; *BYTES: of others that were
 * not written.
 */
void output_abandon(struct output *o, uint64_t *records, uint64_t *bytes);

/* A drop_visit_fn. */
void output_drop(void *output, const struct drop *drop);

/* Write the buffered output; once a round. */
MUST_CHECK struct error *output_flush(struct output *o);

/* The caller's text, in its place: the newline after ^C.  Forms without it (JSON) leave it out. */
void output_puts(struct output *o, const char *text);

/* What output_end() would show of aggregations, now; nothing is thereby printed for good. */
MUST_CHECK struct error *output_show(struct output *o);

/* The newline that ends tracing, then (if requested) aggregations that printa() has not shown;
 * flushes. */
MUST_CHECK struct error *output_end(struct output *o, bool aggregations);

/* All went well, and this is how it ended; flushes. */
MUST_CHECK struct error *output_exit(struct output *o, int status);

/* What consumer_names needs to know about addresses. */
uint64_t output_symbol_start(struct symbols *s, uint32_t tgid, uint64_t address);
unsigned output_stack_frames(struct symbols *s, uint32_t tgid, const void *pcs, unsigned count);
const char *output_module_name(struct symbols *s, uint32_t tgid, uint64_t address);
/* Append the text of VALUE, a time that TYPE has a format of; false: TYPE has none. */
bool output_time_text(const struct type *type, int64_t value, struct strbuf *out);
bool output_place_identity(struct symbols *s, uint32_t tgid, uint64_t address, bool file_alone,
			   struct strbuf *ret);

#endif
