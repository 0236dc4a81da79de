/* SPDX-License-Identifier: BSD-2-Clause */
#include "object/dwarf/parameter.h"

#include <dwarf.h>

#include "object/dwarf/expression.h"

/* --- functions with other parameters than their source's -------------------------------------- */

/* gcc marks the copies that it makes; those of .cold are parts. */
static bool is_compiler_copy(const char *name)
{
	static const char *const marks[] = { ".isra.", ".constprop.", ".part." };
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (strstr(name, marks[i]))
			return true;
	return false;
}

/* clang says so: DW_CC_nocall since 17, ms_abi and others always. */
static bool has_own_convention(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	Dwarf_Word convention;
	return dwarf_attr_integrate(entry, DW_AT_calling_convention, &attribute) &&
	       dwarf_formudata(&attribute, &convention) == 0 && convention != DW_CC_normal &&
	       convention != DW_CC_program;
}

/* The compiler of the unit that ENTRY is in, and its options; NULL: not known. */
static const char *producer_of(Dwarf_Die *entry)
{
	Dwarf_Die unit;
	Dwarf_Attribute attribute;
	return dwarf_diecu(entry, &unit, NULL, NULL) &&
			       dwarf_attr(&unit, DW_AT_producer, &attribute)
		       ? dwarf_formstring(&attribute)
		       : NULL;
}

static bool is_external(Dwarf_Die *entry)
{
	Dwarf_Attribute attribute;
	bool external;
	return dwarf_attr_integrate(entry, DW_AT_external, &attribute) &&
	       dwarf_formflag(&attribute, &external) == 0 && external;
}

/* gcc's output at link time, where it knows all callers of functions that are not exported. */
static bool is_made_by_linking(Dwarf_Die *entry)
{
	const char *producer = producer_of(entry);
	return producer && strncmp(producer, "GNU GIMPLE", 10) == 0;
}

/*
 * May code call the function that the compiler has not seen?  The linker makes hidden symbols
 * local; other local ones have been so since they were compiled, whatever the source says: clang
 * does that at link time.
 */
static bool has_unknown_callers(Dwarf_Die *entry, const struct elf_symbol *symbol)
{
	if (!is_external(entry))
		return false;
	return symbol->global || symbol->weak || (symbol->hidden && !is_made_by_linking(entry));
}

static bool parameter_has_place(const struct parameter_entry *p)
{
	Dwarf_Die entry = p->entry;
	return !p->is_missing &&
	       (dwarf_hasattr(&entry, DW_AT_location) || dwarf_hasattr(&entry, DW_AT_const_value));
}

/* Without optimization each parameter has a place; of a removed one nothing is left to say. */
static bool have_all_places(const parameter_entries *parameters)
{
	for (size_t i = 0; i < parameters->count; i++)
		if (!parameter_has_place(&parameters->items[i]))
			return false;
	return true;
}

bool function_is_as_written(Dwarf_Die *entry, const struct elf_symbol *symbol,
			    const parameter_entries *parameters)
{
	return !is_compiler_copy(symbol->name) && !has_own_convention(entry) &&
	       (has_unknown_callers(entry, symbol) || have_all_places(parameters));
}

bool function_keeps_result(Dwarf_Die *entry, const char *name)
{
	return !strstr(name, ".isra.") && !strstr(name, ".part.") && !has_own_convention(entry);
}

/* Without optimization gcc gives parameters that are declared `register` one that the prologue
 * fills, and says that they are there in the whole function. */
static bool is_without_optimization(Dwarf_Die *function)
{
	const char *producer = producer_of(function);
	if (!producer || strncmp(producer, "GNU C", 5) != 0)
		return false;
	const char *level = NULL;
	for (const char *next = producer; (next = strstr(next, " -O")); next += 3)
		level = next + 3;
	return !level || *level == '0';
}

/* --- expressions ------------------------------------------------------------------------------ */

bool operation_is_register(const Dwarf_Op *op, unsigned *ret)
{
	bool is_short = op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31;
	if (!is_short && (op->atom != DW_OP_regx || op->number > UINT16_MAX))
		return false;
	*ret = is_short ? op->atom - (unsigned)DW_OP_reg0 : (unsigned)op->number;
	return true;
}

bool operation_is_register_plus(const Dwarf_Op *op, unsigned *ret, int64_t *offset)
{
	bool is_short = op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;
	if (!is_short && (op->atom != DW_OP_bregx || op->number > UINT16_MAX))
		return false;
	*ret = is_short ? op->atom - (unsigned)DW_OP_breg0 : (unsigned)op->number;
	*offset = (int64_t)(is_short ? op->number : op->number2);
	return true;
}

bool operation_is_number(const Dwarf_Op *op, int64_t *ret)
{
	switch (op->atom) {
	case DW_OP_lit0 ... DW_OP_lit31:
		*ret = op->atom - DW_OP_lit0;
		return true;
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_consts:
		*ret = (int64_t)op->number; /* libdw has extended it by its sign */
		return true;
	default:
		return false;
	}
}

bool expression_is_of_entry(struct expression *e, unsigned *ret)
{
	Dwarf_Attribute inner;
	Dwarf_Op *ops;
	size_t count;
	const Dwarf_Op *op = &e->ops[0];
	return (op->atom == DW_OP_entry_value || op->atom == DW_OP_GNU_entry_value) &&
	       dwarf_getlocation_attr(&e->attribute, op, &inner) == 0 &&
	       dwarf_getlocation(&inner, &ops, &count) == 0 && count == 1 &&
	       operation_is_register(&ops[0], ret);
}

