/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parameter - where a function's parameter is at the function's first instruction, by DWARF
 *
 * The place is what a debugger would use there: DW_AT_location or DW_AT_const_value.  Code without
 * optimization has a place that is right only after the prologue has stored the parameter; then,
 * and if nothing is said, the calling convention has the answer (PARAMETER_BY_CALL).  It has none
 * if the compiler has changed the function's parameters, which it may do if it sees all calls.
 */
#ifndef OBJECT_DWARF_PARAMETER_H
#define OBJECT_DWARF_PARAMETER_H

#include "base/base.h"
#include "object/dwarf/libdw.h"
#include "object/object.h"

/*
 * parameter_list.c - the parameters of a function, in the order of its source
 *
 * The entry of a copy that the compiler has made (f.constprop.0, f.isra.0), or of one for the calls
 * that are not inlined, has the parameters that are still there first, then what has become a
 * constant; others are missing.  The function that it is an instance of (DW_AT_abstract_origin) has
 * all of them, in their order.
 */

struct parameter_entry {
	Dwarf_Die entry; /* the instance's; of one that is missing there, the source's */
	bool is_missing;
};

typedef VECTOR(struct parameter_entry) parameter_entries;

/* What ENTRY is an instance of, in the end; ENTRY itself, if of nothing. */
Dwarf_Die entry_origin(const Dwarf_Die *entry);

/* False: they cannot be read.  The caller frees RET in either case. */
bool parameter_list(Dwarf_Die *function, parameter_entries *ret);

enum parameter_kind {
	PARAMETER_BY_CALL,   /* where the calling convention says */
	PARAMETER_GONE,	     /* optimized away */
	PARAMETER_REGISTERS, /* a word of the program in each */
	PARAMETER_MEMORY,    /* at the contents of a register + offset */
	PARAMETER_ON_STACK,  /* pushed by the caller: from the last pushed word, offset */
	PARAMETER_CONSTANT,
	/* Only of variable_place(): */
	PARAMETER_SUM,	   /* the contents of a register + offset are its value */
	PARAMETER_STATIC,  /* in memory at the link-time address `value` */
	PARAMETER_ADDRESS, /* the link-time address `value` is its value */
	PARAMETER_UNKNOWN, /* by an expression that is not followed */
};

#define PARAMETER_REGISTERS_MAX 4 /* a slice of Go has three */

struct parameter_place {
	enum parameter_kind kind;
	bool by_address; /* BY_CALL: the caller passes the address of a copy */
	bool of_entry;	/* MEMORY, SUM: the register's contents are those at the function's entry */
	unsigned count; /* of registers */
	unsigned registers[PARAMETER_REGISTERS_MAX]; /* DWARF's numbers; MEMORY: the first */
	int64_t offset;				     /* MEMORY, ON_STACK, SUM */
	int64_t value;				     /* CONSTANT, STATIC, ADDRESS */
};

/*
 * Does the function ENTRY take its PARAMETERS (parameter_list()) as its source says?  Not if it is
 * a copy for some of its callers, or if all callers are known and parameters have been removed.
 * SYMBOL: the linker's, which knows better than the source who may call it.
 */
bool function_is_as_written(Dwarf_Die *entry, const struct elf_symbol *symbol,
			    const parameter_entries *parameters);

/*
 * Does the function return what its source says?  gcc's copies, and functions with a convention of
 * their own, may return nothing if no caller uses the result.
 */
bool function_keeps_result(Dwarf_Die *entry, const char *name);

/* The stack pointer before the call, at some address: the contents of a register + offset. */
struct frame_place {
	bool is_known;
	unsigned number; /* DWARF's, of the register */
	int64_t offset;
};

/*
 * The place of the variable or parameter ENTRY at the link-time ADDRESS in the code of FUNCTION;
 * what an inlined function has, too, is in the frame of the one whose code it is.
 */
struct parameter_place variable_place(Dwarf_Die *function, Dwarf_Die *entry, uint64_t address,
				      const struct frame_place *cfa);

/*
 * The variable or parameter that NAME means in the source at the link-time ADDRESS of D's file, and
 * the FUNCTION whose code that is; false: no one of that function.  LINE: what the code there is
 * of, else NULL.  RET->is_missing: there, the variable was optimized away.
 */
struct debug_info;
struct source_place;
bool variable_in_scope(struct debug_info *d, uint64_t address, const struct source_place *line,
		       const char *name, Dwarf_Die *function, struct parameter_entry *ret);

/* The type of the variable ENTRY: bytes, 0: unknown. */
struct variable_type {
	unsigned size;
	bool is_scalar, is_signed; /* a number but of floating point, or a pointer */
	bool is_struct;
};

struct variable_type variable_type(Dwarf_Die *entry);

/* The place of PARAMETER, of a function that begins at BEGIN.  IS_AS_WRITTEN: the result above. */
struct parameter_place parameter_place(Dwarf_Die *function, const struct parameter_entry *parameter,
				       uint64_t begin, bool is_as_written);

#endif
