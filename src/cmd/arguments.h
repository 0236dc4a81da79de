/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arguments - the command line, parsed
 *
 * In:   argv.
 * Out:  struct arguments: what to do, and three queues (options, processes,
 *       programs) that main.c processes in this order.
 *
 * The letters are in letter.def.  Most of them mean a -x option and become
 * one, so that "-b 1m -xbufsize=2m" is processed in the written order.
 *
 * Always true: all texts point into argv or live as long as the arguments.
 */
#ifndef CMD_ARGUMENTS_H
#define CMD_ARGUMENTS_H

#include "base/base.h"
#include "tracer/tracer.h"

enum mode {
	MODE_TRACE,
	MODE_LIST = 'l',
	MODE_VERSION = 'V',
	MODE_HELP = '?', /* --help */
	MODE_LINK = 'G',
	MODE_HEADER = 'h',
	MODE_ANONYMOUS = 'A',
};

/* "-LETTER VALUE", or "-x NAME=VALUE" with LETTER 'x'. */
struct setting {
	char letter;
	const char *name;  /* of the option */
	const char *value; /* NULL: none was given */
};

struct process_request {
	char letter; /* of c, p, W, whose argument TEXT is */
	const char *text;
};

struct fleet_request {
	bool is_file;
	const char *text; /* hosts, or the file that has them */
};

struct program_request {
	enum program_kind kind;
	const char *text; /* a file's name with -s, otherwise the program itself */
};

struct arguments {
	enum mode mode;
	bool compile_only;		    /* -e */
	bool buffered;			    /* -B */
	bool data_model_32;		    /* -32 came last */
	unsigned verbosity;		    /* number of -v */
	const char *output;		    /* -o, or NULL */
	const char *core;		    /* --core, or NULL */
	bool is_agent;			    /* --agent */
	VECTOR(struct fleet_request) fleet; /* --on, --on-file */
	VECTOR(struct setting) settings;
	VECTOR(struct process_request) processes;
	VECTOR(struct program_request) programs;
	VECTOR(const char *) words; /* $0, $1 ... */
	VECTOR(char *) owned;	    /* texts that are not argv's */
};

/* False: the command line is wrong; the reason and the usage were printed. */
MUST_CHECK bool arguments_parse(struct arguments *a, int argc, char **argv);
void arguments_deinit(struct arguments *a);

#endif
