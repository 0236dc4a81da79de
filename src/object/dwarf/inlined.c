/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/inlined.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "object/dwarf/functions.h"
#include "object/dwarf/parameter.h"

struct inlined_search {
	struct debug_info *d;
	bool (*is)(const void *arg, const char *name);
	const void *arg;
	struct hash *meant;   /* addresses of the bytes of entries without code */
	struct hash *holders; /* of copies: by address and name, the bytes of the function that has
				 them */
	struct inlined_copies *to;
};

/* --- functions that may be inlined ------------------------------------------------------------ */

static bool is_without_code(Dwarf_Die *function)
{
	return !dwarf_hasattr(function, DW_AT_low_pc) && !dwarf_hasattr(function, DW_AT_ranges) &&
	       !dwarf_hasattr(function, DW_AT_declaration);
}

/* In C no type has functions, and types are most of a unit's entries. */
static bool has_scopes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return false;
	default:
		return true;
	}
}

/* Among the children of PARENT; DEEP: and of their scopes.  The result: any is meant. */
static bool add_meant(struct inlined_search *s, Dwarf_Die *parent, bool deep, unsigned depth)
{
	Dwarf_Die entry;
	bool any = false;
	const char *name;
	if (depth == BLOCKS_DEPTH_MAX || dwarf_child(parent, &entry) != 0)
		return false;
	do {
		int tag = dwarf_tag(&entry);
		if (tag == DW_TAG_subprogram && is_without_code(&entry) &&
		    (name = debug_info_linker_name(&entry)) && s->is(s->arg, name)) {
			*hash_place(s->meant, &entry.addr, sizeof(entry.addr)) = entry.addr;
			any = true;
		}
		any |= deep && tag_is_scope(tag) && add_meant(s, &entry, deep, depth + 1);
	} while (dwarf_siblingof(&entry, &entry) == 0);
	return any;
}

/* --- copies ----------------------------------------------------------------------------------- */

static bool copy_address(Dwarf_Die *entry, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Addr base, begin, end, at;
	Dwarf_Word more;
	bool has_entry = dwarf_attr(entry, DW_AT_entry_pc, &attribute);
	if (has_entry && dwarf_formaddr(&attribute, &at) == 0)
		return *ret = at, true;
	if (dwarf_ranges(entry, 0, &base, &begin, &end) <= 0)
		return false;
	*ret = begin + (has_entry && dwarf_formudata(&attribute, &more) == 0 ? more : 0);
	return true;
}

/* Has no other function than the one of COPY the copies of this function at this address? */
static bool is_holder(struct inlined_search *s, const struct inlined_copy *copy)
{
	auto_free char *key = mem_printf("%" PRIx64 " %s", copy->address, copy->function);
	void **place = hash_place(s->holders, key, strlen(key));
	if (!*place)
		*place = copy->within.addr;
	return *place == copy->within.addr;
}

/* ENTRY is in the code of WITHIN, and there in CALLER: a copy, too, or WITHIN itself. */
static void copy_add(struct inlined_search *s, Dwarf_Die *entry, const Dwarf_Die *within,
		     Dwarf_Die *caller)
{
	Dwarf_Die origin = entry_origin(entry);
	struct inlined_copy copy = { .entry = *entry, .within = *within };
	if (!hash_get(s->meant, &origin.addr, sizeof(origin.addr)))
		return;
	copy.function = debug_info_linker_name(entry);
	if (!copy_address(entry, &copy.address)) /* nothing of its code is left */
		return;
	copy.place = source_place_of_call(entry);
	if (dwarf_tag(caller) == DW_TAG_inlined_subroutine)
		copy.place.function = debug_info_linker_name(caller);
	if (is_holder(s, &copy))
		vector_push(&s->to->list, copy);
}

/* Copies in PARENT, which is in the code of WITHIN (NULL: in none), and there in CALLER. */
static void add_copies(struct inlined_search *s, Dwarf_Die *parent, Dwarf_Die *within,
		       Dwarf_Die *caller, unsigned depth)
{
	Dwarf_Die entry;
	if (depth == BLOCKS_DEPTH_MAX || dwarf_child(parent, &entry) != 0)
		return;
	do {
		int tag = dwarf_tag(&entry);
		if (tag == DW_TAG_inlined_subroutine && within)
			copy_add(s, &entry, within, caller);
		if (tag == DW_TAG_subprogram)
			add_copies(s, &entry, &entry, &entry, depth + 1);
		else if (tag == DW_TAG_inlined_subroutine)
			add_copies(s, &entry, within, &entry, depth + 1);
		else if (entry_has_code(&entry) || tag_is_scope(tag))
			add_copies(s, &entry, within, caller, depth + 1);
	} while (dwarf_siblingof(&entry, &entry) == 0);
}

void inlined_find(struct debug_info *d, bool (*is)(const void *arg, const char *name),
		  const void *arg, struct inlined_copies *ret)
{
	struct inlined_search s = {
		.d = d, .is = is, .arg = arg, .meant = hash_new(), .holders = hash_new(), .to = ret
	};
	Dwarf_CU *at = NULL;
	Dwarf_Die unit;
	bool any = false;
	while (debug_info_next_whole_unit(d, &at, &unit))
		any |= add_meant(&s, &unit, has_scopes(&unit), 0);
	ret->is_known = any;
	at = NULL;
	while (any && debug_info_next_whole_unit(d, &at, &unit))
		add_copies(&s, &unit, NULL, NULL, 0);
	hash_free(s.meant);
	hash_free(s.holders);
}
