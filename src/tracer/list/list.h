/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list - the wing of -l and -v: probes, their arguments and stability, as text or as lines of JSON
 *
 *   list.c       which probes a program means        report.c  the stability of a program
 *   arguments.c  args[] of a probe                   events.c  what a probe is on this kernel
 *   rows.c       a probe for people                  lines.c   a probe for programs
 */
#ifndef TRACER_LIST_LIST_H
#define TRACER_LIST_LIST_H

#include "output/output.h"
#include "output/writer.h"
#include "tracer/internal.h"

/* Where and how probes are listed. */
struct listing {
	FILE *f;
	struct tracer *tracer;
	unsigned verbosity;
	unsigned escapes;     /* of names: message_escapes(), which asks the kernel */
	size_t line_cells;    /* terminal_cells() */
	bool *has_heading;    /* text: it is printed */
	struct writer *lines; /* of F: probes are lines of JSON; NULL: text */
};

/* One of args[]. */
struct listed_argument {
	unsigned index;
	const char *type; /* LEN bytes */
	size_t len;
	const char *name;    /* NULL: it has none */
	const char *problem; /* why it cannot be read; NULL: it can */
};
typedef void listed_argument_fn(void *arg, const struct listed_argument *argument);

/* Call VISIT with each argument of P. */
void list_arguments_of(struct tracer *t, const struct probe *p, listed_argument_fn *visit,
		       void *arg);

/* Call VISIT with what each event of P is on the kernel of A, equal ones once. */
typedef void listed_event_fn(void *arg, const char *event);
void list_events_of(const struct arch *a, const struct probe *p, listed_event_fn *visit, void *arg);

/*
 * The row of P.  PROCESS: the one that has it, a part of the provider's name; 0: none.  IS_MISSING:
 * this kernel or process does not have it, and its note says why.
 */
void list_row(const struct listing *l, const struct probe *p, int process, bool is_missing);
void list_line(const struct listing *l, const struct probe *p, int process, bool is_missing);

/* The file and build id of P; false: P is not of every process.  The caller frees both. */
bool list_file_of(const struct probe *p, char **name, char **build_id);

/* Names that may be foreign, and the parts of a row that reports have as well. */
void print_name(FILE *f, const char *text, size_t len);
void print_attributes(FILE *f, const char *title, struct attributes a);
void print_details(FILE *f, struct tracer *t, const struct probe *p);

#endif
