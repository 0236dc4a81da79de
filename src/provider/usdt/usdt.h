/* SPDX-License-Identifier: BSD-2-Clause */
/* usdt - what the files of the usdt provider share; usdt.c tells the whole */
#ifndef PROVIDER_USDT_H
#define PROVIDER_USDT_H

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
	bool is_signed, is_float, is_readable;
	uint8_t size; /* 0: no site has it */
};

struct usdt_probe {
	struct pid_object *object; /* lives on */
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
	struct mapped_files *files;	/* of all processes; NULL: nobody has asked */
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
