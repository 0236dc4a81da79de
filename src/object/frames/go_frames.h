/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * go_frames - .gopclntab: how far each function of Go has moved the stack pointer
 *
 * Programs of Go have no .eh_frame, but a table that Go's own runtime walks stacks by, which is
 * also in stripped programs (Go's runtime/symtab.go, struct pcHeader and struct _func; magic
 * numbers of Go 1.18 and 1.20; earlier ones are not read):
 *
 *   header      magic, 0, 0, quantum of code addresses : 8, bytes of a word : 8
 *               words: number of functions, of files, where the code begins;
 *               offsets of names, units, files, numbers, functions
 *   functions   u32 each, sorted: offset in the code, offset of struct _func from here; at the end
 *               the offset of the code's end
 *   numbers     for each function: pairs of difference of values, signed, and of addresses
 *
 * The value that we read is the distance of the stack pointer from its place at the function's
 * first byte.
 */
#ifndef OBJECT_FRAMES_GO_FRAMES_H
#define OBJECT_FRAMES_GO_FRAMES_H

#include "object/object.h"

struct go_frames {
	struct bytes table, functions, numbers;
	uint64_t text; /* link-time address of the code */
	unsigned quantum, flag_at;
	uint32_t count; /* of functions; 0: this is no file of Go, or of an unknown version */
};

struct go_function {
	uint64_t begin, end; /* link-time addresses */
	bool is_outermost;   /* it never returns: stacks end here */
	bool moves_stack;    /* in other ways, too: what is known of it is not true everywhere */
	uint32_t numbers;    /* offset; 0: nothing is known */
};

struct go_frames go_frames_read(struct elf_file *elf); /* ELF must outlive the result */

/* Function INDEX, by address; false: it is damaged. */
bool go_frames_function(const struct go_frames *g, uint32_t index, struct go_function *ret);

/* In the code from BEGIN to END the stack pointer is DISTANCE bytes below its first place. */
typedef void go_distance_fn(void *arg, uint64_t begin, uint64_t end, int64_t distance);
/* Visit all parts of F, by address.  False: the rest of it is damaged. */
bool go_frames_visit(const struct go_frames *g, const struct go_function *f, go_distance_fn *visit,
		     void *arg);

#endif
