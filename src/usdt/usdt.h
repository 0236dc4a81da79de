/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt - static probes in programs that are being built: definition files to headers and objects
 *
 * In:   definition files (D): providers, the parameters of their probes, types.
 * Out:  a C header with a macro for each probe (dtrace -h), an ELF object (dtrace -G).
 *
 * The sites themselves are <dtrace/sdt.h>'s (include/): a nop, and a note of SystemTap's format
 * that every tracer of Linux reads.  The header adds what the definition knows: each argument is
 * cast to its declared type, so that the note has the declared size and sign, and the section
 * .note.dtrace (object/note/dtrace_note.h) has types, names and stability for dtrace.
 *
 * A definition is checked as it is written, without types: no kernel, no BTF, no privilege is
 * needed, and types of nowhere are fine, because the types of parameters are only the reader's
 * matter.  Output depends on the definition alone, so that builds are reproducible.
 *
 * Always true:
 *   1. A definition with mistakes gives no output.
 *   2. Providers and probes are in the order of their first declaration; each is there once.
 */
#ifndef USDT_USDT_H
#define USDT_USDT_H

#include "base/base.h"
#include "base/diagnostic.h"

struct definition;

struct definition *definition_new(void);
void definition_free(struct definition *d); /* NULL is fine */

/* Add the definitions of SOURCE, which outlives D.  Mistakes go to MISTAKES. */
void definition_read(struct definition *d, const struct source *source,
		     struct diagnostics *mistakes);

/* Has it a provider?  A definition without one is probably another file. */
bool definition_has_provider(const struct definition *d);

/*
 * The header; FROM is the definition's path, NAME the header's, for its guard.  An error: a probe
 * that a header cannot have.
 */
MUST_CHECK struct error *definition_header(const struct definition *d, const char *from,
					   const char *name, struct strbuf *ret);

/*
 * Before definition_object(): in the object file at PATH calls of probe functions, as code for the
 * classic tool has them, become sites.  A file without such calls stays as it is.
 */
MUST_CHECK struct error *definition_rewrite(struct definition *d, const char *path);

/*
 * The object that -G makes, for the machine of the rewritten files, else for this one, or for the
 * one of 32 bits that it runs, too; FROM is the definition's path.
 */
void definition_object(const struct definition *d, const char *from, bool is_32,
		       struct strbuf *ret);

#endif
