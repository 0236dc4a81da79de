/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the files of program/ */
#ifndef PROGRAM_INTERNAL_H
#define PROGRAM_INTERNAL_H

#include "program/program.h"

/* A program while it is verified. */
struct verify {
	const struct program *program;
	struct error *err; /* the first; later ones are not reported */
};

#define holds(v, it, ...) error_unless(&(v)->err, it, 0, __VA_ARGS__)

/* COUNT bytes at OFFSET, all below SIZE? */
static inline bool offset_is_inside(uint64_t offset, uint64_t count, uint64_t size)
{
	return offset <= size && count <= size - offset;
}

static inline bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* --- verify_code.c --- */
void verify_group(struct verify *v, const struct group_code *group);

#endif
