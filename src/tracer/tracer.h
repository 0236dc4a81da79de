/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tracer - the library handle and its verbs
 *
 * The only folder that knows the whole.  A command uses it in this order:
 *
 *   tracer_new, tracer_set_option ...        options; later ones win
 *   tracer_create_process, tracer_grab       -c: held until tracer_go; -p: only watched
 *   tracer_compile (one call per program)    D text -> typed clauses; mistakes to stderr
 *   tracer_list | tracer_generate | tracer_prepare, tracer_go, tracer_run
 *                                            list, only compile, or trace until the end
 *   tracer_free                              detaches and releases all
 *
 * While tracer_run() runs, code that arrives in traced processes gets its probes
 * (live/rematch.c).  It returns when exit() was called, all -c and -p processes are gone,
 * tracer_interrupt() was called, or writing failed.
 *
 * Always true:
 *   1. No clause runs before tracer_go() or tracer_claim(), nor after tracer_free(), except those
 *      that tracer_leave() has pinned.
 *   2. Mistakes in a program are printed, and tracer_compile() returns false; a struct error is
 *      about the machine, an option, or the caller's files.
 */
#ifndef TRACER_TRACER_H
#define TRACER_TRACER_H

#include <stdio.h>

#include "base/base.h"
#include "tracer/option/option.h"

struct tracer;

struct tracer *tracer_new(void);
void tracer_free(struct tracer *t); /* NULL is fine */

/*
 * -x NAME[=VALUE]; VALUE NULL without "=".  The result is NULL, or why not
 * ("Invalid option name", with the nearest valid spelling if there is one),
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
/* PROGRAM, a name for messages, declares options: others have no $1, $2 ... */
void tracer_args_are_of(struct tracer *t, const char *program);

/*
 * If PROGRAMS have probes of every process, programs that the -c command starts may wait for these
 * probes (<dtrace/wait.h>).
 */
struct tracer_program;
void tracer_announce(struct tracer *t, const struct tracer_program *programs, size_t count);
/* The same for programs that system() starts, by all that was compiled. */
void tracer_announce_compiled(struct tracer *t);

MUST_CHECK struct error *tracer_create_process(struct tracer *t, const char *command);
MUST_CHECK struct error *tracer_grab(struct tracer *t, int pid);
/* Wait for the next process that executes the program NAME, which is held until tracer_go(). */
MUST_CHECK struct error *tracer_await_process(struct tracer *t, const char *name);

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

/* The length of the title in the name: a specifier's probe descriptions, without clauses. */
size_t tracer_program_title(const struct tracer_program *program);

/* False: the program has mistakes; they were printed to stderr, in the form for the kind of
 * program. */
MUST_CHECK bool tracer_compile(struct tracer *t, struct tracer_program *program);

/* Before tracer_compile(): probes are only listed. */
void tracer_only_list(struct tracer *t);
/* -l: header and rows to F; verbose: attributes and arguments too. */
MUST_CHECK struct error *tracer_list(struct tracer *t, FILE *f, unsigned verbosity);

/* -x provcheck: print to F what each probe of the providers as data is on the kernel that the
 * folder describes.  *RIGHT: no formula has a mistake. */
MUST_CHECK struct error *tracer_check_providers(struct tracer *t, FILE *f, bool *right);

/* -v: stability report of PROGRAM to F; if it is ONLY_COMPILED, its probes' arguments, too. */
void tracer_report(struct tracer *t, FILE *f, const struct tracer_program *program,
		   bool only_compiled);
/* -v: who runs which clause and why, once programs are prepared; nothing if the kernel runs all. */
void tracer_report_executors(struct tracer *t, FILE *f);
/* The same for all programs, including claimed ones, in the state of their enabling. */
void tracer_report_all(struct tracer *t, FILE *f);

/* Output goes to FD from now on (default: standard output); NAME is for messages. */
void tracer_set_output(struct tracer *t, int fd, const char *name);

