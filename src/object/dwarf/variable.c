/* SPDX-License-Identifier: BSD-2-Clause */
/* variable - where a variable is at any place in a function (parameter.h) */
#include <dwarf.h>
#include <string.h>

#include "object/dwarf/debug_info.h"
#include "object/dwarf/expression.h"
#include "object/dwarf/source_place.h"

#define TYPEDEFS_MAX 64 /* damaged entries refer to themselves */

/* Where places in the frame are counted from at ADDRESS. */
static bool find_frame_base(Dwarf_Die *function, uint64_t address, const struct frame_place *cfa,
			    struct frame_place *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	*ret = (struct frame_place) { 0 };
	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, address, &ops, &count, 1) != 1 || count != 1)
		return false;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		*ret = *cfa;
	else
		ret->is_known = operation_is_register(&ops[0], &ret->number) ||
				operation_is_register_plus(&ops[0], &ret->number, &ret->offset);
	return ret->is_known;
}

/* What the first operation of E pushes: SUM, ADDRESS or CONSTANT; else UNKNOWN. */
static void find_pushed(struct expression *e, const struct frame_place *frame,
			struct parameter_place *ret)
{
	const Dwarf_Op *op = &e->ops[0];
	Dwarf_Addr address;
	ret->kind = PARAMETER_SUM;
	if (operation_is_register_plus(op, &ret->registers[0], &ret->offset))
		return;
	ret->of_entry = expression_is_of_entry(e, &ret->registers[0]);
	if (ret->of_entry)
		return;
	if (op->atom == DW_OP_fbreg && frame->is_known) {
		ret->registers[0] = frame->number;
		ret->offset = frame->offset + (int64_t)op->number;
		return;
	}
	ret->kind = PARAMETER_CONSTANT;
	if (operation_is_number(op, &ret->value))
		return;
	ret->kind = PARAMETER_ADDRESS;
	if (operation_is_address(&e->attribute, op, &address))
		ret->value = (int64_t)address;
	else
		ret->kind = PARAMETER_UNKNOWN;
}

/* The operations from FIRST on, until the one before END, add a number to RET. */
static bool adds_number(const struct expression *e, size_t first, size_t end,
			struct parameter_place *ret)
{
	int64_t *sum = ret->kind == PARAMETER_SUM ? &ret->offset : &ret->value, number;
	for (size_t i = first; i < end; i++) {
		const Dwarf_Op *op = &e->ops[i];
		if (op->atom == DW_OP_plus_uconst) {
			*sum = (int64_t)((uint64_t)*sum + op->number);
			continue;
		}
		if (!operation_is_number(op, &number) || ++i == end ||
		    (e->ops[i].atom != DW_OP_plus && e->ops[i].atom != DW_OP_minus))
			return false;
		number = e->ops[i].atom == DW_OP_minus ? (int64_t) - (uint64_t)number : number;
		*sum = (int64_t)((uint64_t)*sum + (uint64_t)number);
	}
	return true;
}

/* E's operations push an address, or a value that DW_OP_stack_value ends. */
static bool find_computed(struct expression *e, const struct frame_place *frame,
			  struct parameter_place *ret)
{
	bool is_value = e->ops[e->count - 1].atom == DW_OP_stack_value;
	find_pushed(e, frame, ret);
	if (ret->kind == PARAMETER_UNKNOWN || !adds_number(e, 1, e->count - is_value, ret))
		return false;
	if (!is_value && ret->kind == PARAMETER_SUM)
		ret->kind = PARAMETER_MEMORY;
	else if (!is_value)
		ret->kind = ret->kind == PARAMETER_ADDRESS ? PARAMETER_STATIC : PARAMETER_UNKNOWN;
	return ret->kind != PARAMETER_UNKNOWN;
}

static bool find_in_registers(struct expression *e, Dwarf_Die *function,
			      struct parameter_place *ret)
{
	ret->kind = PARAMETER_REGISTERS;
	ret->count = 1;
	return (e->count == 1 && operation_is_register(&e->ops[0], &ret->registers[0])) ||
	       expression_is_registers(e, entry_word(function), ret);
}

