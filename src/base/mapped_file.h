/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapped_file - the bytes of a foreign file, mapped, although others may truncate it
 *
 * Reading a page that the file does not have any more raises SIGBUS, which ends a program.  So
 * there is a handler for the signal: the missing page becomes one of zeros, and
 * mapped_file_lost_bytes() is true.  Copies of all files would take 1.5 GB for the programs of a
 * Debian, of which a few percent are ever looked at.
 *
 * The file may also be changed in place.  So bytes that were checked may be others later; after the
 * last one there is always a 0, for strings.
 */
#ifndef BASE_MAPPED_FILE_H
#define BASE_MAPPED_FILE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"

struct mapped_file {
	struct bytes bytes; /* may be written to: our own copy of these pages */
	unsigned number;    /* among those mapped, for the handler */
};

/* Map the file FD, which messages call NAME; it must be a regular file that is not empty. */
MUST_CHECK struct error *mapped_file_init(struct mapped_file *f, int fd, const char *name);
void mapped_file_deinit(struct mapped_file *f); /* of zeros, too */

/* Were bytes read that the file did not have any more (or that its device could not read)? */
bool mapped_file_lost_bytes(const struct mapped_file *f);

#endif
