/* SPDX-License-Identifier: BSD-2-Clause */
/* unwind_fuzz - any bytes as a program, of either machine: its table for walking stacks */
#include "fuzz_elf.h"
#include "unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As programs of the kernel search it: nothing that a row or the index says leads outside. */
static void check_table(const struct unwind_table *t)
{
	if (t->index[0] != 0 || t->index[t->page_count] != t->row_count)
		__builtin_trap();
	for (uint32_t i = 0; i < t->page_count; i++)
		if (t->index[i] > t->index[i + 1])
			__builtin_trap();
	for (uint32_t i = 0; i < t->row_count; i++) {
		uint32_t row = t->rows[i], cfa = row >> UNWIND_CFA_AT & 0xfff;
		if ((row >> UNWIND_KIND_AT & 7) == UNWIND_RULE &&
		    (cfa | row >> UNWIND_FRAME_AT << UNWIND_CFA_BITS) >= t->rule_count)
			__builtin_trap();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct elf_file *e = fuzz_elf(data, size);
	if (!e)
		return 0;
	struct frames *f = frames_read(e);
	for (unsigned i = 0; arch_all[i]; i++) {
		struct unwind_table *t = unwind_table_new(arch_all[i], e, f);
		if (t)
			check_table(t);
		unwind_table_free(t);
	}
	frames_free(f);
	elf_file_free(e);
	return 0;
}