struct parameter_place variable_place(Dwarf_Die *function, Dwarf_Die *entry, uint64_t address,
				      const struct frame_place *cfa)
{
	struct expression e = { .count = 0 };
	struct parameter_place ret;
	struct frame_place frame;
	if (entry_constant(entry, &ret))
		return ret;
	memset(&ret, 0, sizeof(ret));
	ret.kind = PARAMETER_GONE;
	if (!dwarf_attr(entry, DW_AT_location, &e.attribute) ||
	    dwarf_getlocation_addr(&e.attribute, address, &e.ops, &e.count, 1) != 1 || !e.count)
		return ret;
	if (find_in_registers(&e, function, &ret))
		return ret;
	ret.kind = PARAMETER_CONSTANT;
	if (e.count == 1 && expression_is_implicit(&e, &ret.value))
		return ret;
	find_frame_base(function, address, cfa, &frame);
	if (!find_computed(&e, &frame, &ret))
		ret.kind = PARAMETER_UNKNOWN;
	return ret;
}

/* Of a variable whose type is ENTRY's; without names and qualifiers. */
static bool type_entry(Dwarf_Die *entry, Dwarf_Die *ret)
{
	Dwarf_Attribute attribute;
	Dwarf_Die at = *entry;
	for (unsigned i = 0; i < TYPEDEFS_MAX; i++) {
		if (!dwarf_attr_integrate(&at, DW_AT_type, &attribute) ||
		    !dwarf_formref_die(&attribute, ret))
			return false;
		int tag = dwarf_tag(ret);
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_restrict_type &&
		    tag != DW_TAG_atomic_type && tag != DW_TAG_enumeration_type)
			return true;
		if (tag == DW_TAG_enumeration_type && !dwarf_hasattr(ret, DW_AT_type))
			return true;
		at = *ret;
	}
	return false;
}

static unsigned small_attribute(Dwarf_Die *entry, unsigned name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;
	return dwarf_attr_integrate(entry, name, &attribute) &&
			       dwarf_formudata(&attribute, &value) == 0 && value <= UINT16_MAX
		       ? (unsigned)value
		       : 0;
}

struct variable_type variable_type(Dwarf_Die *entry)
{
	Dwarf_Die type;
	struct variable_type ret = { 0 };
	if (!type_entry(entry, &type))
		return ret;
	unsigned encoding = small_attribute(&type, DW_AT_encoding);
	ret.size = small_attribute(&type, DW_AT_byte_size);
	switch (dwarf_tag(&type)) {
	case DW_TAG_base_type:
		ret.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
		ret.is_scalar = encoding != DW_ATE_float && encoding != DW_ATE_complex_float;
		break;
	case DW_TAG_enumeration_type:
		ret.is_scalar = true;
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		ret.is_scalar = true;
		ret.size = entry_word(&type);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		ret.is_struct = true;
		break;
	default:
		break;
	}
	return ret;
}

/* --- by name ---------------------------------------------------------------------------------- */

/* Among the children of SCOPE.  An extern in a function is not a variable of it. */
static bool scope_has(Dwarf_Die *scope, const char *name, Dwarf_Die *ret)
{
	Dwarf_Die entry;
	bool found = false;
	if (dwarf_child(scope, &entry) != 0)
		return false;
	do {
		int tag = dwarf_tag(&entry);
		const char *its = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter
					  ? dwarf_diename(&entry)
					  : NULL;
		if (!its || !string_equal(its, name) || dwarf_hasattr(&entry, DW_AT_declaration))
			continue;
		*ret = entry;
		found = true;
	} while (dwarf_siblingof(&entry, &entry) == 0);
	return found;
}

/* Is COPY, of an inlined function, called at LINE?  Then code of LINE in it is its caller's. */
static bool is_called_at(Dwarf_Die *copy, const struct source_place *line)
{
	struct source_place call = source_place_of_call(copy);
	return line && call.file && call.line == line->line &&
	       string_equal(path_base_name(call.file), line->file);
}

bool variable_in_scope(struct debug_info *d, uint64_t address, const struct source_place *line,
		       const char *name, Dwarf_Die *function, struct parameter_entry *ret)
{
	uint64_t begin;
	if (!debug_info_function(d, address, "", function, &begin))
		return false;
	Dwarf_Die at = *function, source = *function;
	bool found = scope_has(&at, name, &ret->entry);
	for (unsigned depth = 0; depth < BLOCKS_DEPTH_MAX && entry_enter(&at, address); depth++) {
		bool is_inlined = dwarf_tag(&at) == DW_TAG_inlined_subroutine;
		if (is_inlined && is_called_at(&at, line))
			break;
		if (is_inlined)
			source = at;
		found = scope_has(&at, name, &ret->entry) || (found && !is_inlined);
	}
	ret->is_missing = !found;
	source = entry_origin(&source);
	return found || scope_has(&source, name, &ret->entry);
}
