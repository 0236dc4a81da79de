/* SPDX-License-Identifier: BSD-2-Clause */
/* usdt - what the files of the usdt provider share; usdt.c tells the whole */
#ifndef PROVIDER_USDT_H
#define PROVIDER_USDT_H

#include "arch/operand.h"
#include "probe/probe.h"
#include "provider/pid_object.h"

/* The sites of a probe whose arguments are at the same places: an event. */
struct usdt_event {
	struct event *event;		 /* the probe's */
	VECTOR(struct event_site) sites; /* the event's */
};

/* What all sites of a probe have in common of an argument. */
struct usdt_argument {
	bool is_signed, is_float, is_readable;
	uint8_t size;	  /* 0: no site has it */
	char *unreadable; /* as a note has it; NULL: none is */
};

struct usdt_probe {
	struct pid_object *object; /* lives on */
	char *raw_name;		   /* as the note has it: query__start */
	VECTOR(struct usdt_event) events;
	struct usdt_argument arguments[OPERANDS_MOST];
	const char *types[OPERANDS_MOST + 1]; /* NULL-ended */
	struct probe_args args;
};

void usdt_probe_free(void *probe);

/* The probe of NOTE, which is of OBJECT's file, with one more site unless it has that. */
void usdt_note_make(struct probe_db *db, struct pid_object *object, const struct usdt_note *note);

/* The provider's name in a note: those without one are called usdt. */
const char *usdt_provider_name(const struct usdt_note *note);

#endif
