/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usdt - the static probes of a file: notes of SystemTap's format, section .note.stapsdt
 *
 * Each site has a note (version 3, the only one that is in use):
 *
 *	u32 8, length, 3; "stapsdt"; word site, base, semaphore; provider, name, operands: strings
 *
 * Addresses are those of the link.  A program that has moved the file's addresses since (prelink)
 * has not changed the notes: the section .stapsdt.base has moved by as much, and the note says
 * where that was.  The semaphore is a uint16_t that counts who traces the probe; 0: there is none.
 *
 * What the operands mean: arch/operand.h.
 */
#ifndef OBJECT_NOTE_USDT_H
#define OBJECT_NOTE_USDT_H

#include "object/object.h"

struct usdt_note {
	const char *provider, *name, *operands; /* in the file; the name is not empty */
	uint64_t site, semaphore;		/* link-time, as the file is now */
};
typedef VECTOR(struct usdt_note) usdt_note_vector;

/*
 * The notes in SECTION, whose addresses have WORD bytes (8, or 4 of 32-bit files).  BASE: where the
 * section .stapsdt.base is; 0: the file has none.  Notes of others are passed over.  An error says
 * where the section is damaged; RET has the notes before that.
 */
MUST_CHECK struct error *usdt_notes_read(struct bytes section, unsigned word, uint64_t base,
					 usdt_note_vector *ret);

/*
 * Can the kernel count at link-time address SEMAPHORE?  It adds to a word of a page that the
 * program may write to.  *RET: its offset in the file.
 */
bool usdt_is_countable(const struct elf_file *e, uint64_t semaphore, uint64_t *ret);

/* Those of a file; nothing if it has none. */
MUST_CHECK struct error *elf_file_usdt(const struct elf_file *e, usdt_note_vector *ret);

#endif
