/* SPDX-License-Identifier: BSD-2-Clause */
/* anonymous - programs as text, for those who read what they leave later; see anonymous.c */
#ifndef TRACER_ANONYMOUS_ANONYMOUS_H
#define TRACER_ANONYMOUS_ANONYMOUS_H

#include "tracer/anonymous/saved.h"
#include "tracer/internal.h"

/*
 * The compiled programs of T, their options, arguments and macros (saved.h).  IS_COMPILED: nobody
 * compiles them again, so the options that they set are options, too.
 */
MUST_CHECK struct error *anonymous_write(const struct tracer *t, bool is_compiled,
					 struct strbuf *ret);
/* The options, arguments and macros of T; TRAVELS: to another machine, only options that may. */
void anonymous_write_environment(const struct tracer *t, bool travels, struct strbuf *ret);
/* A program that may not be compiled here. */
MUST_CHECK struct error *anonymous_write_program(const struct tracer_program *p,
						 struct strbuf *ret);
/* Set the options, arguments and macros that TEXT has, and compile its programs.  IS_FOREIGN:
 * another machine has sent it. */
MUST_CHECK struct error *anonymous_restore(struct tracer *t, const char *text, size_t len,
					   bool is_foreign);

#endif
