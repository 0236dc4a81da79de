/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * declared - what a file declares of its static probes: the notes of note/dtrace_note.h, read
 *
 * Nothing here is parsed as D.  Damage anywhere makes all of a file's declarations unusable, for a
 * wrong type is worse than no type; the sites of its probes are in other notes, and stay.
 */
#ifndef OBJECT_NOTE_DECLARED_H
#define OBJECT_NOTE_DECLARED_H

#include "object/note/dtrace_note.h"
#include "object/object.h"

/* A D text of its own names. */
struct declared_unit {
	char *text; /* without NUL */
	size_t length;
};

struct declared_provider {
	const char *name; /* strings are in the section */
	unsigned unit;	  /* its D text: units[unit - 1]; 0: none */
	unsigned flags;	  /* enum dtrace_note_flag */
	uint8_t attributes[DTRACE_NOTE_PARTS][3];
};

struct declared_probe {
	const char *provider, *name;
	unsigned unit; /* its provider's */
	unsigned native_count, output_count;
	const uint8_t *map;	    /* of output i: its native argument */
	const char *const *natives; /* declarations of C: "int n" */
	const char *const *outputs;
};

struct declarations {
	VECTOR(struct declared_unit) units;
	VECTOR(struct declared_provider) providers;
	VECTOR(struct declared_probe) probes;
	struct bytes btf;    /* empty: none */
	struct arena *arena; /* of natives and outputs */
	size_t text_bytes;   /* of all units */
};

/* The notes in SECTION, which must outlive D; on an error D is empty.  Of a provider or probe that
 * is declared twice the first declaration counts. */
MUST_CHECK struct error *declarations_read(struct bytes section, struct declarations *d);
void declarations_deinit(struct declarations *d);

/* NULL: not declared.  NAME as consumers write it: query-start. */
const struct declared_probe *declarations_probe(const struct declarations *d, const char *provider,
						const char *name);
const struct declared_provider *declarations_provider(const struct declarations *d,
						      const char *name);

#endif
