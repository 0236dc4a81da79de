/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfi - the instructions of call frame information, run (DWARF 5, 6.4)
 *
 * In:   one entry of .eh_frame (frames.h).
 * Out:  its rows: for each part of its code, how the caller's registers are found.
 *
 * The canonical frame address (CFA) is the stack pointer before the call.  A row says how to
 * compute the CFA from registers, and how to find each tracked register from the CFA.  The whole
 * entry is run once, so n rows cost n instructions; libdw's public functions run it again for each
 * row.
 */
#ifndef OBJECT_FRAMES_CFI_H
#define OBJECT_FRAMES_CFI_H

#include "object/frames/frames.h"

enum cfi_kind {
	CFI_UNSPECIFIED, /* by the ABI: callee-saved registers have kept their value */
	CFI_UNDEFINED,
	CFI_SAME,
	CFI_AT_CFA,	   /* in memory at CFA + offset */
	CFI_IS_CFA,	   /* CFA + offset itself */
	CFI_IN_REGISTER,   /* in the register `number`; of the CFA: number's value + offset */
	CFI_AT_EXPRESSION, /* in memory at the address that the expression computes */
	CFI_IS_EXPRESSION,
};

struct cfi_rule {
	enum cfi_kind kind;
	uint64_t number; /* DWARF's, of a register */
	int64_t offset;
	struct bytes expression;
};

/* The registers in a row: the return address, and those that the caller chooses. */
enum { CFI_RETURN_ADDRESS, CFI_FRAME_POINTER, CFI_OTHER, CFI_TRACKED };

struct cfi_row {
	uint64_t begin, end; /* link-time */
	struct cfi_rule cfa;
	struct cfi_rule tracked[CFI_TRACKED];
};

typedef void cfi_visit_fn(void *arg, const struct cfi_row *row);

/*
 * Visit the rows of ENTRY in order; none is empty.  FRAME_POINTER and OTHER: their DWARF
 * numbers.  False: an
 * instruction is damaged or unknown; the rows before it were visited.
 */
bool cfi_run(const struct frame_entry *entry, uint64_t frame_pointer, uint64_t other,
	     cfi_visit_fn *visit, void *arg);

/* The rule for the CFA at the link-time ADDRESS; false: it is unknown. */
bool cfi_cfa_at(const struct frames *f, uint64_t address, struct cfi_rule *ret);

#endif
