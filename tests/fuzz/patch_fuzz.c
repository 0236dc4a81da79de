/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * patch_fuzz - any bytes as a function: windows keep the promises of patch.h, and are emitted
 *
 * Before the code: how many sites and targets, then where each is.
 */
#include "patch/patch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 8
#define BEGIN 0x1000

static void require(bool holds)
{
	if (!holds)
		__builtin_trap();
}

static int compare_numbers(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static void put_firing(void *arg, const struct patch_firing *f, struct patch_code *to)
{
	patch_put_number(to, f->site, 1);
}

static void check_window(const struct patch_function *f, const struct patch_plan *plan,
			 const struct patch_window *w)
{
	unsigned char bytes[1024];
	struct bytes old = bytes_slice(&f->code, w->at - f->code_at, w->size);
	require(!old.failed && w->count && w->size >= 5 && w->size <= PATCH_WINDOW_MOST);
	for (size_t i = 0; i < f->target_count; i++)
		require(f->targets[i] <= w->at || f->targets[i] >= w->at + w->size);
	for (uint32_t i = w->first; i < w->first + w->count; i++)
		require(plan->firings.items[i].offset < w->size);
	struct patch_code code = { .bytes = bytes, .size = sizeof(bytes), .address = 0x7fff0000 };
	enum patch_refusal why = patch_emit(patch_machine(&arch_x86_64), plan, w, &old, w->at,
					    put_firing, NULL, &code);
	require(why == PATCH_FITS || why == PATCH_FAR);
	require(code.used <= sizeof(bytes));
	struct patch_write write;
	require(patch_write_make(patch_machine(&arch_x86_64), &old, w->at, 0x2000, &write) ==
		PATCH_FITS);
	require(memcmp(write.old_bytes, old.data, write.size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = bytes_of(data, size);
	uint64_t targets[MOST];
	struct patch_site sites[MOST];
	uint8_t counts = bytes_u8(&b), end = bytes_u8(&b);
	size_t site_count = counts % MOST, target_count = counts / MOST % MOST;
	for (size_t i = 0; i < target_count; i++)
		targets[i] = BEGIN + bytes_u8(&b);
	qsort(targets, target_count, sizeof(*targets), compare_numbers);
	for (size_t i = 0; i < site_count; i++) {
		uint8_t kind = bytes_u8(&b);
		sites[i] = (struct patch_site) { BEGIN, kind % 3, kind & 64, bytes_u32(&b) };
		sites[i].at += kind % 3 ? bytes_u8(&b) : 0;
	}
	if (b.failed || !bytes_left(&b))
		return 0;
	struct patch_function f = { bytes_of(data + b.pos, bytes_left(&b)),
				    BEGIN,
				    BEGIN,
				    BEGIN + 1 + end,
				    targets,
				    target_count,
				    counts >> 7 };
	struct patch_plan plan = { 0 };
	patch_plan_make(patch_machine(&arch_x86_64), &f, sites, site_count, &plan);
	require(plan.refusals.count == site_count);
	size_t fit = 0, fired = 0;
	uint64_t last = 0;
	for (size_t i = 0; i < site_count; i++)
		fit += plan.refusals.items[i] == PATCH_FITS;
	for (size_t i = 0; i < plan.windows.count; i++) {
		const struct patch_window *w = &plan.windows.items[i];
		require(w->at >= last && w->first == fired);
		check_window(&f, &plan, w);
		last = w->at + w->size;
		fired += w->count;
	}
	require(fired == fit && fired == plan.firings.count);
	patch_plan_deinit(&plan);
	return 0;
}
