/* SPDX-License-Identifier: BSD-2-Clause */
/* command - one run of the command: what its passes (main.c) share */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdio.h>

#include "base/base.h"
#include "cmd/arguments.h"
#include "tracer/tracer.h"

struct command {
	const struct arguments *arguments;
	struct tracer *tracer;
	FILE *output;	     /* -o, else standard output */
	bool creates_output; /* -o named no file */
	const char *output_name;
	struct tracer_program *programs; /* as many as arguments->programs */
	struct strbuf *scripts;		 /* their texts, if read from files */
	struct strbuf *paths;		 /* and the files' */
	unsigned matched;		 /* over all programs */
	bool shows_usage;		 /* how a tool is used: nothing else is done */
	const char *declarer;		 /* the program that declares options; NULL: none does */
};

/* main.c: -o, or standard output; the exit code. */
int open_output(struct command *c);

/* fleet.c: --on, --on-file and --agent; the exit code. */
int command_ask(struct command *c);
int command_serve(struct command *c);

/* compile.c: the programs of the command line, before and after processes are started; the exit
 * code. */
int read_programs(struct command *c);
int compile_programs(struct command *c);

/* fatal.c - exit codes, and the messages that end the command */

/* Exit codes. */
enum status {
	STATUS_OK = 0,
	STATUS_FATAL = 1,
	STATUS_USAGE = 2,
	/* The reader of our output is gone: main() ends by SIGPIPE, silently, as other commands of
	 * a pipeline do.  Where that signal is ignored, this is a message and STATUS_FATAL. */
	STATUS_PIPE = 141,
};

/* As message(); returns STATUS_FATAL, for `return fatal(...)`. */
int fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same for an error that came from below, maybe STATUS_PIPE; takes ERR. */
int fatal_error(struct error *err);

/* "failed to write to NAME: REASON", or STATUS_PIPE. */
int fatal_write(const char *name, int errnum);

/* show.c - pictures of saved runs */

bool saved_is_wanted(const char *word); /* WORD, the first one, is --show=FORM */
int show_saved(int argc, char **argv);	/* the exit code */

/* usage.c - output of -V and --help, and of a wrong command line */

/* To standard error; returns STATUS_USAGE. */
int usage(void);

/* --help, to standard output: the usage, and the options. */
void help(void);

/* -V to standard output; with -v: release, kernel and type data too. */
void version(unsigned verbosity);

/* script.c - the text of a -s program: a file's, or standard input's */

/* Appends the whole text of PATH ("-" and /dev/stdin: standard input) to RET. */
MUST_CHECK struct error *script_read(const char *path, struct strbuf *ret);

/* cpp.c - a script through the C preprocessor (-C) */

/*
 * Preprocess TEXT, the script PATH, by the options (cpppath, define, undef, incdir, cppargs,
 * cpphdrs, stdc).  The result keeps its line numbers by "# LINE FILE" marks.
 */
MUST_CHECK struct error *cpp_run(const struct options *o, const char *path,
				 const struct strbuf *text, struct strbuf *ret);

/*
 * tool.c - scripts that come with dtrace, by name: `dtrace -s opensnoop`
 *
 * A name without a slash that is not a file here is looked for, with ".d" unless it has that, in
 * the directories of -x tooldir=, in /etc/dtrace/toolkit, and where ours are: share/dtrace of the
 * place where dtrace is installed, or toolkit/ of the sources for a dtrace that was built there.
 */

struct options;

/*
 * The path of the script NAME is appended to RET: that of a tool, or else NAME itself.  An error
 * names the places when there is neither.
 */
MUST_CHECK struct error *tool_find(const struct options *o, const char *name, struct strbuf *ret);

/* If the script at PATH, TEXT is the tool NAME: how it is used, free() it; else NULL. */
char *tool_usage(const char *name, const char *path, const char *text);

/*
 * Options that a script declares (syntax/argument.h).  After the name of a tool, and of a script
 * that begins with #!, words are the script's own if it declares some, but for -c, -o, -p, -x and
 * -W, which stay dtrace's unless they are declared; other scripts get what follows `--`.
 *
 * WORDS are COUNT words after -s NAME, with room for one more: dtrace's come first, then `--`, then
 * the script's.  The result is their new number.
 */
unsigned tool_order_words(const struct arguments *a, const char *name, char **words,
			  unsigned count);

/* Which program declares options; words for two of them are refused. */
int tool_find_declarer(struct command *c);

/* The words that PROGRAM gets: --help is answered, wrong ones are STATUS_USAGE. */
int tool_check_words(struct command *c, const struct program_request *request,
		     const struct tracer_program *program);

/*
 * signals.c - effects of ^C, SIGTERM and a closed pipe during tracing
 *
 * SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR2 and the like
 *                   once: END runs, the rest is printed; again, half a second or more
 *                   after the first: leave at once, and report what was lost
 * SIGQUIT           leave at once, likewise
 * SIGUSR1           print the aggregations, and continue
 * SIGPIPE, SIGXFSZ  no death at once: the write fails, all is released; after SIGXFSZ the
 *                   failure is reported, after SIGPIPE we end by it
 *
 * Until the programs are loaded, nothing is traced, and those that end tracing end us at once.
 * A signal that was ignored when we started (nohup, a background job) stays ignored.
 */

struct tracer;

/* From here on SIGUSR1 goes to T, and then the others, too; T must outlive the process. */
void signals_catch_show(struct tracer *t);
void signals_catch(struct tracer *t);
/* Signals that come from now on do nothing: the tracer is about to be freed. */
void signals_forget(void);

/* A closed pipe, or a file that may not grow, makes write() fail instead of killing us. */
void signals_survive_failed_writes(void);

/* Was SIGPIPE not ignored when we started? */
bool signals_pipes_end_us(void);
/* The last call of the process. */
void signals_end_by_pipe(void);

/* boot_unit.c - the systemd unit that runs saved programs early at boot */

#define BOOT_UNIT_NAME "dtrace-anonymous.service"
#define BOOT_UNIT_PATH "/etc/systemd/system/" BOOT_UNIT_NAME

/* Is there a systemd that reads units? */
bool boot_unit_is_possible(void);
/* Write and enable the unit that runs the programs of FILE, an absolute path. */
MUST_CHECK struct error *boot_unit_write(const char *file);
/* *FOUND: there was one. */
MUST_CHECK struct error *boot_unit_remove(bool *found);

/*
 * anonymous.c - dtrace -A and -x anon: programs that an early service runs
 *
 * -A replaces the programs in a file by those just compiled, and writes a unit by which systemd
 * runs them.  With -o FILE the file is for another boot (an initial RAM disk's, say), and no unit
 * is written.
 */

/* What makes no sense with -A is refused before anything is done. */
int anonymous_check(const struct arguments *a);

/* The work of -A, after all programs were compiled. */
int anonymous_save(struct tracer *t, const struct arguments *a);

/* Is -x anon set? */
bool anonymous_is_asked(const struct tracer *t);
/*
 * T is replaced by another tracer: the one that runs the saved programs, until anon=run has left
 * it.
 */
int anonymous_control(struct tracer **t, const struct arguments *a);

/* What -a has claimed is *T from then on: another tracer, with the options that were saved. */
void anonymous_renew(struct tracer **t, char **pins);

/*
 * definition.c - dtrace -h and dtrace -G: what builds of other programs run
 *
 * Takes the command lines of the classic tool and of SystemTap's dtrace script.  Needs no
 * privileges, neither kernel nor types: there is no tracer here, only the options of the
 * preprocessor.
 */

/* Write the header or the object that A requests. */
int definition_make(const struct arguments *a);

#endif
