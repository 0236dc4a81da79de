/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btf_bytes - BTF written by hand, for tests
 *
 *	struct btf_bytes w = { 0 };
 *	uint32_t int_id = btf_bytes_type(&w, "int", BTF_INT, 0, 0, 4, (uint32_t[]){ ENC }, 1);
 *	size_t size; void *data = btf_bytes_finish(&w, &size);   the caller frees it
 */
#ifndef TESTS_UNIT_OBJECT_BTF_BYTES_H
#define TESTS_UNIT_OBJECT_BTF_BYTES_H

#include "base/base.h"
#include "object/object.h"

struct btf_bytes {
	struct strbuf types, strings;
	uint32_t count;	       /* of a module, with the base's */
	uint32_t first_string; /* of a module, the size of the base's strings */
};

/* Begin a module's types, which continue BASE; call it before BASE is finished. */
static inline struct btf_bytes btf_bytes_module(const struct btf_bytes *base)
{
	return (struct btf_bytes) { .count = base->count,
				    .first_string = (uint32_t)base->strings.len };
}

/* The offset of NAME in the strings; equal names are written again, which is allowed. */
static inline uint32_t btf_bytes_string(struct btf_bytes *w, const char *name)
{
	if (!w->strings.len)
		strbuf_putc(&w->strings, 0);
	if (!*name)
		return 0;
	uint32_t at = (uint32_t)w->strings.len;
	strbuf_add(&w->strings, name, strlen(name) + 1);
	return at + w->first_string;
}

/* A type followed by WORDS; its id. */
static inline uint32_t btf_bytes_type(struct btf_bytes *w, const char *name, enum btf_kind kind,
				      bool flag, uint32_t vlen, uint32_t size_or_type,
				      const uint32_t *words, size_t word_count)
{
	uint32_t head[3] = { btf_bytes_string(w, name),
			     (uint32_t)flag << 31 | (uint32_t)kind << 24 | vlen, size_or_type };
	strbuf_add(&w->types, head, sizeof(head));
	if (word_count)
		strbuf_add(&w->types, words, word_count * sizeof(*words));
	return ++w->count;
}

static inline void *btf_bytes_finish(struct btf_bytes *w, size_t *size)
{
	btf_bytes_string(w, "");
	uint32_t header[6] = { 0x0001eb9f,
			       24,
			       0,
			       (uint32_t)w->types.len,
			       (uint32_t)w->types.len,
			       (uint32_t)w->strings.len };
	struct strbuf all = { 0 };
	strbuf_add(&all, header, sizeof(header));
	strbuf_add(&all, w->types.text, w->types.len);
	strbuf_add(&all, w->strings.text, w->strings.len);
	*size = all.len;
	strbuf_deinit(&w->types);
	strbuf_deinit(&w->strings);
	return strbuf_take(&all);
}

#endif
