/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <stdio.h>

struct debug_info {
	struct elf_file *separate; /* NULL: in the file itself */
	Elf *elf;
	Dwarf *dwarf;
	struct arena *arena;	  /* the entries that the indexes lead to */
	struct hash *variables;	  /* link-time address -> Dwarf_Die; NULL: not made yet */
	struct hash *definitions; /* struct tag_name's bytes -> Dwarf_Die; NULL: not made yet */
};

/* --- opening ---------------------------------------------------------------------------------- */

static Elf *elf_of(const struct elf_file *file)
{
	size_t size;
	void *image = elf_file_image(file, &size);
	elf_version(EV_CURRENT);
	return elf_memory(image, size);
}

static bool has_units(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	return dwarf && dwarf_get_units(dwarf, NULL, &unit, NULL, NULL, NULL, NULL) == 0;
}

static bool open_dwarf(struct debug_info *d, const struct elf_file *file)
{
	d->elf = elf_of(file);
	d->dwarf = d->elf ? dwarf_begin_elf(d->elf, DWARF_C_READ, NULL) : NULL;
	if (has_units(d->dwarf))
		return true;
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	d->dwarf = NULL;
	d->elf = NULL;
	return false;
}

#define BUILD_ID_MAX 64

/* The path of FILE's separate debug information, or NULL: it has no build id. */
static char *separate_path(const struct elf_file *file)
{
	Elf *elf = elf_of(file);
	const void *id = NULL;
	ssize_t len = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	char hex[2 * BUILD_ID_MAX + 1] = "";
	for (ssize_t i = 0; i < len && len <= BUILD_ID_MAX; i++)
		snprintf(hex + 2 * i, 3, "%02x", ((const uint8_t *)id)[i]);
	elf_end(elf);
	return strlen(hex) > 2 ? mem_printf("/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2)
			       : NULL;
}

static bool open_separate(struct debug_info *d, const struct elf_file *file)
{
	auto_free char *path = separate_path(file);
	if (!path)
		return false;
	auto_error struct error *err = elf_file_open(path, &d->separate);
	return !err && open_dwarf(d, d->separate);
}

struct debug_info *debug_info_open(const struct elf_file *file)
{
	struct debug_info *d = mem_zalloc(sizeof(*d));
	if (!open_dwarf(d, file) && !open_separate(d, file)) {
		debug_info_free(d);
		return NULL;
	}
	d->arena = arena_new();
	return d;
}

void debug_info_free(struct debug_info *d)
{
	if (!d)
		return;
	hash_free(d->variables);
	hash_free(d->definitions);
	arena_free(d->arena);
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	elf_file_free(d->separate);
	free(d);
}

/* --- outermost entries ------------------------------------------------------------------------ */

typedef void visit_fn(struct debug_info *d, Dwarf_Die *entry);

/* Namespaces of C++ and Rust are nested, but in no real program as deep as this. */
#define NAMESPACE_DEPTH_MAX 64

static void visit_children(struct debug_info *d, Dwarf_Die *parent, visit_fn *visit, unsigned depth)
{
	Dwarf_Die entry;
	if (depth > NAMESPACE_DEPTH_MAX || dwarf_child(parent, &entry) != 0)
		return;
	do {
		if (dwarf_tag(&entry) == DW_TAG_namespace)
			visit_children(d, &entry, visit, depth + 1);
		else
			visit(d, &entry);
	} while (dwarf_siblingof(&entry, &entry) == 0);
}

/* A unit's entries may stand in a file of their own (split DWARF). */
static void visit_entries(struct debug_info *d, visit_fn *visit)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die top, split;
	memset(&split, 0, sizeof(split));
	while (dwarf_get_units(d->dwarf, unit, &unit, NULL, NULL, &top, &split) == 0) {
		visit_children(d, split.addr ? &split : &top, visit, 0);
		memset(&split, 0, sizeof(split));
	}
}

static void keep(struct debug_info *d, struct hash *index, const void *key, size_t len,
		 const Dwarf_Die *entry)
{
	void **place = hash_place(index, key, len);
	if (*place)
		return;
	Dwarf_Die *copy = ARENA_NEW(d->arena, Dwarf_Die);
	*copy = *entry;
	*place = copy;
}

static bool find(struct hash *index, const void *key, size_t len, Dwarf_Die *ret)
{
	const Dwarf_Die *found = hash_get(index, key, len);
	if (found)
		*ret = *found;
	return found;
}

/* --- variables -------------------------------------------------------------------------------- */

/* The number that OP pushes, if it is an address; clang keeps these in a table. */
static bool pushed_address(Dwarf_Attribute *location, const Dwarf_Op *op, Dwarf_Addr *ret)
{
	Dwarf_Attribute entry;
	switch (op->atom) {
	case DW_OP_addr:
		*ret = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return dwarf_getlocation_attr(location, op, &entry) == 0 &&
		       dwarf_formaddr(&entry, ret) == 0;
	default:
		return false;
	}
}

/* Where the variable ENTRY lies for ever; false: elsewhere, in registers, or optimized away. */
static bool address_of(Dwarf_Die *entry, Dwarf_Addr *ret)
{
	Dwarf_Attribute location;
	Dwarf_Op *ops;
	size_t count;
	return dwarf_attr(entry, DW_AT_location, &location) &&
	       dwarf_getlocation(&location, &ops, &count) == 0 && count == 1 &&
	       pushed_address(&location, &ops[0], ret);
}

static void index_variable(struct debug_info *d, Dwarf_Die *entry)
{
	Dwarf_Addr address;
	if (dwarf_tag(entry) == DW_TAG_variable && address_of(entry, &address))
		keep(d, d->variables, &address, sizeof(address), entry);
}

bool debug_info_variable(struct debug_info *d, uint64_t address, Dwarf_Die *ret)
{
	if (!d->variables) {
		d->variables = hash_new();
		visit_entries(d, index_variable);
	}
	Dwarf_Addr key = address;
	return find(d->variables, &key, sizeof(key), ret);
}

/* --- definitions ------------------------------------------------------------------------------ */

/* For C a class is a struct. */
static char *definition_key(int tag, const char *name)
{
	return mem_printf("%d %s", tag == DW_TAG_class_type ? DW_TAG_structure_type : tag, name);
}

static void index_definition(struct debug_info *d, Dwarf_Die *entry)
{
	int tag = dwarf_tag(entry);
	bool is_type = tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type ||
		       tag == DW_TAG_typedef;
	const char *name = is_type ? dwarf_diename(entry) : NULL;
	if (!name || dwarf_hasattr(entry, DW_AT_declaration))
		return;
	auto_free char *key = definition_key(tag, name);
	keep(d, d->definitions, key, strlen(key), entry);
}

bool debug_info_definition(struct debug_info *d, int tag, const char *name, Dwarf_Die *ret)
{
	if (!d->definitions) {
		d->definitions = hash_new();
		visit_entries(d, index_definition);
	}
	auto_free char *key = definition_key(tag, name);
	return find(d->definitions, key, strlen(key), ret);
}
