/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind_internal - declarations shared by the files of unwind/ */
#ifndef UNWIND_INTERNAL_H
#define UNWIND_INTERNAL_H

#include "object/frames/cfi.h"
#include "unwind/unwind.h"

/* Rules that do not fit a word, each once. */
struct rules {
	const struct arch *arch;
	struct hash *by_content;
	VECTOR(struct unwind_rule) list;
	bool needs_saved; /* one of them begins with the register of `saved` */
};

/* Of Go's code that has moved the stack pointer by DISTANCE bytes. */
uint32_t go_rule_word(struct rules *r, int64_t distance);
/* Of the first entry of .plt, where it has pushed two words; of where signal handlers return to. */
uint32_t plt_rule_word(struct rules *r);
uint32_t signal_rule_word(struct rules *r);
/* ROW of an entry as a rule word (its low 8 bits are 0). */
uint32_t rule_word(struct rules *r, const struct cfi_row *row, bool is_signal_frame);
/* Where ROW has the register of `saved`. */
uint8_t saved_slot(const struct rules *r, const struct cfi_row *row);

#endif
