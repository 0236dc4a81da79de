/* SPDX-License-Identifier: BSD-2-Clause */
/* return_address - is it one, or what code without frame pointers left on the stack? */
#include "arch/arch.h"
#include "symbol/symbol_internal.h"

/* The first page belongs to no process, and no machine gives a process more than 57 bits. */
static bool is_process_address(uint64_t address)
{
	return address >= 4096 && address >> 57 == 0;
}

/* Go writes the address after its first instruction on each goroutine's stack. */
static bool is_goexit(struct elf_file *elf, uint64_t address)
{
	const struct elf_symbol *symbol = elf_file_symbol_at(elf, address);
	return symbol && elf_symbol_is_goexit(symbol);
}

bool symbols_process_may_return(struct symbols_process *s, uint64_t address)
{
	uint64_t at;
	bool is_data;
	if (!is_process_address(address))
		return false;
	struct elf_file *elf = symbols_process_code(s, address, &at, &is_data);
	if (!elf || is_data)
		return !is_data;
	unsigned before = (unsigned)MIN(at, ARCH_CALL_MOST);
	struct bytes call = elf_file_code(elf, at - before, before);
	struct bytes code = elf_file_code(elf, at, ARCH_CALL_MOST);
	const struct arch *a =
		arch_of_program(arch_host(), elf_file_word(elf), elf_file_machine(elf));
	return !a || arch_ends_call(a, &call) || a->is_signal_return(&code) || is_goexit(elf, at);
}
