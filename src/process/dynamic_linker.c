/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/process_internal.h"

#include <link.h>
#include <stdlib.h>

#include "object/object.h"
#include "process/process.h"

void dynamic_linker_deinit(struct dynamic_linker *l)
{
	free(l->path);
	vector_free(&l->data);
}

/* The symbols of L's file, whose beginning M maps. */
static bool dynamic_linker_symbols(struct dynamic_linker *l, const struct mapping *m)
{
	struct elf_file *elf = NULL;
	auto_error struct error *err = elf_file_open(l->path, &elf);
	const struct elf_symbol *call = err ? NULL : elf_file_symbol_named(elf, "_dl_debug_state");
	const struct elf_symbol *list = err ? NULL : elf_file_symbol_named(elf, "_r_debug");
	uint64_t first;
	bool found = call && list && call->address && list->address &&
		     elf_file_address(elf, 0, &first) &&
		     elf_file_offset(elf, call->address, &l->call_offset);
	if (found)
		l->r_debug = m->start + (list->address - first);
	elf_file_free(elf);
	return found;
}

/* MAPPINGS from the first of the linker on: those of its file, and its zeroed data. */
static void dynamic_linker_data(struct dynamic_linker *l, const struct mapping *mappings,
				size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct mapping *m = &mappings[i];
		bool follows = !m->inode && i && m->start == m[-1].end;
		if (m->inode != mappings[0].inode && !follows)
			break;
		if (m->writable)
			vector_push(&l->data, ((struct memory_range) { m->start, m->end }));
	}
}

bool dynamic_linker_find(int pid, uint64_t base, struct dynamic_linker *ret)
{
	struct mapping *list;
	size_t count, i = 0;
	auto_error struct error *err = process_mappings(pid, &list, &count);
	bool found = false;
	*ret = (struct dynamic_linker) { .pid = pid };
	if (err)
		return false;
	while (i < count && list[i].start != base)
		i++;
	if (i < count && list[i].path[0] == '/') {
		ret->path = mem_printf("/proc/%d/root%s", pid, list[i].path);
		found = dynamic_linker_symbols(ret, &list[i]);
		dynamic_linker_data(ret, list + i, count - i);
	}
	process_mappings_free(list, count);
	return found;
}

/* Of struct r_debug in 32-bit programs: r_version, r_map and r_brk have 4 bytes each. */
#define NARROW_STATE 12

bool dynamic_linker_is_consistent(const struct dynamic_linker *l)
{
	unsigned word = process_word(l->pid);
	size_t at = word == 4 ? NARROW_STATE : offsetof(struct r_debug, r_state);
	uint64_t state;
	return !peek(l->pid, l->r_debug + at, word, &state) || (uint32_t)state == RT_CONSISTENT;
}
