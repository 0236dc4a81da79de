/* SPDX-License-Identifier: BSD-2-Clause */
/* variable - what variable.c has for assign.c; see gen.h */
#ifndef CODEGEN_VALUE_VARIABLE_H
#define CODEGEN_VALUE_VARIABLE_H

#include "codegen/gen.h"

bool is_element(const struct gen *g,
		const struct texpr *e); /* does it name a place of a hash map? */
/*
 * The address of V, which is not such an element, in R0; true: it may be NULL.  MAKE: a self
 * block.
 */
bool gen_scalar_address(struct gen *g, const struct variable *v, bool make);
/* Look the element up, or delete it; its key is computed again. */
void gen_element_call(struct gen *g, const struct texpr *e, enum rt_function function);
/* The address for writing in R0; jumps to NOWHERE if there is no memory (a counted drop). */
void gen_target(struct gen *g, const struct texpr *e, label nowhere);

/* The place of a bit-field in its unit; size 0: E is not one. */
struct bits {
	uint8_t offset, size;
};

struct bits field_bits(const struct texpr *e);
bool has_bits(const struct texpr *e);
/* R0 = those of its bits, from OFFSET on, that the bit-field E has, as a number of E's type. */
void gen_bits(struct gen *g, const struct texpr *e, unsigned offset);

/* Is E's type as long as a number?  If not that is diagnosed. */
bool check_number(struct gen *g, const struct texpr *e);
/* R0 = the number at the address R1 */
void gen_read_number(struct gen *g, const struct texpr *e);

#endif
