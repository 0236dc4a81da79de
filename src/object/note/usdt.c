/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/note/usdt.h"

#define NOTES ".note.stapsdt"
#define OWNER "stapsdt"
#define VERSION 3 /* 1 and 2 were entries of the section .probes */

static uint64_t usdt_word_read(struct bytes *b, unsigned word)
{
	return word == 4 ? bytes_u32(b) : bytes_u64(b);
}

/* The address AT of a note that was written when .stapsdt.base was at THEN. */
static uint64_t moved(uint64_t at, uint64_t then, uint64_t now, unsigned word)
{
	uint64_t address = now && then ? at + (now - then) : at;
	return word == 4 ? (uint32_t)address : address;
}

/* False: the descriptor is damaged. */
static bool note_read(struct bytes descriptor, unsigned word, uint64_t base, struct usdt_note *ret)
{
	uint64_t site = usdt_word_read(&descriptor, word), then = usdt_word_read(&descriptor, word);
	uint64_t semaphore = usdt_word_read(&descriptor, word);
	ret->site = moved(site, then, base, word);
	ret->semaphore = semaphore ? moved(semaphore, then, base, word) : 0;
	ret->provider = bytes_string(&descriptor);
	ret->name = bytes_string(&descriptor);
	ret->operands = bytes_string(&descriptor);
	return !descriptor.failed && *ret->name;
}

/* The next note of any kind.  False: it is damaged. */
static bool note_next(struct bytes *section, unsigned word, uint64_t base, usdt_note_vector *ret)
{
	struct elf_note any;
	if (!elf_note_next(section, &any))
		return false;
	if (any.type != VERSION || !elf_note_is_of(&any, OWNER))
		return true;
	struct usdt_note note;
	if (!note_read(any.descriptor, word, base, &note))
		return false;
	vector_push(ret, note);
	return true;
}

#define NOTES_MOST 65536u /* QEMU has 3,000 */

struct error *usdt_notes_read(struct bytes section, unsigned word, uint64_t base,
			      usdt_note_vector *ret)
{
	while (bytes_left(&section)) {
		size_t at = section.pos;
		if (ret->count == NOTES_MOST)
			return error_new("section " NOTES " has more than %u notes", NOTES_MOST);
		if (!note_next(&section, word, base, ret))
			return error_new("section " NOTES " is damaged at byte %zu of %zu", at,
					 section.size);
	}
	return NULL;
}

bool usdt_is_countable(const struct elf_file *e, uint64_t semaphore, uint64_t *ret)
{
	return semaphore % 2 == 0 && elf_file_is_writable(e, semaphore) &&
	       elf_file_offset(e, semaphore, ret);
}

struct error *elf_file_usdt(const struct elf_file *e, usdt_note_vector *ret)
{
	struct bytes section, unused;
	uint64_t address, base;
	if (!elf_file_section(e, NOTES, &section, &address))
		return NULL;
	if (!elf_file_section(e, ".stapsdt.base", &unused, &base))
		base = 0;
	return usdt_notes_read(section, elf_file_word(e), base, ret);
}
