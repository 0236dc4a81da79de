/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_body - the members and enumerators of types of programs and libraries
 *
 * A member whose place is only known when the program runs (a virtual base of C++) is absent.  The
 * members of the variants of Rust's enums are members of the whole, each with its condition.
 */
#include <dwarf.h>

#include "types/model.h"

/* Where the member ENTRY begins, in bytes; false: only known when the program runs. */
static bool member_offset(Dwarf_Die *entry, uint64_t *ret)
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
	if (!member_offset(entry, &begin) || begin > UINT32_MAX / 8)
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

typedef VECTOR(struct member) member_vector;

static const char *why_absent(Dwarf_Die *entry)
{
	return dwarf_tag(entry) == DW_TAG_inheritance
		       ? "is a virtual base, whose place is known only at run time"
		       : "is at a place that the debug information does not tell";
}

/* The members among ENTRY's children, each with VARIANT. */
static void dwarf_add_members(struct type_body *body, Dwarf_Die *entry,
			      const struct variant *variant, member_vector *ret)
{
	struct types *t = body->owner;
	Dwarf_Die child;
	for (int end = dwarf_child(entry, &child); end == 0;
	     end = dwarf_siblingof(&child, &child)) {
		if (!is_member(&child))
			continue;
		struct member m = { .type = entry_type(t, body->described->info, &child, 0),
				    .variant = variant,
				    .align = entry_align(&child) };
		m.name = dwarf_tag(&child) == DW_TAG_member ? entry_name(t, &child) : NULL;
		if (!bits_of(&child, m.type, &m)) {
			m.bit_offset = m.bit_size = 0;
			m.absent = why_absent(&child);
		}
		vector_push(ret, m);
	}
}

/* --- variants --- */

/* The number that a tag of SIZE bytes has in VARIANT; false: in all for which no other has one. */
static bool variant_number(Dwarf_Die *variant, uint32_t size, uint64_t *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword number;
	if (!dwarf_attr(variant, DW_AT_discr_value, &attribute) ||
	    dwarf_formsdata(&attribute, &number) != 0)
		return false;
	*ret = size < 8 ? (uint64_t)number & ((1ull << 8 * size) - 1) : (uint64_t)number;
	return true;
}

/* The place of the tag of the variants in PART; false: it cannot be read. */
static bool variant_has_tag(struct type_body *body, Dwarf_Die *part, struct variant *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Die tag;
	uint64_t offset;
	if (!dwarf_attr(part, DW_AT_discr, &attribute) || !dwarf_formref_die(&attribute, &tag) ||
	    !member_offset(&tag, &offset) || offset > UINT32_MAX)
		return false;
	ret->tag_offset = (uint32_t)offset;
	ret->tag_size = type_size(entry_type(body->owner, body->described->info, &tag, 0));
	return ret->tag_size >= 1 && ret->tag_size <= 8;
}

/* The numbers of all variants in PART. */
static void list_numbers(struct types *t, Dwarf_Die *part, struct variant *ret)
{
	VECTOR(uint64_t) numbers = { 0 };
	Dwarf_Die child;
	uint64_t number;
	for (int end = dwarf_child(part, &child); end == 0; end = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_variant &&
		    variant_number(&child, ret->tag_size, &number))
			vector_push(&numbers, number);
	uint64_t *copy = arena_alloc(t->arena, numbers.count * sizeof(*copy));
	if (numbers.count)
		memcpy(copy, numbers.items, numbers.count * sizeof(*copy));
	ret->numbers = copy;
	ret->count = (unsigned)numbers.count;
	ret->is_other = true;
	vector_free(&numbers);
}

/* The condition of the variant ENTRY, of those with the numbers of OTHER. */
static const struct variant *condition_of(struct types *t, Dwarf_Die *entry,
					  const struct variant *other)
{
	struct variant *v = ARENA_NEW(t->arena, struct variant);
	uint64_t *number = ARENA_NEW(t->arena, uint64_t);
	*v = *other;
	if (variant_number(entry, other->tag_size, number)) {
		v->numbers = number;
		v->count = 1;
		v->is_other = false;
	}
	return v;
}

/* A sole variant needs no tag. */
static void add_variants(struct type_body *body, Dwarf_Die *part, member_vector *ret)
{
	struct types *t = body->owner;
	struct variant other = { 0 };
	bool is_sole = !dwarf_hasattr(part, DW_AT_discr);
	bool is_known = !is_sole && variant_has_tag(body, part, &other);
	if (is_known)
		list_numbers(t, part, &other);
	Dwarf_Die child;
	for (int end = dwarf_child(part, &child); end == 0; end = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_variant)
			continue;
		size_t first = ret->count;
		dwarf_add_members(body, &child, is_known ? condition_of(t, &child, &other) : NULL,
				  ret);
		for (size_t i = first; i < ret->count && !is_sole && !is_known; i++)
			ret->items[i].absent = "is there only in some values, and the debug "
					       "information does not tell in which";
	}
}

static void dwarf_load_members(struct type_body *body, Dwarf_Die *entry)
{
	member_vector members = { 0 };
	Dwarf_Die child;
	dwarf_add_members(body, entry, NULL, &members);
	for (int end = dwarf_child(entry, &child); end == 0; end = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_variant_part)
			add_variants(body, &child, &members);
	body->count = (unsigned)members.count;
	body->members = arena_alloc(body->owner->arena, members.count * sizeof(*body->members));
	if (members.count)
		memcpy(body->members, members.items, members.count * sizeof(*body->members));
	vector_free(&members);
}

static bool is_enumerator(Dwarf_Die *entry)
{
	return dwarf_tag(entry) == DW_TAG_enumerator;
}

/* Negative ones have a form that says so: 200 in one plain byte is not -56. */
static bool enumerator_value(Dwarf_Die *enumerator, int64_t *ret)
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

static void dwarf_load_enumerators(struct type_body *body, Dwarf_Die *entry)
{
	struct types *t = body->owner;
	unsigned count = count_children(entry, is_enumerator);
	body->enumerators = arena_alloc(t->arena, count * sizeof(*body->enumerators));
	Dwarf_Die child;
	for (int end = dwarf_child(entry, &child); end == 0;
	     end = dwarf_siblingof(&child, &child)) {
		struct enumerator e = { 0 };
		if (is_enumerator(&child) && enumerator_value(&child, &e.value) &&
		    (e.name = entry_name(t, &child)))
			body->enumerators[body->count++] = e;
	}
}

void described_load(struct type_body *body)
{
	Dwarf_Die entry = body->described->entry;
	if (body->kind == TYPE_ENUM)
		dwarf_load_enumerators(body, &entry);
	else
		dwarf_load_members(body, &entry);
}
