/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/object.h"

bool elf_note_next(struct bytes *notes, struct elf_note *ret)
{
	size_t owner_size = bytes_u32(notes), size = bytes_u32(notes);
	struct elf_note note = { .type = bytes_u32(notes) };
	note.owner = bytes_slice(notes, notes->pos, owner_size);
	bytes_take(notes, ALIGN_UP(owner_size, 4));
	note.descriptor = bytes_slice(notes, notes->pos, size);
	bytes_take(notes, MIN(ALIGN_UP(size, 4), MAX(bytes_left(notes), size)));
	if (notes->failed)
		return false;
	*ret = note;
	return true;
}

bool elf_note_is_of(const struct elf_note *n, const char *owner)
{
	size_t size = strlen(owner) + 1;
	return n->owner.size == size && memcmp(n->owner.data, owner, size) == 0;
}
