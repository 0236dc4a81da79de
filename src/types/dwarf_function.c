/* SPDX-License-Identifier: BSD-2-Clause */
/* dwarf_function - the parameters and results of functions of programs and libraries */
#include <dwarf.h>

#include "object/parameter.h"
#include "types/model.h"

/* The compiler says whether it passes values in registers. */
static bool is_go_in_registers(Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	const char *producer =
		dwarf_attr(unit, DW_AT_producer, &attribute) ? dwarf_formstring(&attribute) : NULL;
	return producer && strstr(producer, "regabi");
}

/* Assemblers describe functions, too, but not their parameters. */
static bool has_parameters(Dwarf_Die *entry, enum object_convention *ret)
{
	Dwarf_Die unit;
	int language = dwarf_diecu(entry, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
	*ret = CONVENTION_C;
	if (language == DW_LANG_Rust)
		*ret = CONVENTION_RUST;
	if (language == DW_LANG_Go)
		*ret = is_go_in_registers(&unit) ? CONVENTION_GO : CONVENTION_UNKNOWN;
	return language != DW_LANG_Mips_Assembler;
}

struct listing {
	struct types *types;
	struct debug_info *info;
	Dwarf_Die *function;
	uint64_t begin;
	bool is_as_written;
};

static struct object_parameter parameter_of(const struct listing *l, Dwarf_Die *entry)
{
	struct parameter_place *place = ARENA_NEW(l->types->arena, struct parameter_place);
	*place = parameter_place(l->function, entry, l->begin, l->is_as_written);
	return (struct object_parameter) { entry_name(l->types, entry),
					   entry_type(l->types, l->info, entry, 0), place };
}

/* Go's results are parameters, too. */
static bool is_result(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	bool is = false;
	if (dwarf_attr_integrate(entry, DW_AT_variable_parameter, &attribute))
		dwarf_formflag(&attribute, &is);
	return is;
}

/* All parameters, or all that are RESULTS; false: they cannot be read. */
static bool list_parameters(const struct listing *l, bool results,
			    const struct object_parameter **ret, unsigned *ret_count)
{
	VECTOR(struct object_parameter) all = { 0 };
	Dwarf_Die child;
	int end = dwarf_child(l->function, &child);
	for (; end == 0; end = dwarf_siblingof(&child, &child))
		if (dwarf_tag(&child) == DW_TAG_formal_parameter && is_result(&child) == results)
			vector_push(&all, parameter_of(l, &child));
	unsigned count = (unsigned)all.count;
	struct object_parameter *copy = arena_alloc(l->types->arena, count * sizeof(*copy));
	if (count)
		memcpy(copy, all.items, count * sizeof(*copy));
	*ret = copy;
	*ret_count = count;
	vector_free(&all);
	return end > 0;
}

const struct object_function *types_object_function(struct types *t, struct debug_info *info,
						    uint64_t address, const char *name)
{
	Dwarf_Die entry;
	struct listing l = { t, info, &entry, 0, false };
	struct object_function *ret = ARENA_NEW(t->arena, struct object_function);
	if (!info || !debug_info_function(info, address, name, &entry, &l.begin) ||
	    !has_parameters(&entry, &ret->convention))
		return NULL;
	l.is_as_written = function_is_as_written(&entry, name);
	if (!list_parameters(&l, false, &ret->parameters, &ret->count) ||
	    !list_parameters(&l, true, &ret->results, &ret->result_count))
		return NULL;
	ret->result = entry_type(t, info, &entry, 0);
	ret->keeps_result = function_keeps_result(&entry, name);
	return ret;
}
