/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formula - providers as data: .prov files to probes
 *
 * In:   texts of .prov files (syntax/formula.h), each the provider of the file's name; the types
 *       of the running kernel.
 * Out:  a struct provider for each file, whose probes have the events of the first alternative
 *       that this kernel has.
 *
 * A formula is not code.  It says of a probe: at which events, under which condition, with which
 * arguments, as expressions over the event's parameters.  Here only the events are chosen: each
 * event of a probe refers to its source (struct probe_event).  sema/formula/formula.c checks a
 * clause of such a probe once for each source, with the condition before the clause's predicate and
 * with the expressions for args[]; so an argument that no clause reads costs nothing, and all later
 * stages see a clause on an ordinary event.
 *
 *   file.c       texts, parsing, the struct provider
 *   probe.c      the alternative that is chosen, and why others are not
 *   mistake.c    events that are on no kernel
 *   condition.c  has(), hasfunc(), hastp(), hasenum(), config(), option(), arch()
 *   event.c      which events there are, and what a source is attached to
 *   parameter.c  can its parameters be the event's arguments?
 *   function.c   functions of the kernel as events
 *   instruction.c  single instructions of the kernel as events
 *   process.c    probes of processes, by functions and static probes of each
 *   every.c      those of every process: a probe for each file
 *
 * Nothing is read before a description may mean a probe of the file: its provider is named, or the
 * name occurs in the text.  Then those that the description means get their events: the others cost
 * nothing.  All probes get their ids before those of later providers; the names of those that we
 * ship are known without reading, those of other files are read then.  DTRACE_DEBUG=1 says which
 * files are read.
 *
 * provider/kernel/described.c answers what conditions need of a kernel besides its types: for the
 * running one, or for a description (tracer/library/provcheck.c).
 *
 * To add a provider as data: a file in providers/ and its manual page.  `make check-golden` shows
 * what it is on other kernels (tests/golden/command/kernels.sh).
 * To add a kind of event: a row in syntax/formula_event.def, a function in event.c's table, and
 * where its parameters are: word_of() in sema/formula/formula_source.c; if it is an event of a new
 * kind for programs, what -lv says of that: add_event() in tracer/list.c.
 */
#ifndef FORMULA_FORMULA_H
#define FORMULA_FORMULA_H

#include "base/diagnostic.h"
#include "probe/probe.h"

struct program_node; /* syntax/ast.h */

struct formulas_env {
	void *arg;
	/* Is NAME a type, for the parser?  WHO declares the names of the file. */
	bool (*is_type)(void *arg, enum declarer who, const char *name);
	/* The mistakes of a file.  Its other probes are there. */
	void (*report)(void *arg, struct diagnostics *d);
	/* Declarations of D in the file, NULL for none, are to be known when its formulas are
	 * used. */
	void (*declare)(void *arg, const struct program_node *file);
};

struct formulas;

struct formulas *formulas_new(const struct formulas_env *env);
/* The I-th provider, in the order in which they were added; NULL: there are fewer. */
const struct provider *formulas_provider(const struct formulas *f, size_t i);
void formulas_free(struct formulas *f); /* after the database and the compilation */

/* A file that comes with this program (tools/embed-formulas.c): its text is read when needed. */
struct embedded_formulas {
	const char *name;
	const char *probes; /* their names, each with a blank after it */
	bool of_processes;
	struct packed text;
};

/*
 * The file PATH with TEXT, a loan, which is the provider NAME; or OURS, which stays.  Add all
 * before the first description is looked up; of two with one name the first one counts. False: the
 * provider NAME is not made by formulas.
 */
bool formulas_add(struct formulas *f, struct probe_db *db, const char *name, const char *path,
		  const char *text, size_t len);
bool formulas_add_embedded(struct formulas *f, struct probe_db *db,
			   const struct embedded_formulas *ours);

#endif
