/* SPDX-License-Identifier: BSD-2-Clause */
/* symbol_internal - one process of those that struct symbols keeps */
#ifndef SYMBOL_INTERNAL_H
#define SYMBOL_INTERNAL_H

#include "symbol/symbol.h"

/* A process, which shares IMAGES with others; they must outlive it. */
struct symbols_process *symbols_process_new(int pid, struct images *images);
void symbols_process_free(struct symbols_process *s); /* NULL is fine */

/*
 * The file that ADDRESS is mapped from, and where in it; NULL: none that can be read.  *IS_DATA: it
 * is on the stack or heap, of which nothing is code.
 */
struct elf_file *symbols_process_code(struct symbols_process *s, uint64_t address,
				      uint64_t *link_address, bool *is_data);

/*
 * Has the pid been given to another process since we read its mappings?  Looked up once a second
 * at most; a process that executed another program meanwhile is read anew on this occasion.
 */
bool symbols_process_is_other(struct symbols_process *s);

#endif
