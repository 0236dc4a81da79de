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

#endif
