/* SPDX-License-Identifier: BSD-2-Clause */
/* files - open programs and libraries, once per device and inode */
#ifndef SYMBOL_FILES_H
#define SYMBOL_FILES_H

#include "object/object.h"
#include "process/process.h"
#include "symbol/symbol.h"

struct symbol_files;

struct symbol_files *symbol_files_new(void);
void symbol_files_free(struct symbol_files *f); /* NULL is fine */

/* The file of a mapping of PID, or NULL: it is none, or cannot be read.  Owned by F. */
struct elf_file *symbol_files_open(struct symbol_files *f, int pid, const struct mapping *m);

/* A process, which shares open files with others.  FILES must outlive it. */
struct symbols_process *symbols_process_new(int pid, struct symbol_files *files);
void symbols_process_free(struct symbols_process *s); /* NULL is fine */

#endif
