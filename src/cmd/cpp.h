/* SPDX-License-Identifier: BSD-2-Clause */
/* cpp - a script through the C preprocessor (-C) */
#ifndef CMD_CPP_H
#define CMD_CPP_H

#include "base/base.h"
#include "tracer/tracer.h"

/*
 * Preprocess TEXT, the script PATH, by the options (cpppath, define, undef, incdir, cppargs,
 * cpphdrs, stdc).  The result keeps its line numbers by "# LINE FILE" marks.
 */
MUST_CHECK struct error *cpp_run(const struct options *o, const char *path,
				 const struct strbuf *text, struct strbuf *ret);

#endif