unsigned entry_word(Dwarf_Die *entry)
{
	Dwarf_Die unit;
	uint8_t size;
	return dwarf_diecu(entry, &unit, &size, NULL) && size == 4 ? 4 : 8;
}

bool expression_is_registers(const struct expression *e, unsigned word, struct parameter_place *ret)
{
	ret->count = (unsigned)(e->count / 2);
	if (e->count % 2 || e->count > 2 * PARAMETER_REGISTERS_MAX)
		return false;
	for (size_t i = 0; i < e->count; i += 2) {
		bool is_last = i + 2 == e->count;
		const Dwarf_Op *piece = &e->ops[i + 1];
		if (!operation_is_register(&e->ops[i], &ret->registers[i / 2]) ||
		    piece->atom != DW_OP_piece ||
		    (is_last ? piece->number > word : piece->number != word))
			return false;
	}
	return true;
}

bool expression_is_implicit(struct expression *e, int64_t *ret)
{
	Dwarf_Block block;
	if (e->ops[0].atom != DW_OP_implicit_value ||
	    dwarf_getlocation_implicit_value(&e->attribute, e->ops, &block) != 0 ||
	    block.length > sizeof(*ret))
		return false;
	*ret = 0;
	memcpy(ret, block.data, block.length);
	return true;
}

/* A value that is not in memory: DW_OP_stack_value is after the operations that compute it. */
static bool find_value(struct expression *e, struct parameter_place *ret)
{
	int64_t offset;
	ret->kind = PARAMETER_CONSTANT;
	if (operation_is_number(&e->ops[0], &ret->value))
		return true;
	ret->kind = PARAMETER_REGISTERS;
	ret->count = 1;
	return expression_is_of_entry(e, &ret->registers[0]) || /* this is the entry */
	       (operation_is_register_plus(&e->ops[0], &ret->registers[0], &offset) && offset == 0);
}

/* Are places in the frame counted from where the caller's begins, which the prologue does not
 * change? */
static bool is_frame_of_caller(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	return dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) &&
	       dwarf_getlocation(&attribute, &ops, &count) == 0 && count == 1 &&
	       ops[0].atom == DW_OP_call_frame_cfa;
}

/* What a sole operation says.  ALWAYS: it is valid in the whole function, so not at its entry. */
static bool find_sole(struct expression *e, Dwarf_Die *function, bool always,
		      struct parameter_place *ret)
{
	const Dwarf_Op *op = &e->ops[0];
	ret->kind = PARAMETER_REGISTERS;
	ret->count = 1;
	if (operation_is_register(op, &ret->registers[0]))
		return true;
	ret->kind = PARAMETER_CONSTANT;
	if (expression_is_implicit(e, &ret->value))
		return true;
	ret->kind = PARAMETER_ON_STACK;
	ret->offset = (int64_t)op->number;
	if (op->atom == DW_OP_fbreg)
		return ret->offset >= 0 && is_frame_of_caller(function);
	ret->kind = PARAMETER_MEMORY;
	return !always && operation_is_register_plus(op, &ret->registers[0], &ret->offset);
}

static bool find_place(struct expression *e, Dwarf_Die *function, bool always,
		       struct parameter_place *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (e->count == 1)
		return find_sole(e, function, always, ret);
	if (e->count == 2 && e->ops[1].atom == DW_OP_stack_value)
		return find_value(e, ret);
	ret->kind = PARAMETER_REGISTERS;
	return expression_is_registers(e, entry_word(function), ret);
}

/* The prologue has stored the object's address in the frame. */
static bool is_pointed_to(const struct expression *e)
{
	return e->count == 2 && e->ops[0].atom == DW_OP_fbreg && e->ops[1].atom == DW_OP_deref;
}

/* --- parameters ------------------------------------------------------------------------------- */

static bool is_list(Dwarf_Attribute *location)
{
	switch (dwarf_whatform(location)) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		return false;
	default:
		return true;
	}
}

/* Negative numbers have a form that says so. */
bool entry_constant(Dwarf_Die *parameter, struct parameter_place *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword negative;
	Dwarf_Word value;
	if (!dwarf_attr_integrate(parameter, DW_AT_const_value, &attribute))
		return false;
	unsigned form = dwarf_whatform(&attribute);
	bool is_signed = form == DW_FORM_sdata || form == DW_FORM_implicit_const;
	if (is_signed ? dwarf_formsdata(&attribute, &negative) != 0
		      : dwarf_formudata(&attribute, &value) != 0)
		return false;
	*ret = (struct parameter_place) { .kind = PARAMETER_CONSTANT,
					  .value = is_signed ? negative : (int64_t)value };
	return true;
}

struct parameter_place parameter_place(Dwarf_Die *function, const struct parameter_entry *parameter,
				       uint64_t begin, bool is_as_written)
{
	Dwarf_Die entry = parameter->entry;
	struct expression e = { .count = 0 };
	struct parameter_place ret;
	if (parameter->is_missing)
		return (struct parameter_place) {
			.kind = is_as_written ? PARAMETER_BY_CALL : PARAMETER_GONE,
		};
	if (entry_constant(&entry, &ret))
		return ret;
	bool has = dwarf_attr(&entry, DW_AT_location, &e.attribute) &&
		   dwarf_getlocation_addr(&e.attribute, begin, &e.ops, &e.count, 1) == 1 && e.count;
	bool always = has && !is_list(&e.attribute);
	if (has && find_place(&e, function, always, &ret) &&
	    !(always && ret.kind == PARAMETER_REGISTERS && is_without_optimization(function)))
		return ret;
	return (struct parameter_place) {
		.kind = is_as_written ? PARAMETER_BY_CALL : PARAMETER_GONE,
		.by_address = has && is_pointed_to(&e),
	};
}
