/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * archive - serialization of structs, one description for both directions
 *
 * A function that walks a struct and names each of its fields writes it or reads it, depending on
 * the archive; so fields are read in the order in which they were written.  Numbers take as many
 * bytes as they need (7 bits each, the least first); strings are preceded by their length.
 *
 * Reading trusts no input: a value that does not fit sets `failed`, and all later reads return 0.
 * Counts are compared with the bytes left, so no input makes us allocate much more memory than its
 * own size.
 *
 * What the program contains, and most runs do not need, is in it compressed: struct packed.
 */
#ifndef BASE_ARCHIVE_H
#define BASE_ARCHIVE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/strbuf.h"

struct archive {
	struct strbuf *out; /* NULL: reading */
	struct bytes in;
	struct arena *arena; /* owns the data read */
	bool failed;
};

uint64_t archive_number(struct archive *a, uint64_t n);

/* A field of any integer or enum type, as it is or (reading) as it was. */
#define ARCHIVE(a, field)                                                                          \
	do {                                                                                       \
		uint64_t n_ = archive_number(a, (uint64_t)(field));                                \
		(field) = (__typeof__(field))n_;                                                   \
		if ((uint64_t)(field) != n_)                                                       \
			(a)->failed = true;                                                        \
	} while (0)

/* NULL is another string than "". */
const char *archive_string(struct archive *a, const char *s);
/* SIZE bytes, aligned to 8. */
const void *archive_bytes(struct archive *a, const void *bytes, uint64_t size);

/*
 * COUNT items of SIZE bytes each: their address, or memory for them.  ITEM archives one; it
 * gets a copy, which is the item itself when reading.
 */
typedef void archive_item_fn(struct archive *a, void *item, void *arg);
const void *archive_items(struct archive *a, const void *items, uint64_t count, size_t size,
			  archive_item_fn *item, void *arg);

/* --- compressed by tools/pack.h --- */
struct packed {
	const unsigned char *bytes;
	uint32_t size, whole; /* in bytes, as it is and unpacked */
};

/* TO has room for all of it. */
void packed_read(const struct packed *p, void *to);

#endif
