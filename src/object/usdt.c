/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/usdt.h"

#include <elf.h>

#define NOTES ".note.stapsdt"
#define OWNER "stapsdt"
#define VERSION 3 /* 1 and 2 were entries of the section .probes */

static uint64_t word_read(struct bytes *b, unsigned word)
{
	return word == 4 ? bytes_u32(b) : bytes_u64(b);
}

/* The next string, or NULL. */
static const char *string_read(struct bytes *b)
{
	const char *text = bytes_string_at(b, b->pos);
	if (text)
		bytes_take(b, strlen(text) + 1);
	return text;
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
	uint64_t site = word_read(&descriptor, word), then = word_read(&descriptor, word);
	uint64_t semaphore = word_read(&descriptor, word);
	ret->site = moved(site, then, base, word);
	ret->semaphore = semaphore ? moved(semaphore, then, base, word) : 0;
	ret->provider = string_read(&descriptor);
	ret->name = string_read(&descriptor);
	ret->operands = string_read(&descriptor);
	return !descriptor.failed && ret->provider && ret->name && *ret->name && ret->operands;
}

/* The next note of any kind.  False: it is damaged. */
static bool note_next(struct bytes *section, unsigned word, uint64_t base, usdt_note_vector *ret)
{
	uint32_t owner_length = bytes_u32(section), length = bytes_u32(section);
	uint32_t type = bytes_u32(section);
	const char *owner = bytes_take(section, ALIGN_UP((size_t)owner_length, 4));
	struct bytes descriptor = bytes_slice(section, section->pos, length);
	/* The last one's padding may be missing. */
	size_t padded = ALIGN_UP((size_t)length, 4);
	bytes_take(section, MIN(padded, MAX(bytes_left(section), (size_t)length)));
	if (section->failed || descriptor.failed)
		return false;
	if (type != VERSION || owner_length != sizeof(OWNER) ||
	    memcmp(owner, OWNER, sizeof(OWNER)) != 0)
		return true;
	struct usdt_note note;
	if (!note_read(descriptor, word, base, &note))
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
	return usdt_notes_read(section, sizeof(Elf64_Addr), base, ret);
}
