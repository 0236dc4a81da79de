/* SPDX-License-Identifier: BSD-2-Clause */
/* open_files - the limit of open files, raised for ourselves, not for our children */
#ifndef BASE_OPEN_FILES_H
#define BASE_OPEN_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* Descriptors below COUNT, at least; false: errno says why not. */
bool open_files_allow(uint64_t count);

/* The lowest descriptor that is free; the limit, if none is. */
uint64_t open_files_next(void);

/* Around the start of a program, or in its process: the limit as we found it, and ours again. */
void open_files_as_found(void);
void open_files_as_raised(void);

#endif
