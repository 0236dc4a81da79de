/* SPDX-License-Identifier: BSD-2-Clause */
#include "patch/internal.h"

unsigned patch_jump_size(const struct patch_machine *m)
{
	return m->jump_size;
}

enum patch_refusal patch_write_make(const struct patch_machine *m, const struct bytes *old,
				    uint64_t address, uint64_t target, struct patch_write *ret)
{
	struct patch_write w = { .address = address, .size = (uint8_t)m->jump_size };
	struct patch_code jump = { .bytes = w.new_bytes,
				   .size = sizeof(w.new_bytes),
				   .address = address };
	m->jump(&jump, target);
	if (jump.is_far)
		return PATCH_FAR;
	memcpy(w.old_bytes, old->data, w.size);
	*ret = w;
	return PATCH_FITS;
}

enum patch_refusal patch_compare(const struct patch_machine *m, const struct bytes *file,
				 const struct bytes *memory)
{
	if (file->size != memory->size)
		return PATCH_TEXT_DIFFERS;
	for (size_t i = 0; i < file->size; i++)
		if (file->data[i] != memory->data[i])
			return m->foreign(memory->data[i], i);
	return PATCH_FITS;
}
