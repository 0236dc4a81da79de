/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option - what -x, #pragma D option, DTRACE_OPT_* and setopt() set
 *
 * In:   names and values as users write them.
 * Out:  numbers, texts and lists, asked for by OPTION_name.
 *
 * The rows are in option.def.  How values are written:
 *
 *   FLAG BOOL  nothing, "on", "yes", "true", "set", "enable" and numbers but 0 switch on;
 *              "off", "no", "false", "unset", "disable", 0 switch off, and so does "name="
 *   INT        a C literal without sign: 12, 0xc, 014
 *   SIZE       an INT with k, m, g or t: powers of 1024
 *   RATE       an INT with ns us ms s m h d or hz (and their long forms), nanoseconds otherwise;
 *              "hz" gives the period, so that every rate is a time
 *
 *   PERCENTS   numbers from 0 to 100, separated by commas; "off" for none
 *
 * INT, SIZE and RATE take the words of a BOOL too, as classic DTrace does: "on" is 1, "off" brings
 * the initial value back.
 *
 * Always true:
 *   1. A refused value changes nothing.
 *   2. Later settings win; lists keep all values, in order.
 *
 * To add an option: a row in option.def.
 */
#ifndef TRACER_OPTION_H
#define TRACER_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define OPTION_VERSION_MOST 0x02000001 /* the newest D that we know, as -x version counts */

enum option {
#define OPTION(name, kind, type, initial, allowed, state, meaning) OPTION_##name,
#include "tracer/option.def"
#undef OPTION
	OPTION_COUNT
};

/* Who sets it: decides which kinds of options are allowed. */
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
 * Set NAME to VALUE; VALUE is NULL when there was no "=".  The answer is NULL, or why not: a
 * sentence without end of line, valid until the next call.
 */
const char *options_set(struct options *o, const char *name, const char *value,
			enum option_setter setter);

/*
 * Every DTRACE_OPT_NAME=VALUE of ENVIRONMENT; an empty VALUE is no value.  Stops at the first
 * refused one: *VARIABLE is then its name, valid as long as the answer.
 */
const char *options_set_from_environment(struct options *o, char *const *environment,
					 const char **variable);

/*
 * What options_set() was given by the command and the environment: NAME or NAME=VALUE, in order,
 * without options that act on the command alone (CONTEXT).  Owned by O.
 */
const char *const *options_given(const struct options *o, size_t *count);

/* FLAG, BOOL: 0 or 1; CHOICE: the word's place in `allowed`; TEXT, LIST: whether there is one. */
uint64_t option_number(const struct options *o, enum option id);

/* Was what somebody asked for outside of what there is?  -1: lowered to the most, 1: raised. */
int option_moved(const struct options *o, enum option id);

/* Why the option, which somebody set, has no effect here; NULL: it has, or it is not said. */
const char *option_idle(const struct options *o, enum option id);

/* A number as its user would write it: "64k", "1000 hz"; into RET. */
void option_print(const struct options *o, enum option id, struct strbuf *ret);
const char *option_name(enum option id);

/* On, or set by somebody: for options whose 0 differs from "not given" (cpu). */
bool option_is_set(const struct options *o, enum option id);

/* TEXT and CHOICE: owned by O, NULL when absent. */
const char *option_text(const struct options *o, enum option id);

/* LIST: owned by O, *COUNT entries. */
const char *const *option_list(const struct options *o, enum option id, size_t *count);

/* The option called NAME, or OPTION_COUNT. */
enum option option_by_name(const char *name);

/* A table of all options for people. */
void options_describe(FILE *f);

#endif
