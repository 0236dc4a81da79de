/* SPDX-License-Identifier: BSD-2-Clause */
/* file - the whole content of a file, a pipe or a file of /proc; parts of paths */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/strbuf.h"

/*
 * Read to the end, after RET's contents; the rest of a file of more than MAX bytes is not read.
 * 0, or errno: then RET has the bytes before the error.
 */
int fd_read_all(int fd, size_t max, struct strbuf *ret);

/* The same of the file at PATH; the error says whether it could not be opened or not be read. */
MUST_CHECK struct error *file_read(const char *path, size_t max, struct strbuf *ret);

/*
 * The same, and all of it, of a regular file: anything else is refused, and nothing waits for it.
 * The error has the reason alone, without PATH.
 */
MUST_CHECK struct error *file_read_regular(const char *path, struct strbuf *ret);

/* Write all of TEXT.  0, or errno: then some of it may be written. */
int fd_write_all(int fd, const struct strbuf *text);

/*
 * Make TEXT the content of the file at PATH, all or nothing: it is written to the disk under
 * another name in the same folder, which then becomes PATH.  So a full disk changes nothing, and no
 * reader sees a part.  A symbolic link stays, and the file that it names is replaced.  MODE: the
 * file's permissions, and the file becomes ours; 0: as the old file, a new one as umask(2) allows.
 *
 * Written to directly: what is not a regular file (a device, a pipe), and a file that is open as
 * one of our standard streams, because its name alone would get the new content (/dev/stdout).
 *
 * 0, or errno.
 */
int file_replace(const char *path, const struct strbuf *text, mode_t mode);

/* Are A and B, of fstat(2) and its like, about one file? */
bool stat_is_same_file(const struct stat *a, const struct stat *b);

/* What follows the last slash of PATH: "probes.h" of "dir/probes.h". */
const char *path_base_name(const char *path);

/* The path of the program that we are, the caller's; "": errno says why it is not known. */
char *own_program_path(void);

#endif
