/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expression - DWARF expressions as parameter.c and variable.c see them
 *
 * In:   what libdw has read of an attribute: operations with their numbers.
 * Out:  the registers and numbers in them.
 *
 * Compilers write few forms.  Each of these predicates is about one operation or one form; what
 * none of them knows is not followed.
 */
#ifndef OBJECT_DWARF_EXPRESSION_H
#define OBJECT_DWARF_EXPRESSION_H

#include "object/dwarf/parameter.h"

struct expression {
	Dwarf_Attribute attribute; /* that contains it */
	Dwarf_Op *ops;
	size_t count;
};

/* A register: DW_OP_regN, or DW_OP_regx N. */
bool operation_is_register(const Dwarf_Op *op, unsigned *ret);
/* The contents of a register, and a number to add. */
bool operation_is_register_plus(const Dwarf_Op *op, unsigned *ret, int64_t *offset);
/* DW_OP_lit0 and the like; *RET is extended by its sign. */
bool operation_is_number(const Dwarf_Op *op, int64_t *ret);

/* What a register contained at the function's entry: the first operation of E. */
bool expression_is_of_entry(struct expression *e, unsigned *ret);
/* [register, piece of a WORD] ... [register, the rest] */
bool expression_is_registers(const struct expression *e, unsigned word,
			     struct parameter_place *ret);
/* The bytes themselves. */
bool expression_is_implicit(struct expression *e, int64_t *ret);

/* Of the unit that ENTRY is in: bytes of an address, and of a general register. */
unsigned entry_word(Dwarf_Die *entry);
/* DW_AT_const_value of ENTRY; false: it has none. */
bool entry_constant(Dwarf_Die *entry, struct parameter_place *ret);

#endif
