/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracer - the library handle and its verbs
 *
 * The only folder that knows the whole.  A command uses it in this order:
 *
 *   tracer_new, tracer_set_option ...        options; later ones win
 *   tracer_create_process, tracer_grab       -c and -p: held until tracer_go
 *   tracer_compile (one call per program)    D text -> typed clauses; mistakes to stderr
 *   tracer_list | tracer_generate | tracer_go, tracer_run
 *                                            list, only compile, or trace until the end
 *   tracer_free                              detaches and releases all
 *
 * While tracer_run() runs, code that arrives in traced processes gets its probes (rematch.c).
 * It returns when exit() was called, all -c and -p processes are gone, tracer_interrupt() was
 * called, or writing failed.
 */
#ifndef TRACER_TRACER_H
#define TRACER_TRACER_H

#include <stdio.h>

#include "base/base.h"
#include "tracer/option.h"

struct tracer;

struct tracer *tracer_new(void);
void tracer_free(struct tracer *t); /* NULL is fine */

/*
 * -x NAME[=VALUE]; VALUE NULL without "=".  The answer is NULL, or the reason
 * ("Invalid option name", with the nearest right spelling when there is one),
 * valid until the next call.
 */
const char *tracer_set_option(struct tracer *t, const char *name, const char *value);
/* Is a yes/no option on? */
bool tracer_option_is_set(const struct tracer *t, const char *name);

/* DTRACE_OPT_*; the error names the variable ("DTRACE_OPT_X: REASON"). */
MUST_CHECK struct error *tracer_set_options_from_environment(struct tracer *t);

/* All options, to read (option_number(tracer_options(t), OPTION_bufsize)). */
const struct options *tracer_options(const struct tracer *t);

/* $0, $1 ...: not copied. */
void tracer_set_args(struct tracer *t, const char *const *args, unsigned count);

MUST_CHECK struct error *tracer_create_process(struct tracer *t, const char *command);
MUST_CHECK struct error *tracer_grab(struct tracer *t, int pid);

enum program_kind {
	PROGRAM_SCRIPT,	  /* -s */
	PROGRAM_NAME,	  /* -n */
	PROGRAM_FUNCTION, /* -f */
	PROGRAM_MODULE,	  /* -m */
	PROGRAM_PROVIDER, /* -P */
	PROGRAM_ID,	  /* -i */
};

struct tracer_program {
	enum program_kind kind;
	const char *name; /* file name, or the specifier itself; outlives the tracer */
	const char *text; /* outlives the tracer */
	size_t len;
	unsigned matched; /* out: (probe, clause) pairs */
};

/* How much of the name tells what it is about: a specifier's probe descriptions, without clauses.
 */
size_t tracer_program_title(const struct tracer_program *program);

/* False: it has mistakes; they were printed to stderr, framed as the kind of program asks. */
MUST_CHECK bool tracer_compile(struct tracer *t, struct tracer_program *program);

/* -l: header and rows to F; verbose: attributes and arguments too. */
MUST_CHECK struct error *tracer_list(struct tracer *t, FILE *f, unsigned verbosity);

/* -v: stability report of PROGRAM to F; if it is ONLY_COMPILED, its probes' arguments, too. */
void tracer_report(struct tracer *t, FILE *f, const struct tracer_program *program,
		   bool only_compiled);
/* The same of all programs, of those claimed too, as they are when they are enabled. */
void tracer_report_all(struct tracer *t, FILE *f);

/* -S, -xdump=...: asked for before tracer_go; printed to stderr while compiling. */

/* Output goes to FD from now on (default: standard output); NAME is for messages. */
void tracer_set_output(struct tracer *t, int fd, const char *name);

/* Generate the code of all that was compiled; -S prints it.  All that -e does. */
MUST_CHECK struct error *tracer_generate(struct tracer *t);

/* Generate code unless that was done; load, attach, run BEGIN, let the processes go. */
MUST_CHECK struct error *tracer_go(struct tracer *t);

/* Until the end; then END and what is left to print.  *STATUS: exit()'s value, else 0. */
MUST_CHECK struct error *tracer_run(struct tracer *t, int *status);

/*
 * Anonymous tracing: programs are saved as text, run by somebody who pins them and leaves, and
 * claimed by somebody who reads what they have recorded (anonymous.c).
 */
/* What was compiled, its options, arguments and macros, to RET (saved.h).  An error if it has
 * probes of processes, or cannot be enabled. */
MUST_CHECK struct error *tracer_save(struct tracer *t, struct strbuf *ret);
/* The lines of a file of tracer_save() that are not its, to RET.  *FOUND: were there any of its?
 * An error, if the file is none. */
MUST_CHECK struct error *tracer_prune_saved(const struct strbuf *text, struct strbuf *ret,
					    bool *found);
/* Instead of compiling, tracer_go() and tracer_run(): start what was saved and leave it running,
 * pinned in the folder PINS.  T is fresh; T's options become those that were saved. */
MUST_CHECK struct error *tracer_leave(struct tracer *t, const struct strbuf *saved,
				      const char *pins);
/* Instead of compiling and tracer_go(): claim what runs there; it ends with T.  T is fresh. */
MUST_CHECK struct error *tracer_claim(struct tracer *t, const char *pins);
/* Have tracer_run() print what is there, and end. */
void tracer_finish(struct tracer *t);
/* End what runs there, if anything, and forget what it has recorded. */
MUST_CHECK struct error *tracer_stop_anonymous(const char *pins, bool *found);

/* From a signal handler: print the aggregations as they are, in the next round; go on. */
void tracer_show_now(struct tracer *t);

/* What we found this kernel to have, in words, to F. */
void tracer_describe_kernel(FILE *f);

/*
 * From a signal handler that no other interrupts: end tracing in order; AT_ONCE, or half a second
 * or more after the first time: leave, and report what is thereby lost.
 */
void tracer_interrupt(struct tracer *t, bool at_once);

#endif
