/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarf_class - how calls of C++ pass the objects of a class
 *
 * By the address of a copy, if copying, moving or destroying one is a function (Itanium C++ ABI,
 * "non-trivial for the purposes of calls").  clang says so with the class; for gcc the class's
 * functions are looked at, those of its bases and members, too.
 */
#include <dwarf.h>

#include "types/model.h"

#define DEPTH_MAX 16
#define STEPS_MOST 65536 /* damaged debug information may nest any number of members */

static bool has_flag(Dwarf_Die *entry, unsigned name)
{
	Dwarf_Attribute attribute;
	bool flag;
	return dwarf_attr_integrate(entry, name, &attribute) &&
	       dwarf_formflag(&attribute, &flag) == 0 && flag;
}

/* Not made by the compiler; one that is deleted cannot be called. */
static bool is_written(Dwarf_Die *function)
{
	uint64_t defaulted = DW_DEFAULTED_no;
	entry_number(function, DW_AT_defaulted, &defaulted);
	return !has_flag(function, DW_AT_artificial) && !has_flag(function, DW_AT_deleted) &&
	       defaulted != DW_DEFAULTED_in_class;
}

static bool refers_to(Dwarf_Die *parameter, Dwarf_Die *class)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;
	if (!dwarf_attr_integrate(parameter, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &type))
		return false;
	int tag = dwarf_tag(&type);
	if ((tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) ||
	    !dwarf_attr_integrate(&type, DW_AT_type, &attribute) ||
	    !dwarf_formref_die(&attribute, &type))
		return false;
	if (dwarf_tag(&type) == DW_TAG_const_type &&
	    dwarf_attr_integrate(&type, DW_AT_type, &attribute))
		dwarf_formref_die(&attribute, &type);
	return type.addr == class->addr;
}

/* The constructors of list<int> are called list. */
static bool is_constructor(const char *name, const char *class)
{
	size_t len = strcspn(class, "<");
	return strlen(name) == len && strncmp(name, class, len) == 0;
}

/* The first parameter is `this`. */
static bool constructor_copies(Dwarf_Die *function, Dwarf_Die *class)
{
	Dwarf_Die parameter;
	return dwarf_child(function, &parameter) == 0 &&
	       dwarf_siblingof(&parameter, &parameter) == 0 && refers_to(&parameter, class);
}

static bool is_special(Dwarf_Die *function, Dwarf_Die *class)
{
	const char *name = dwarf_diename(function), *its = dwarf_diename(class);
	if (!name || !its)
		return false;
	return name[0] == '~' || (is_constructor(name, its) && constructor_copies(function, class));
}

static bool has_special_function(Dwarf_Die *class)
{
	Dwarf_Die child;
	uint64_t is_virtual;
	for (int end = dwarf_child(class, &child); end == 0;
	     end = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		if (tag != DW_TAG_subprogram && tag != DW_TAG_inheritance)
			continue;
		if (entry_number(&child, DW_AT_virtuality, &is_virtual) && is_virtual)
			return true; /* copies set the pointer to the table */
		if (tag == DW_TAG_subprogram && is_special(&child, class) && is_written(&child))
			return true;
	}
	return false;
}

static bool is_by_address(struct types *t, const struct type *type, unsigned depth, unsigned *steps)
{
	type = type_resolve(type);
	if (type->kind == TYPE_ARRAY && depth)
		return is_by_address(t, type->target, depth - 1, steps);
	if (!type_is_struct(type) || !type->body->described || !depth || *steps == STEPS_MOST)
		return false;
	++*steps;
	Dwarf_Die class = type->body->described->entry;
	uint64_t convention;
	if (entry_number(&class, DW_AT_calling_convention, &convention))
		return convention == DW_CC_pass_by_reference;
	if (has_special_function(&class))
		return true;
	for (unsigned i = 0; i < type_member_count(t, type); i++)
		if (is_by_address(t, type_member_at(t, type, i)->type, depth - 1, steps))
			return true;
	return false;
}

bool type_is_passed_by_address(struct types *t, const struct type *type)
{
	unsigned steps = 0;
	return is_by_address(t, type, DEPTH_MAX, &steps);
}