/* Generate the code of all compiled programs; -S prints it.  This is all that -e does. */
MUST_CHECK struct error *tracer_generate(struct tracer *t);

/*
 * Generate code unless it was done, and load it, for which the kernel may need seconds (20,000
 * clauses).  Nothing is attached yet, so dtrace may be killed now without leaving anything
 * attached.
 */
MUST_CHECK struct error *tracer_prepare(struct tracer *t);
/* Prepare unless it was done; attach, run BEGIN, release the processes. */
MUST_CHECK struct error *tracer_go(struct tracer *t);

/* Trace until the end; then run END and print the remaining data.  *STATUS: exit()'s value, else
 * 0. */
MUST_CHECK struct error *tracer_run(struct tracer *t, int *status);

/*
 * Anonymous tracing: programs are saved as text; one process runs and pins them and exits;
 * another claims them and reads their records (anonymous/anonymous.c).
 */
/* Write the compiled programs, their options, arguments and macros to RET
 * (anonymous/saved.h).  An error if they have probes of processes, or cannot be enabled. */
MUST_CHECK struct error *tracer_save(struct tracer *t, struct strbuf *ret);
/* Copy to RET those lines of a saved file, TEXT, that are not tracer_save()'s.  *FOUND: were there
 * lines of tracer_save()?  An error if the file is not of this form. */
MUST_CHECK struct error *tracer_prune_saved(const struct strbuf *text, struct strbuf *ret,
					    bool *found);
/* Instead of compiling, tracer_go() and tracer_run(): start the SAVED programs and leave them
 * running, pinned in the folder PINS.  T is new; T's options become the saved ones. */
MUST_CHECK struct error *tracer_leave(struct tracer *t, const struct strbuf *saved,
				      const char *pins);
/* Instead of compiling and tracer_go(): claim the programs pinned in PINS; they end with T.  T is
 * new. */
MUST_CHECK struct error *tracer_claim(struct tracer *t, const char *pins);
/* Let tracer_run() print the present data, and end. */
void tracer_finish(struct tracer *t);
/* End the programs pinned there, if any, and discard their records. */
MUST_CHECK struct error *tracer_stop_anonymous(const char *pins, bool *found);

/*
 * Instead of compiling, tracer_go() and tracer_run(): print what a process has recorded
 * (postmortem/postmortem.c).  WHICH: the path of its core, or its number.  T is new.  *STATUS:
 * exit()'s value, else 0.
 */
MUST_CHECK struct error *tracer_core(struct tracer *t, const char *which, int *status);

/*
 * One program on many machines (fleet/fleet.h).  Instead of compiling, tracer_go() and
 * tracer_run(): T is new.  *STATUS: exit()'s value, 3 if not all hosts have answered, else 0.
 */
struct fleet_host {
	const char *name;    /* "." is this machine */
	const char *command; /* its transport; NULL: that of -x via */
};
MUST_CHECK struct error *tracer_ask(struct tracer *t, const struct fleet_host *hosts,
				    size_t host_count, const struct tracer_program *programs,
				    size_t count, int *status);
/* The other side: the programs come on standard input.  DESTROYS: destructive actions are allowed
 * if the asker allows them, too. */
MUST_CHECK struct error *tracer_serve(struct tracer *t, bool destroys, int *status);

/* From a signal handler: print the aggregations in the next round, and continue. */
void tracer_show_now(struct tracer *t);

/* Print the features found in this kernel to F. */
void tracer_describe_kernel(FILE *f);

/*
 * Draw a saved run: the lines of JSON that INPUT gives, as OPTIONS (oformat, show ...) say, to the
 * file at OUTPUT; NULL: to standard output.
 */
MUST_CHECK struct error *tracer_show(const struct options *options, int input, const char *output);

/*
 * From a signal handler that no other interrupts: end tracing in order; AT_ONCE, or half a second
 * or more after the first call: stop at once, and report the losses.
 */
void tracer_interrupt(struct tracer *t, bool at_once);

#endif
