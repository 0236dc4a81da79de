/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_body - the members and enumerators of types of programs and libraries
 *
 * A member whose place is only known when the program runs is left out.
 */
#include <dwarf.h>

#include "types/model.h"

/* Where the member ENTRY begins, in bytes; false: only known when the program runs. */
static bool offset_of(Dwarf_Die *entry, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *op;
	size_t count;
	*ret = 0;
	if (!dwarf_attr(entry, DW_AT_data_member_location, &attribute) ||
	    entry_number(entry, DW_AT_data_member_location, ret))
		return true;
	if (dwarf_getlocation(&attribute, &op, &count) != 0 || count != 1 ||
	    op->atom != DW_OP_plus_uconst)
		return false;
	*ret = op->number;
	return true;
}

/* DWARF 4 and later count from the struct's begin, older ones from the end of the member's unit. */
static bool bits_of(Dwarf_Die *entry, const struct type *type, struct member *m)
{
	uint64_t begin, bits, from_end, at = 0, unit = type_size(type);
	if (!offset_of(entry, &begin) || begin > UINT32_MAX / 8)
		return false;
	m->bit_offset = (uint32_t)begin * 8;
	if (!entry_number(entry, DW_AT_bit_size, &bits))
		return true;
	entry_number(entry, DW_AT_byte_size, &unit);
	if (entry_number(entry, DW_AT_data_bit_offset, &at))
		at -= m->bit_offset;
	else if (entry_number(entry, DW_AT_bit_offset, &from_end))
		at = unit * 8 - from_end - bits;
	if (bits == 0 || bits > 64 || at > UINT32_MAX - m->bit_offset)
		return false;
	m->bit_offset += (uint32_t)at;
	m->bit_size = (uint32_t)bits;
	return true;
}

/* Static members of C++ classes are elsewhere. */
static bool is_member(Dwarf_Die *entry)
{
	int tag = dwarf_tag(entry);
	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !dwarf_hasattr(entry, DW_AT_external) &&
		!dwarf_hasattr(entry, DW_AT_declaration));
}

static unsigned count_children(Dwarf_Die *entry, bool (*counts)(Dwarf_Die *))
{
	unsigned count = 0;
	Dwarf_Die child;
	for (int end = dwarf_child(entry, &child); end == 0; end = dwarf_siblingof(&child, &child))
		count += counts(&child);
	return count;
}

static void load_members(struct type_body *body, Dwarf_Die *entry)
{
	struct types *t = body->owner;
	unsigned count = count_children(entry, is_member);
	body->members = arena_alloc(t->arena, count * sizeof(*body->members));
	Dwarf_Die child;
	for (int end = dwarf_child(entry, &child); end == 0;
	     end = dwarf_siblingof(&child, &child)) {
		if (!is_member(&child))
			continue;
		struct member m = { .type = entry_type(t, body->described->info, &child, 0) };
		m.name = dwarf_tag(&child) == DW_TAG_member ? entry_name(t, &child) : NULL;
		if (bits_of(&child, m.type, &m))
			body->members[body->count++] = m;
	}
}

static bool is_enumerator(Dwarf_Die *entry)
{
	return dwarf_tag(entry) == DW_TAG_enumerator;
}

/* Negative ones have a form that says so: 200 in one plain byte is not -56. */
static bool value_of(Dwarf_Die *enumerator, int64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword negative;
	uint64_t value;
	if (!dwarf_attr(enumerator, DW_AT_const_value, &attribute))
		return false;
	unsigned form = dwarf_whatform(&attribute);
	bool has_sign = form == DW_FORM_sdata || form == DW_FORM_implicit_const;
	if (has_sign ? dwarf_formsdata(&attribute, &negative) != 0
		     : !entry_number(enumerator, DW_AT_const_value, &value))
		return false;
	*ret = has_sign ? negative : (int64_t)value;
	return true;
}

static void load_enumerators(struct type_body *body, Dwarf_Die *entry)
{
	struct types *t = body->owner;
	unsigned count = count_children(entry, is_enumerator);
	body->enumerators = arena_alloc(t->arena, count * sizeof(*body->enumerators));
	Dwarf_Die child;
	for (int end = dwarf_child(entry, &child); end == 0;
	     end = dwarf_siblingof(&child, &child)) {
		struct enumerator e = { 0 };
		if (is_enumerator(&child) && value_of(&child, &e.value) &&
		    (e.name = entry_name(t, &child)))
			body->enumerators[body->count++] = e;
	}
}

void described_load(struct type_body *body)
{
	Dwarf_Die entry = body->described->entry;
	if (body->kind == TYPE_ENUM)
		load_enumerators(body, &entry);
	else
		load_members(body, &entry);
}
