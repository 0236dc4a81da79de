/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_names - symbols by their names, of which a file may have several, also with versions */
#include <limits.h>
#include <string.h>

#include "base/hash.h"
#include "object/elf/elf_internal.h"

/*
 * The table costs as much as some four walks over the symbols: a script that names few functions
 * never gets one; the formulas of plockstat search 300 names.
 */
#define WALKS_BEFORE_TABLE 8

/* Names that differ in their version have the same. */
static size_t first_slot(const struct elf_file *e, const char *name)
{
	return hash_more(HASH_OF_NOTHING, name, strcspn(name, "@")) & (e->names_slots - 1);
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
	bool in_table = e->by_name;
	return (struct elf_named) { e, name, in_table, in_table ? first_slot(e, name) : 0 };
}

/* The next symbol that may have the name. */
static const struct elf_symbol *named_candidate(struct elf_named *n)
{
	const struct elf_file *e = n->file;
	if (!n->in_table)
		return n->at < e->symbols.count ? &e->symbols.items[n->at++] : NULL;
	uint32_t number = e->by_name[n->at];
	n->at = (n->at + 1) & (e->names_slots - 1);
	return number ? &e->symbols.items[number - 1] : NULL;
}

const struct elf_symbol *elf_named_next(struct elf_named *n)
{
	const struct elf_symbol *s;
	while ((s = named_candidate(n)))
		if (string_equal(s->name, n->name))
			break;
	return s;
}

/* How far S is from the one that NAME means, 0: it is that; -1: its name is another one. */
static int name_distance(const struct elf_symbol *s, const char *name, size_t len)
{
	if (strncmp(s->name, name, len) != 0)
		return -1;
	const char *version = s->name + len;
	if (*version && *version != '@')
		return -1;
	return 2 * elf_symbol_rank(s) + (*version == '@');
}

const struct elf_symbol *elf_file_symbol_named(struct elf_file *e, const char *name)
{
	struct elf_named named = elf_file_named(e, name);
	const struct elf_symbol *best = NULL, *s;
	int nearest = INT_MAX;
	size_t len = strlen(name);
	while (nearest > 0 && (s = named_candidate(&named))) {
		int d = name_distance(s, name, len);
		if (d < 0 || d >= nearest)
			continue;
		nearest = d;
		best = s;
	}
	return best;
}

bool elf_file_exported(const struct elf_file *e, const char *name, uint64_t *address,
		       uint64_t *size)
{
	struct bytes symbols, names;
	uint64_t ignored;
	if (elf_file_word(e) != sizeof(uint64_t) ||
	    !elf_file_section(e, ".dynsym", &symbols, &ignored) ||
	    !elf_file_section(e, ".dynstr", &names, &ignored))
		return false;
	while (bytes_left(&symbols) >= sizeof(Elf64_Sym)) {
		uint32_t at = bytes_u32(&symbols);
		bytes_u32(&symbols); /* its kind, its section */
		*address = bytes_u64(&symbols);
		*size = bytes_u64(&symbols);
		const char *its = *address ? bytes_string_at(&names, at) : NULL;
		if (its && string_equal(its, name))
			return true;
	}
	return false;
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
