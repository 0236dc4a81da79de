/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt - the static probes of one process: postgresql1234:::query-start, or of every process:
 *        postgresql:::query-start, postgresql*:::
 *
 *   usdt.c           from a description to the notes that it means
 *   usdt_make.c      their probes: sites, arguments, types
 *   usdt_declared.c  the types that files themselves declare
 *   mapped_files.c   (of provider/process) the files with notes that any process maps
 *
 * Programs and libraries describe their static probes in notes (object/note/usdt.h).  A probe has
 * the names PROVIDER<pid>:FILE:FUNCTION:NAME, FUNCTION being where the site is, and may have
 * many sites.  probe->data is a struct usdt_probe.
 *
 * Which process is meant, and what it maps, is found as in provider/process/pid.c, whose objects
 * these are; so code that comes later, exec and threads are followed in the same way.
 *
 * A static probe of every process, present and future, is one probe for all processes that map the
 * file, named without a number, in an object without a process (struct pid_object, pid 0).  Its
 * link has no process either, so the kernel puts probes and semaphores into each process that maps
 * the file, from its first instruction on.  Two files of the same names (two containers with one
 * library each) are two probes.  probeprov has the number of the process that fires
 * (sema/name/variable.c).  Files that are mapped for the first time while tracing are followed by
 * tracer/live/new_files.c.  A pattern that means another provider, too, means that alone, except in
 * -l: *:::BEGIN must not put probes into all programs of the system.
 *
 * What a firing costs.  A site is a one-byte nop, which the kernel emulates: with count() a firing
 * takes 605 ns where an entry at `push` takes 639 (6.18, medians); a disabled one costs nothing but
 * its nop.  All sites of all files share one program (plan/group.h), and those of a file one link.
 * An argument in a register or a constant is a load; one in memory is read, which takes 130 ns.
 * Semaphores cost firings nothing: the kernel raises them while the link exists, also in processes
 * that map the file later, and lowers them when the link is closed, whatever has ended us.  (It
 * counts sites, not who traces them.)
 *
 * A site has one semaphore for all who trace it: another tracer that has attached there without it
 * makes the kernel refuse ours (EINVAL).  Our pid probes there raise it, too.
 */
#ifndef PROVIDER_USDT_USDT_H
#define PROVIDER_USDT_USDT_H

#include "arch/operand.h"
#include "probe/probe.h"
#include "provider/process/pid_object.h"

/* The sites of a probe whose arguments are at the same places: an event. */
struct usdt_event {
	struct event *event;		 /* the probe's */
	VECTOR(struct event_site) sites; /* the event's */
};

/* What all sites of a probe have in common of an argument. */
struct usdt_argument {
	bool is_signed, is_float;
	uint8_t size; /* 0: no site has it */
};

struct usdt_probe {
	struct pid_object *object; /* first, for mapped_files.h; lives on */
	char *raw_name;		   /* as the note has it: query__start */
	char *raw_provider;	   /* without the process */
	bool sought_declaration;   /* args.declaration (usdt_declared.c) */
	VECTOR(struct usdt_event) events;
	struct usdt_argument arguments[OPERANDS_MOST];
	char *unreadable[EVENT_ARGS];	      /* as a note has it; NULL: a site has it readable */
	const char *types[OPERANDS_MOST + 1]; /* NULL-ended */
	struct probe_args args;
};

void usdt_probe_free(void *probe);

struct usdt_declared;

/* usdt_declared.c: what the file of a probe declares of it; NULL: nothing.  NAME: query-start. */
const struct probe_declaration *usdt_declaration(struct probe_db *db, const struct usdt_probe *p,
						 const char *name);
void usdt_declared_free(struct usdt_declared *d);

/* What the provider knows for a database (probe_db_state()). */
struct usdt_table {
	struct mapped_files *files; /* of all processes: first, for its hooks; NULL: none asked */
	struct usdt_declared *declared; /* what files declare; NULL: nobody has asked */
};
struct usdt_table *usdt_table_of(struct probe_db *db);

/*
 * The probe of NOTE, which is of OBJECT's file, with one more site unless it has that; or why
 * there is none.
 */
const char *usdt_note_make(struct probe_db *db, struct pid_object *object,
			   const struct usdt_note *note);

/* The function that has the note's site, or "". */
const char *usdt_note_function(struct pid_object *object, const struct usdt_note *note);
/* The note's name as probes have it: query-start for query__start.  The caller frees it. */
char *usdt_shown_name(const char *raw);

/* The provider's name in a note: those without one are called usdt. */
const char *usdt_provider_name(const struct usdt_note *note);

#endif
