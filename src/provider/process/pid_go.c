/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_go - the prologue of Go's functions
 *
 * Go moves the stacks of goroutines, so return probes of the kernel would write to a place where no
 * return address is any more.  A function first compares the stack with what its frame needs:
 *
 *	cmp 0x10(%r14), %rsp
 *	jbe more	-> call runtime.morestack_noctxt; jmp to the first byte
 *	sub $0x38, %rsp
 *
 * When the stack has grown the function begins again.  So an entry probe is after the comparison,
 * where arguments and the return address still are as at the first byte.
 */
#include "provider/process/pid.h"

#include <string.h>

#include "provider/process/pid_object.h"

#define CHECK_MOST 8	    /* instructions: large frames need two comparisons */
#define MORE_MOST 48	    /* that save arguments before the call */
#define INSTRUCTION_MOST 16 /* bytes */

static bool decode_at(const struct elf_file *elf, uint64_t address, struct instruction *ret)
{
	struct bytes code = elf_file_code(elf, address, INSTRUCTION_MOST);
	return pid_arch(elf)->decode(&code, ret);
}

/* Does code at ADDRESS have the stack grown? */
static bool asks_for_stack(struct elf_file *elf, uint64_t address)
{
	static const char more[] = "runtime.morestack";
	struct instruction i = { 0 };
	for (unsigned n = 0; n < MORE_MOST && decode_at(elf, address, &i); n++) {
		if (i.flow == FLOW_CALL) {
			const struct elf_symbol *s =
				elf_file_symbol_at(elf, address + (uint64_t)i.target);
			return s && strncmp(s->name, more, sizeof(more) - 1) == 0;
		}
		if (i.flow != FLOW_NEXT)
			return false;
		address += i.length;
	}
	return false;
}

uint64_t pid_go_begin(struct elf_file *elf, uint64_t address)
{
	uint64_t begin = address, at = address;
	struct instruction i;
	for (unsigned n = 0; n < CHECK_MOST && decode_at(elf, at, &i); n++) {
		bool is_check =
			i.flow == FLOW_BRANCH && asks_for_stack(elf, at + (uint64_t)i.target);
		if (i.flow != FLOW_NEXT && !is_check)
			break;
		at += i.length;
		if (is_check)
			begin = at;
	}
	return begin;
}
