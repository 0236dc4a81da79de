/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pid_switch - jumps to an address that is computed: which of them certainly stay in their function
 *
 * They are those of a switch, by a table of the function's own addresses, or of distances to them
 * from the table, as position-independent code has it:
 *
 *     jmp *table(,%rax,8)
 *     lea table(%rip), %rdx; ... jmp *(%rdx,%rax,8)
 *     lea table(%rip), %rdx; ... movslq (%rdx,%rax,4), %rax; add %rdx, %rax; jmp *%rax
 *     add x1, x2, w1, sxth #2; br x1                         (aarch64: distances are instructions)
 *
 * or they have the prefix notrack, which compilers give to those that may lead to places without
 * endbr64.  A table must begin with PLACES_LEAST addresses inside of the function: what is there
 * by chance, as before a table that is counted from 1, is not so long.  After its last address the
 * first byte of another function must not follow, or it could be a table of functions.
 *
 * All other jumps of this kind may lead anywhere, to labels of the function as well (goto *label):
 * that is found out when they jump (abi/exit.h).
 */
#ifndef PROVIDER_PROCESS_PID_SWITCH_H
#define PROVIDER_PROCESS_PID_SWITCH_H

#include "provider/process/pid_code.h"

#define PLACES_LEAST 4 /* gcc and clang make no smaller table */

struct table_base {
	uint64_t address; /* link-time, of what may be a table */
	uint8_t reg;	  /* that gets it somewhere in the function */
};

/* The owner initializes the first two, and calls switches_deinit(). */
struct switches {
	struct elf_file *elf;
	const code_vector *codes; /* of the function; the first one begins with it */
	VECTOR(struct table_base) bases;
	bool has_bases; /* they have been searched for */
};

/* What may be a table; its end is not known. */
struct code_table {
	uint64_t address;   /* link-time */
	unsigned word;	    /* bytes of an entry */
	const uint64_t *to; /* what the entries mean, */
	size_t count;	    /* so many, which may be more than it has */
};
typedef bool table_visit_fn(void *arg, const struct code_table *t); /* the result: enough? */

/*
 * Visit the tables by which STEP of CODE may jump: all addresses that are loaded into its registers
 * anywhere in the function may be one.  The result is the last visit's.
 */
bool switches_visit(struct switches *s, const struct pid_code *code, const struct code_step *step,
		    table_visit_fn *visit, void *arg);

/* Does STEP of CODE certainly jump to a place in the function? */
bool switches_have(struct switches *s, const struct pid_code *code, const struct code_step *step);
void switches_deinit(struct switches *s);

#endif
