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
#ifndef PROVIDER_PID_GO_H
#define PROVIDER_PID_GO_H

#include "base/base.h"
#include "object/object.h"

/* The address after the comparison in the function at ADDRESS: ADDRESS if it has none. */
uint64_t pid_go_begin(struct elf_file *elf, uint64_t address);

#endif
