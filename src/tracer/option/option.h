/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option - options of -x, #pragma D option, DTRACE_OPT_* and setopt()
 *
 * In:   names and values as users write them.
 * Out:  numbers, strings and lists, queried by OPTION_name.
 *
 * The rows are in option.def.  How values are written:
 *
 *   FLAG BOOL  nothing, "on", "yes", "true", "set", "enable" and numbers but 0 switch on;
 *              "off", "no", "false", "unset", "disable", 0 switch off, and so does "name="
 *   INT        a C literal without sign: 12, 0xc, 014
 *   SIZE       an INT with k, m, g or t: powers of 1024
 *   RATE       an INT with ns us ms s m h d or hz (and their long forms), nanoseconds otherwise;
 *              "hz" gives the period, so that every rate is a time
 *   TIME       the same without hz, seconds otherwise; its number is in ns, too
 *   PERCENTS   numbers from 0 to 100, separated by commas; "off" for none
 *
 * INT, SIZE, RATE and TIME accept the words of a BOOL, too, as classic DTrace does: "on" is 1,
 * "off" restores the initial value.
 *
 * Always true:
 *   1. A refused value changes nothing.
 *   2. Later settings win; lists keep all values, in order.
 *
 * To add an option: a row in option.def; who needs its value calls option_text(), option_number()
 * or option_is_set() with OPTION_name: output_settings() in tracer/go.c for the output,
 * tracer/facts.c for plan and executor.
 */
#ifndef TRACER_OPTION_OPTION_H
#define TRACER_OPTION_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPTION_VERSION_MOST 0x02000001 /* the newest D that we support, as -x version counts */

enum option {
#define OPTION(name, kind, type, initial, allowed, state, meaning) OPTION_##name,
#include "tracer/option/option.def"
#undef OPTION
	OPTION_COUNT
};

/* Who sets an option: decides which kinds of options are allowed. */
enum option_setter {
	OPTION_BY_COMMAND, /* -x and the environment */
	OPTION_BY_PROGRAM, /* #pragma D option */
	OPTION_BY_SETOPT,  /* setopt(), while tracing */
};

struct options;
struct strbuf;

struct options *options_new(void);    /* every option has its initial value */
void options_free(struct options *o); /* NULL is fine */

/*
 * Set NAME to VALUE; VALUE is NULL when there was no "=".  The result is NULL, or why not: a
 * sentence without newline, valid until the next call.
 */
const char *options_set(struct options *o, const char *name, const char *value,
			enum option_setter setter);

/* May another machine set it?  Not if its value names a file, a program or an address, or chooses a
 * program that is started. */
bool option_may_travel(enum option id);

/* The same for what another machine, or a core, says: options of the output, and none that starts a
 * program or lets bytes through that act on a terminal. */
const char *options_set_foreign(struct options *o, const char *name, const char *value);

/*
 * Every DTRACE_OPT_NAME=VALUE of ENVIRONMENT; an empty VALUE is no value.  Stops at the first
 * refused one: *VARIABLE is then its name, valid as long as the result.
 */
const char *options_set_from_environment(struct options *o, char *const *environment,
					 const char **variable);

/*
 * The settings by the command and the environment: NAME or NAME=VALUE, in order, without options
 * that affect only the command (CONTEXT).  Owned by O.
 */
const char *const *options_given(const struct options *o, size_t *count);
/* The same by #pragma D option: they come after the former. */
const char *const *options_by_program(const struct options *o, size_t *count);

/* FLAG, BOOL: 0 or 1; CHOICE: the word's place in `allowed`; TEXT, LIST: whether it is set. */
uint64_t option_number(const struct options *o, enum option id);

/* Was the requested value outside of the range? -1: lowered to the most, 1: raised to the least. */
int option_moved(const struct options *o, enum option id);

/* Why the option, which was set, has no effect here; NULL: it has an effect, or the reason is
 * unknown. */
const char *option_idle(const struct options *o, enum option id);

/* A number in the form of its value: "64k", "1000 hz"; appended to RET. */
void option_print(const struct options *o, enum option id, struct strbuf *ret);
const char *option_name(enum option id);

/* On, or set: for options where 0 differs from "not set" (cpu). */
bool option_is_set(const struct options *o, enum option id);

/* TEXT and CHOICE: owned by O, NULL when absent. */
const char *option_text(const struct options *o, enum option id);

/* LIST: owned by O, *COUNT entries. */
const char *const *option_list(const struct options *o, enum option id, size_t *count);

/* The option called NAME, or OPTION_COUNT. */
enum option option_by_name(const char *name);

/* Print a table of all options. */
void options_describe(FILE *f);

#endif
