/* SPDX-License-Identifier: BSD-2-Clause */
/* file - the whole content of a file, a pipe or a file of /proc */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/error.h"
#include "base/strbuf.h"

/*
 * Read to the end, behind what RET holds; of a file that goes on for more than MAX bytes the rest
 * is left.  0, or what errno says: then RET has what came before.
 */
int fd_read_all(int fd, size_t max, struct strbuf *ret);

/* The same of the file at PATH; the error says whether it could not be opened or not be read. */
MUST_CHECK struct error *file_read(const char *path, size_t max, struct strbuf *ret);

#endif
