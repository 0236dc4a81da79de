/* SPDX-License-Identifier: BSD-2-Clause */
/* command - one run of the command: what its passes (main.c) share */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdio.h>

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
	bool is_told;			 /* how a tool is used: nothing else is done */
};

/* compile.c: the programs of the command line, before and after processes are started; the exit
 * code. */
int read_programs(struct command *c);
int compile_programs(struct command *c);

#endif
