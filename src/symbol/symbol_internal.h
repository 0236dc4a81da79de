/* SPDX-License-Identifier: BSD-2-Clause */
/* symbol_internal - one process of those that struct symbols keeps */
#ifndef SYMBOL_INTERNAL_H
#define SYMBOL_INTERNAL_H

#include "symbol/regions.h"
#include "symbol/symbol.h"

struct symbols_process {
	struct regions regions;
	struct jit_map *jit;	 /* NULL: nobody has asked */
	uint64_t sought_dump_at; /* the jitdump file, in the mappings; CLOCK_MONOTONIC */
};

/* A process, which shares IMAGES and the LOG (NULL: there is none) with others; they must outlive
 * it. */
struct symbols_process *symbols_process_new(int pid, struct images *images,
					    struct mapping_log *log);
void symbols_process_free(struct symbols_process *s); /* NULL is fine */

/*
 * The file that ADDRESS is mapped from, and the offset in it; NULL: no readable file.  *IS_DATA:
 * the address is on the stack or heap or among a program's data, which contain no code, or above
 * all mappings.
 */
struct elf_file *symbols_process_code(struct symbols_process *s, uint64_t address,
				      uint64_t *link_address, bool *is_data);

/*
 * Does the pid belong to another process since we read its mappings? Checked once a second at
 * most; the check also reads a process again that executed another program meanwhile.
 */
bool symbols_process_is_other(struct symbols_process *s);

#endif
