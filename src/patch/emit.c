/* SPDX-License-Identifier: BSD-2-Clause */
#include "patch/internal.h"

const struct patch_machine *patch_machine(const struct arch *a)
{
	return a == &arch_x86_64 ? &patch_x86_64 : NULL;
}

const char *patch_refusal_words(enum patch_refusal r)
{
	static const char *const words[] = {
		[PATCH_FITS] = "it can",
#define REFUSAL(id, text) [PATCH_##id] = text,
#include "patch/refusal.def"
#undef REFUSAL
	};
	return words[r];
}

void patch_put(struct patch_code *to, const void *bytes, size_t size)
{
	const unsigned char *from = bytes;
	for (size_t i = 0; i < size; i++, to->used++)
		if (to->used < to->size)
			to->bytes[to->used] = from[i];
}

void patch_put_number(struct patch_code *to, uint64_t number, size_t size)
{
	unsigned char bytes[8];
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(number >> 8 * i);
	patch_put(to, bytes, size);
}

void patch_put_distance(struct patch_code *to, uint64_t target)
{
	int64_t distance = (int64_t)(target - (to->address + to->used + 4));
	to->is_far |= distance != (int32_t)distance;
	patch_put_number(to, (uint64_t)distance, 4);
}

static void put_firings(const struct patch_plan *plan, const struct patch_window *w, size_t offset,
			patch_fire_fn *fire, void *arg, struct patch_code *to)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (plan->firings.items[w->first + i].offset == offset)
			fire(arg, &plan->firings.items[w->first + i], to);
}

enum patch_refusal patch_emit(const struct patch_machine *m, const struct patch_plan *plan,
			      const struct patch_window *w, const struct bytes *old,
			      uint64_t address, patch_fire_fn *fire, void *arg,
			      struct patch_code *to)
{
	bool continues = true;
	for (size_t i = 0; i < PATCH_WINDOW_MOST; i++)
		to->moved[i] = PATCH_NOT_MOVED;
	/* After the first instruction that does not continue there is only padding. */
	for (size_t at = 0; at < w->size && continues;) {
		struct bytes code = bytes_slice(old, at, w->size - at);
		struct instruction i;
		if (code.failed || !m->arch->decode(&code, &i))
			return PATCH_UNKNOWN_CODE;
		put_firings(plan, w, at, fire, arg, to);
		to->moved[at] = (uint32_t)to->used;
		m->move(&code, &i, address + at, to);
		continues = patch_continues(&i) && !i.is_call;
		at += i.length;
	}
	if (continues)
		m->jump(to, address + w->size);
	return to->is_far ? PATCH_FAR : PATCH_FITS;
}
