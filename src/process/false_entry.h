/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * false_entry - a dynamic linker that jumps to an address that no process maps
 *
 * The linker reads the program's entry point from the auxiliary vector on the stack, and jumps
 * there when the initializers of the libraries have run.  While the vector holds a false address no
 * instruction of the program can run: the jump is a fault, which stops the process for its tracer.
 * No text is written, so no other tracer is disturbed, and none can make the process pass.
 *
 * At the fault the true address becomes the program counter, and all is as without us.  For an
 * earlier stop the true entry has to be put back, also where the linker has copied it: glibc and
 * musl keep it in a variable whose address they pass on, that is in memory: on their stack; glibc
 * also in a link map that nothing reads.
 */
#ifndef PROCESS_FALSE_ENTRY_H
#define PROCESS_FALSE_ENTRY_H

#include "base/base.h"

struct memory_range {
	uint64_t start, end;
};
struct memory_ranges {
	struct memory_range *items;
	size_t count, capacity;
};

struct false_entry {
	int pid; /* a stopped process that we trace */
	unsigned word;
	uint64_t place; /* in the auxiliary vector; 0: there is none */
	uint64_t value; /* the true one */
};

/* What a program counter is after a jump to a false address of a program with words of this size.
 */
uint64_t false_address(unsigned word);

/* PID is at its exec stop.  False: its entry was not found, or cannot be changed. */
bool false_entry_set(int pid, struct false_entry *ret);

/* PID has jumped to the false entry: it goes on at the true one.  False: it does not (errno). */
bool false_entry_pass(const struct false_entry *f);

/*
 * PID has not yet: restore the true entry, and the linker's copies in its stack and in DATA, what
 * else it may write to.  False: there is no copy, so the linker keeps it elsewhere, and nothing was
 * restored.
 */
bool false_entry_clear(const struct false_entry *f, const struct memory_ranges *data);

#endif
