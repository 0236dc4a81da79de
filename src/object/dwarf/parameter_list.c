/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/parameter.h"

#include <dwarf.h>

/* Compilers make instances of instances; damaged entries refer to themselves. */
#define ORIGINS_MAX 8

Dwarf_Die entry_origin(const Dwarf_Die *entry)
{
	Dwarf_Die at = *entry, next;
	Dwarf_Attribute attribute;
	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &attribute) ||
		    !dwarf_formref_die(&attribute, &next))
			break;
		at = next;
	}
	return at;
}

/* Those of a template's parameter pack are one level further down. */
static bool add_children(Dwarf_Die *parent, bool is_pack, parameter_entries *ret)
{
	Dwarf_Die child;
	int end = dwarf_child(parent, &child);
	for (; end == 0; end = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		if (tag == DW_TAG_formal_parameter)
			vector_push(ret, (struct parameter_entry) { .entry = child });
		else if (tag == DW_TAG_GNU_formal_parameter_pack && !is_pack &&
			 !add_children(&child, true, ret))
			return false;
	}
	return end > 0;
}

static bool is_artificial(Dwarf_Die *parameter)
{
	Dwarf_Attribute attribute;
	bool is = false;
	if (dwarf_attr(parameter, DW_AT_artificial, &attribute))
		dwarf_formflag(&attribute, &is);
	return is;
}

/*
 * The index in OWN of the instance of SOURCE, or OWN->count.  ORIGINS: of OWN.  Most lists have the
 * same order, so the search begins at LIKELY.
 */
static size_t instance_of(const Dwarf_Die *source, const parameter_entries *own,
			  const Dwarf_Die *origins, size_t likely)
{
	for (size_t i = 0; i < own->count; i++) {
		size_t at = (likely + i) % own->count;
		if (origins[at].addr == source->addr)
			return at;
	}
	return own->count;
}

/* OWN in the order of SOURCE; parameters that are not in the source are last. */
static void order_as_source(const parameter_entries *source, parameter_entries *own)
{
	parameter_entries ordered = { 0 };
	auto_free Dwarf_Die *origins = mem_alloc((own->count + 1) * sizeof(*origins));
	auto_free bool *is_ordered = mem_zalloc(own->count + 1);
	for (size_t i = 0; i < own->count; i++)
		origins[i] = entry_origin(&own->items[i].entry);
	for (size_t i = 0, at = 0; i < source->count; i++) {
		struct parameter_entry p = source->items[i];
		size_t found = instance_of(&p.entry, own, origins, at);
		p.is_missing = found == own->count;
		/*
		 * gcc writes a constructor with the parameters of all its variants; what an
		 * instance lacks of these was not in the source.  `this` was, and is the first.
		 */
		if (p.is_missing && i && is_artificial(&p.entry))
			continue;
		vector_push(&ordered, p.is_missing ? p : own->items[found]);
		is_ordered[found] = true;
		at = p.is_missing ? at : found + 1;
	}
	for (size_t i = 0; i < own->count; i++)
		if (!is_ordered[i])
			vector_push(&ordered, own->items[i]);
	vector_free(own);
	*own = ordered;
}

bool parameter_list(Dwarf_Die *function, parameter_entries *ret)
{
	*ret = (parameter_entries) { 0 };
	Dwarf_Die origin = entry_origin(function);
	if (!add_children(function, false, ret))
		return false;
	if (origin.addr == function->addr)
		return true;
	parameter_entries source = { 0 };
	bool readable = add_children(&origin, false, &source);
	if (readable)
		order_as_source(&source, ret);
	vector_free(&source);
	return readable;
}
