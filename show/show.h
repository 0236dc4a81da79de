/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show - programs that draw what dtrace writes for programs
 *
 * In:   the lines of `-x oformat=json` or `stream` (docs/json.md), from standard input or a file.
 * Out:  a document on standard output.
 *
 * Each form is a program of its own: FORM.c, linked with the files that all forms share.  dtrace
 * starts the program of `-x oformat=FORM` (src/tracer/reader/) or of `--show=FORM`, and nothing
 * of it is linked into dtrace.  It runs as nobody, and has no more than its standard descriptors;
 * one on the terminal has the pipe of messages, too, and one that is scraped its socket.
 *
 *   main.c    command line
 *   show.c    each line of the stream to the form; notes
 *   stream.c  bytes to lines
 *   names.c   what numbers of a stream stand for
 *   value.c   values of lines: integers, text, names of frames
 *   frames.c  the functions of a call stack
 *   tree.c    call stacks, merged to a tree whose nodes have weights
 *   place.c   their files, lines and addresses
 *   stacks.c  aggregations and records with stacks to trees
 *   histogram.c  printings of a histogram to windows of time
 *   flame.c, map.c  the pictures of both
 *   svg.c     what the pictures have in common; xml.c: text in XML
 *   request.c  what a live form requests of dtrace
 *   json.c, folded.c, flamegraph.c, speedscope.c, heatmap.c, html/, csv/, pprof/, timeline/,
 *   openmetrics/, otlp/
 *                                                        the forms; live: top/, openmetrics/,
 *                                                        otlp/
 *
 * Always true:
 *   1. The input is foreign.  Whatever it contains, a form ends with a document or with a message;
 *      memory is bounded by the input, and no text of it acts in the document.
 *   2. What is missing in the stream, and what is not drawn, is a note: on standard error, and in
 *      the document if it has a place for it.
 *   3. Nothing is written before the end of the stream: a document is whole, or it is empty.  A
 *      form that is live writes no document.
 *
 * To add a form: a file FORM.c, or a folder FORM/ of files, that defines `form`, its name in the
 * row oformat of option.def, a test in tests/golden/show/, a section of docs/guide/pictures.md.
 */
#ifndef SHOW_SHOW_H
#define SHOW_SHOW_H

#include <json-c/json.h>

#include "base/base.h"

/* What a form draws from.  It has a place in the memory of main(). */
struct show {
	const struct form *form;
	const char *wanted; /* aggregation that is to be drawn, without @; NULL: what fits */
	VECTOR(const char *) labels; /* "[@NAME=]LABEL,LABEL", of metrics */
	size_t series_most;	     /* of a metric; 0: as many as usual */
	const char *endpoint;	     /* of otlp; NULL: none */
	uint64_t push_ns;	     /* how often; 0: as usual */
	VECTOR(char *) notes;
	struct json_object *start; /* the line of the last run; NULL: there is none */
	char *command;	     /* the command line, for people; NULL: the stream does not say it */
	int64_t wall_offset; /* time + wall_offset: ns since 1970 */
	uint64_t first_time, last_time; /* of all lines of the run; 0: none has a time */
	uint64_t drops, cuts, errors; /* lost data; truncated stacks and strings; aborted clauses */
	uint64_t runs; /* a file to which several runs were appended has more than one */
	bool is_ended; /* the last run has its last line */
	void *state;   /* of the form */
};

struct form {
	const char *name;
	void (*begin)(struct show *s);
	/* TYPE is the line's type; LINE is valid during the call. */
	void (*line)(struct show *s, const char *type, struct json_object *line);
	/* The document for the end of the stream.  An error: there is nothing to draw. */
	struct error *(*end)(struct show *s, FILE *out);
	/*
	 * NULL, or of a form that is live: more of the stream is about to be read from FD.  It
	 * returns when there is some; meanwhile it does what else is to be done.
	 */
	void (*wait)(struct show *s, int fd);
};

/* Defined by the file of the form. */
extern const struct form form;

/*
 * Draw the lines of FD to OUT, as S->form does.  The notes are in S, which show_deinit() frees,
 * also after an error.
 */
MUST_CHECK struct error *show_draw(struct show *s, int fd, FILE *out);
void show_deinit(struct show *s);

/* May the aggregation NAME be drawn?  One of those of VALUES, of a row? */
bool show_is_wanted(const struct show *s, const char *name);
bool show_wants_any(const struct show *s, struct json_object *values);

/*
 * What the first line says of the aggregation NAME (docs/json.md, "What will come"); NULL: nothing.
 */
struct json_object *show_aggregation(const struct show *s, const char *name);

/*
 * "@a[execname] = sum(arg0) in bytes", "@a = sum()" if the stream does not say more; "_" is the
 * aggregation without a name.  The caller frees it.
 */
char *show_title(const struct show *s, const char *name, const char *function);

/* A unit of values, and its base unit. */
struct show_unit {
	const char *name, *word; /* "ns", "nanoseconds" */
	const char *base;	 /* "seconds" */
	double parts;		 /* in one of the base unit */
};

/* Of the values of the aggregation NAME; NULL: it is unknown, or not one of time or size. */
const struct show_unit *show_unit(const struct show *s, const char *name);

/* The expression of key PLACE of the aggregation NAME, added to RET.  False: it is not known. */
bool show_key_name(const struct show *s, const char *name, size_t place, struct strbuf *ret);

/* A sentence for the reader of the document. */
void show_note(struct show *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
