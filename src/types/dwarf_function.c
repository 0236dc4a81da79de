/* SPDX-License-Identifier: BSD-2-Clause */
/* dwarf_function - the parameters and results of functions of programs and libraries */
#include <dwarf.h>

#include "object/dwarf/inlined.h"
#include "object/dwarf/parameter.h"
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
	parameter_entries entries;
};

static struct object_parameter object_parameter_of(const struct listing *l,
						   const struct parameter_entry *p)
{
	Dwarf_Die entry = p->entry;
	struct parameter_place *place = ARENA_NEW(l->types->arena, struct parameter_place);
	*place = parameter_place(l->function, p, l->begin, l->is_as_written);
	return (struct object_parameter) { entry_name(l->types, &entry),
					   entry_type(l->types, l->info, &entry, 0), place };
}

/* Go's results are parameters, too. */
static bool is_result(const struct parameter_entry *p)
{
	Dwarf_Die entry = p->entry;
	Dwarf_Attribute attribute;
	bool is = false;
	if (dwarf_attr_integrate(&entry, DW_AT_variable_parameter, &attribute))
		dwarf_formflag(&attribute, &is);
	return is;
}

/* All parameters, or all that are RESULTS. */
static unsigned object_list_parameters(const struct listing *l, bool results,
				       const struct object_parameter **ret)
{
	size_t most = l->entries.count;
	struct object_parameter *list = arena_alloc(l->types->arena, most * sizeof(*list));
	unsigned count = 0;
	for (size_t i = 0; i < most; i++)
		if (is_result(&l->entries.items[i]) == results)
			list[count++] = object_parameter_of(l, &l->entries.items[i]);
	*ret = list;
	return count;
}

static bool has_readable_parameters(struct listing *l, const struct elf_symbol *symbol,
				    struct object_function *ret)
{
	if (!parameter_list(l->function, &l->entries))
		return false;
	l->is_as_written = function_is_as_written(l->function, symbol, &l->entries);
	ret->count = object_list_parameters(l, false, &ret->parameters);
	ret->result_count = object_list_parameters(l, true, &ret->results);
	return true;
}

const struct object_function *types_object_function(struct types *t, struct debug_info *info,
						    uint64_t address,
						    const struct elf_symbol *symbol)
{
	Dwarf_Die entry;
	struct listing l = { .types = t, .info = info, .function = &entry };
	struct object_function *ret = ARENA_NEW(t->arena, struct object_function);
	if (!info || !debug_info_function(info, address, symbol->name, &entry, &l.begin) ||
	    !has_parameters(&entry, &ret->convention))
		return NULL;
	bool readable = has_readable_parameters(&l, symbol, ret);
	vector_free(&l.entries);
	if (!readable)
		return NULL;
	ret->result = entry_type(t, info, &entry, 0);
	ret->keeps_result = function_keeps_result(&entry, symbol->name);
	return ret;
}

const struct object_function *types_inlined_function(struct types *t, struct debug_info *info,
						     const struct inlined_copy *copy)
{
	Dwarf_Die entry = copy->entry;
	struct listing l = { .types = t, .info = info, .function = &entry };
	struct object_function *ret = ARENA_NEW(t->arena, struct object_function);
	bool readable = parameter_list(&entry, &l.entries);
	if (readable)
		ret->count = object_list_parameters(&l, false, &ret->parameters);
	vector_free(&l.entries);
	return readable ? ret : NULL;
}

const struct type *types_of_variable(struct types *t, struct debug_info *info,
				     const struct parameter_entry *variable)
{
	Dwarf_Die entry = variable->entry;
	return entry_type(t, info, &entry, 0);
}
