/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/archive.h"

#include <assert.h>
#include <zlib.h>

#include "base/cleanup.h"

static void archive_write_number(struct strbuf *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		strbuf_putc(out, (char)(n | 0x80));
	strbuf_putc(out, (char)n);
}

/* In as few bytes as it needs, so that one number has one form. */
static uint64_t archive_read_number(struct archive *a)
{
	uint64_t n = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = bytes_u8(&a->in);
		uint64_t part = byte & 0x7f;
		n |= part << shift;
		if (a->in.failed || part << shift >> shift != part || (!byte && shift))
			break;
		if (!(byte & 0x80))
			return n;
	}
	a->failed = true;
	return 0;
}

uint64_t archive_number(struct archive *a, uint64_t n)
{
	if (a->out) {
		archive_write_number(a->out, n);
		return n;
	}
	return a->failed ? 0 : archive_read_number(a);
}

const char *archive_string(struct archive *a, const char *s)
{
	uint64_t len = archive_number(a, s ? strlen(s) + 1 : 0);
	if (a->out) {
		strbuf_add(a->out, s, len ? len - 1 : 0);
		return s;
	}
	const char *text = len ? bytes_take(&a->in, len - 1) : NULL;
	a->failed |= a->in.failed || (text && memchr(text, 0, len - 1));
	return !a->failed && text ? arena_strndup(a->arena, text, len - 1) : NULL;
}

const void *archive_bytes(struct archive *a, const void *bytes, uint64_t size)
{
	if (a->out) {
		strbuf_add(a->out, bytes, size);
		return bytes;
	}
	const void *from = a->failed ? NULL : bytes_take(&a->in, size);
	a->failed |= a->in.failed;
	if (!from)
		return NULL;
	return memcpy(arena_alloc(a->arena, size + 1), from, size);
}

static void write_items(struct archive *a, const char *items, uint64_t count, size_t size,
			archive_item_fn *item, void *arg)
{
	auto_free char *copy = mem_alloc(size);
	for (uint64_t i = 0; i < count; i++)
		item(a, memcpy(copy, items + i * size, size), arg);
}

const void *archive_items(struct archive *a, const void *items, uint64_t count, size_t size,
			  archive_item_fn *item, void *arg)
{
	if (a->out) {
		write_items(a, items, count, size, item, arg);
		return items;
	}
	a->failed |= count > bytes_left(&a->in); /* each needs one byte at least */
	if (a->failed || !count)
		return NULL;
	char *ret = arena_alloc(a->arena, count * size);
	for (uint64_t i = 0; i < count && !a->failed; i++)
		item(a, ret + i * size, arg);
	return ret;
}

void packed_read(const struct packed *p, void *to)
{
	uLongf length = p->whole;
	int result = uncompress(to, &length, p->bytes, p->size);
	assert(result == Z_OK && length == p->whole);
	(void)result;
}
