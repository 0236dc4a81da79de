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

/* Somebody reads FILE as long as there is F: it is not closed before. */
void symbol_files_keep(struct symbol_files *f, struct elf_file *file);

size_t symbol_files_count(const struct symbol_files *f);
/* Close all but those that are kept and those in USED (a table of struct elf_file * by themselves).
 */
void symbol_files_close_others(struct symbol_files *f, const struct hash *used);

/* A process, which shares open files with others.  FILES must outlive it. */
struct symbols_process *symbols_process_new(int pid, struct symbol_files *files);
void symbols_process_free(struct symbols_process *s); /* NULL is fine */

/*
 * Has the pid been given to another process since we read its mappings?  Looked up once a second
 * at most; a process that executed another program meanwhile is read anew on this occasion.
 */
bool symbols_process_is_other(struct symbols_process *s);

/* Put the files that its mappings need, present and past, into USED, by themselves. */
void symbols_process_mark(const struct symbols_process *s, struct hash *used);

#endif
