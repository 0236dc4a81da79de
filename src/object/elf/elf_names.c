/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_names - symbols by their exact names, of which a file may have several */
#include "base/hash.h"
#include "object/elf/elf_internal.h"

/*
 * The table costs as much as some four walks over the symbols: a script that names few functions
 * never gets one; the formulas of plockstat search 300 names.
 */
#define WALKS_BEFORE_TABLE 8

static size_t first_slot(const struct elf_file *e, const char *name)
{
	return hash_more(HASH_OF_NOTHING, name, strlen(name)) & (e->names_slots - 1);
}

/* In the order of the symbols: those of one name stay in it. */
static void names_make_table(struct elf_file *e)
{
	e->names_slots = 64;
	while (e->names_slots < e->symbols.count * 3 / 2)
		e->names_slots *= 2;
	e->by_name = mem_zalloc(e->names_slots * sizeof(*e->by_name));
	for (size_t i = 0; i < e->symbols.count; i++) {
		size_t slot = first_slot(e, e->symbols.items[i].name);
		while (e->by_name[slot])
			slot = (slot + 1) & (e->names_slots - 1);
		e->by_name[slot] = (uint32_t)i + 1;
	}
}

struct elf_named elf_file_named(struct elf_file *e, const char *name)
{
	const struct elf_symbol *symbols;
	size_t count;
	error_free(elf_file_symbols(e, &symbols, &count));
	if (!e->by_name && e->walks++ == WALKS_BEFORE_TABLE && count < UINT32_MAX / 4)
		names_make_table(e);
	return (struct elf_named) { e, name, e->by_name ? first_slot(e, name) : 0 };
}

static const struct elf_symbol *next_in_table(struct elf_named *n)
{
	const struct elf_file *e = n->file;
	for (uint32_t number; (number = e->by_name[n->at]);) {
		const struct elf_symbol *s = &e->symbols.items[number - 1];
		n->at = (n->at + 1) & (e->names_slots - 1);
		if (string_equal(s->name, n->name))
			return s;
	}
	return NULL;
}

const struct elf_symbol *elf_named_next(struct elf_named *n)
{
	const struct elf_file *e = n->file;
	if (e->by_name)
		return next_in_table(n);
	while (n->at < e->symbols.count) {
		const struct elf_symbol *s = &e->symbols.items[n->at++];
		if (string_equal(s->name, n->name))
			return s;
	}
	return NULL;
}

const struct elf_symbol *elf_file_symbol_sole(struct elf_file *e, const char *name)
{
	struct elf_named named = elf_file_named(e, name);
	const struct elf_symbol *sole = elf_named_next(&named);
	for (const struct elf_symbol *s = sole; s; s = elf_named_next(&named))
		if (s->address != sole->address)
			return NULL;
	return sole;
}
