/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bytes - foreign bytes, with their end
 *
 * A reader never steps over the end: such a read sets `failed`, returns zero and keeps the
 * position; the caller checks once, after a group of reads. Little-endian only: both architectures
 * we know are.
 */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const unsigned char *data;
	size_t size;
	size_t pos;
	bool failed;
};

static inline struct bytes bytes_of(const void *data, size_t size)
{
	return (struct bytes) { .data = data, .size = size };
}

static inline size_t bytes_left(const struct bytes *b)
{
	return b->size - b->pos;
}

/* The next LEN bytes in place, or NULL. */
static inline const void *bytes_take(struct bytes *b, size_t len)
{
	if (b->failed || len > b->size - b->pos) {
		b->failed = true;
		return NULL;
	}
	const void *p = b->data + b->pos;
	b->pos += len;
	return p;
}

/* A part of B as bytes; empty and failed if it is not inside. */
static inline struct bytes bytes_slice(const struct bytes *b, size_t offset, size_t size)
{
	if (offset > b->size || size > b->size - offset)
		return (struct bytes) { .failed = true };
	return bytes_of(b->data + offset, size);
}

#define BYTES_READER(name, type)                                                                   \
	static inline type bytes_##name(struct bytes *b)                                           \
	{                                                                                          \
		type v = 0;                                                                        \
		const void *p = bytes_take(b, sizeof(v));                                          \
		if (p)                                                                             \
			memcpy(&v, p, sizeof(v));                                                  \
		return v;                                                                          \
	}
BYTES_READER(u8, uint8_t)
BYTES_READER(u16, uint16_t)
BYTES_READER(u32, uint32_t)
BYTES_READER(u64, uint64_t)
BYTES_READER(i32, int32_t)
BYTES_READER(i64, int64_t)
#undef BYTES_READER

/* LEB128 (DWARF 5, 7.6); bits above the 64th are lost. */
static inline uint64_t bytes_leb(struct bytes *b, bool is_signed)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;
	do {
		byte = bytes_u8(b);
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return is_signed && (byte & 0x40) && shift < 64 ? v | UINT64_MAX << shift : v;
}

static inline uint64_t bytes_uleb(struct bytes *b)
{
	return bytes_leb(b, false);
}

static inline int64_t bytes_sleb(struct bytes *b)
{
	return (int64_t)bytes_leb(b, true);
}

/* A NUL-terminated string at OFFSET that ends inside B, or NULL.  Does not move. */
static inline const char *bytes_string_at(const struct bytes *b, size_t offset)
{
	if (offset >= b->size || !memchr(b->data + offset, 0, b->size - offset))
		return NULL;
	return (const char *)b->data + offset;
}

/* The next NUL-terminated string, or NULL: the end is missing. */
static inline const char *bytes_string(struct bytes *b)
{
	const char *text = b->failed ? NULL : bytes_string_at(b, b->pos);
	if (text)
		b->pos += strlen(text) + 1;
	else
		b->failed = true;
	return text;
}

#endif
