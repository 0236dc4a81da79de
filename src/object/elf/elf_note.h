/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_note - the notes of a section or segment, one after the other
 *
 *	u32 length of the owner, length of the descriptor, type; the owner, a string with its NUL;
 *	the descriptor; both padded to a multiple of 4
 *
 * The padding of the last descriptor may be missing.
 */
#ifndef OBJECT_ELF_NOTE_H
#define OBJECT_ELF_NOTE_H

#include "object/object.h"

struct elf_note {
	uint32_t type;
	struct bytes owner, descriptor; /* without their padding */
};

/* The next note of NOTES.  False: it is not whole. */
bool elf_note_next(struct bytes *notes, struct elf_note *ret);

/* Is the note OWNER's, whose rules say what its type means? */
bool elf_note_is_of(const struct elf_note *n, const char *owner);

#endif
