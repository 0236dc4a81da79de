/* SPDX-License-Identifier: BSD-2-Clause */
/* dynamic_linker - that of a process that has just executed a program */
#ifndef PROCESS_DYNAMIC_LINKER_H
#define PROCESS_DYNAMIC_LINKER_H

#include "process/false_entry.h"

struct dynamic_linker {
	int pid;
	char *path;		   /* of its file, as we open it */
	uint64_t call_offset;	   /* in the file, of _dl_debug_state() */
	uint64_t r_debug;	   /* the address of _r_debug in the process */
	struct memory_ranges data; /* what it may write to but its stack */
};

/* The linker that PID has mapped at BASE, for dynamic_linker_deinit().  False: it has no such
 * names. */
bool dynamic_linker_find(int pid, uint64_t base, struct dynamic_linker *ret);
void dynamic_linker_deinit(struct dynamic_linker *l);

/* Is its list of objects complete?  Also true if that cannot be read. */
bool dynamic_linker_is_consistent(const struct dynamic_linker *l);

#endif
