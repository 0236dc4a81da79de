/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_red_zone - may a probe overwrite what a function keeps below its stack pointer?
 *
 * On x86-64 a function that calls no other may keep variables in the 128 bytes below its stack
 * pointer, the red zone.  Linux 6.18 replaces a probed nop of 5 bytes by a call at its second
 * firing; a call writes there: of 100,000 calls of such a function 99,999 had a wrong result.
 * So a place is refused if it has such a nop, this kernel replaces it, and the function may use
 * its red zone.  A function that calls others has none.  At a function's first instruction
 * nothing is kept below the stack pointer yet.
 *
 * What this kernel does is tested on a function of our own, once, when a place with such a nop is
 * met: the probe takes 100 ms to remove.
 */
#include "provider/process/pid_object.h"

#include <stdio.h>
#include <unistd.h>

#include "kernel/kernel.h"
#include "provider/process/pid_code.h"

#define CALLS 8 /* of the function that is tested; the second one goes wrong */

/* --- this kernel --- */

/* The file offset of AT, which is code of ours, and a path of its file. */
static bool own_code_place(const void *at, char *path, size_t size, uint64_t *offset)
{
	struct mapping *list;
	size_t count;
	uint64_t address = (uint64_t)(uintptr_t)at;
	auto_error struct error *err = process_mappings(getpid(), &list, &count);
	if (err)
		return false;
	size_t i = 0;
	while (i < count && (address < list[i].start || address >= list[i].end))
		i++;
	bool found = i < count && list[i].inode;
	if (found) {
		snprintf(path, size, "/proc/self/map_files/%llx-%llx",
			 (unsigned long long)list[i].start, (unsigned long long)list[i].end);
		*offset = address - list[i].start + list[i].offset;
	}
	process_mappings_free(list, count);
	return found;
}

/* A kernel that cannot be tested is taken for one that does damage. */
static bool kernel_keeps_red_zone(void)
{
	const struct arch *a = arch_host();
	char path[64];
	uint64_t offset;
	if (!a->red_zone_keeps || !own_code_place(a->red_zone_site, path, sizeof(path), &offset))
		return false;
	auto_close int event = -1;
	auto_error struct error *err = uprobe_own_open(path, offset, &event);
	bool keeps = !err;
	if (err)
		log_debug("red zone: %s", error_text(err));
	for (uint64_t i = 1; i <= CALLS && keeps; i++)
		keeps = a->red_zone_keeps(i) == i;
	log_debug("red zone: probes at nops of 5 bytes %s it", keeps ? "keep" : "overwrite");
	return keeps;
}

static bool kernel_is_safe(struct pid_table *t)
{
	if (!t->red_zone_tried)
		t->red_zone_is_safe = kernel_keeps_red_zone();
	t->red_zone_tried = true;
	return t->red_zone_is_safe;
}

/* --- the function --- */

/* The code around ADDRESS that is one function, or a part of one. */
static bool code_function_at(struct image *i, uint64_t address, struct code_range *ret)
{
	const struct elf_symbol *s = elf_file_symbol_at(image_elf(i), address);
	const struct frame_range *r = frames_at(image_frames(i), address);
	if (s && s->is_function && s->size && address < s->address + s->size)
		*ret = (struct code_range) { s->address, s->address + s->size };
	else if (r)
		*ret = (struct code_range) { r->begin, r->end };
	else
		return false;
	return true;
}

static bool is_entry(struct elf_file *elf, uint64_t address, uint64_t begin)
{
	struct bytes code = elf_file_code(elf, begin, 32);
	return address == begin || address == begin + pid_arch(elf)->entry_site(&code);
}

/* What is in code; a function may have many places, so it is remembered. */
enum code_use { CODE_UNKNOWN, CODE_USES, CODE_USES_NOT };

static enum code_use use_of(struct pid_object *o, const struct code_range *r)
{
	if (!o->red_zones)
		o->red_zones = hash_new();
	void **known = hash_place(o->red_zones, r, sizeof(*r));
	if (!*known) {
		struct pid_code *code = pid_code_decode(image_elf(o->image), *r);
		bool uses = !code->is_whole || code->is_below_stack || !code->calls;
		*known = (void *)(uintptr_t)(uses ? CODE_USES : CODE_USES_NOT);
		pid_code_free(code);
	}
	return (enum code_use)(uintptr_t)*known;
}

static bool may_use_red_zone(struct pid_object *o, uint64_t address)
{
	struct code_range r;
	if (!code_function_at(o->image, address, &r))
		return true;
	return !is_entry(image_elf(o->image), address, r.begin) && use_of(o, &r) == CODE_USES;
}

const char *pid_red_zone_danger(struct pid_object *o, uint64_t address)
{
	const struct arch *a = pid_arch(image_elf(o->image));
	struct bytes code = elf_file_code(image_elf(o->image), address, 16);
	if (!a->may_become_call || !a->may_become_call(&code) || !may_use_red_zone(o, address) ||
	    kernel_is_safe(o->table))
		return NULL;
	return "this kernel replaces the nop of 5 bytes there by a call, which would overwrite "
	       "variables below the stack pointer";
}
