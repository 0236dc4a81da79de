/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind_internal - declarations shared by the files of unwind/ */
#ifndef UNWIND_INTERNAL_H
#define UNWIND_INTERNAL_H

#include "object/cfi.h"
#include "unwind/unwind.h"

/* Rules that do not fit a word, each once. */
struct rules {
	const struct arch *arch;
	struct hash *by_content;
	VECTOR(struct unwind_rule) list;
	bool needs_saved; /* one of them begins with the register of `saved` */
};

/* CFA = stack pointer + CFA; SAVES: the frame pointer is saved next to the return address. */
uint32_t stack_rule_word(struct rules *r, int64_t cfa, bool saves);
/* ROW of an entry as a rule word (its low 8 bits are 0). */
uint32_t rule_word(struct rules *r, const struct cfi_row *row, bool is_signal_frame);
/* Where ROW has the register of `saved`. */
uint8_t saved_slot(const struct cfi_row *row);

#endif
