/* SPDX-License-Identifier: BSD-2-Clause */
/* Literals, after the zeros of the program's constants */
#include "codegen/gen.h"

static uint32_t literal_place(struct gen *g, const char *text, uint32_t len)
{
	strbuf_fill(&g->constants.bytes, 0,
		    ALIGN_UP(g->constants.bytes.len, 8) - g->constants.bytes.len);
	uint32_t offset = (uint32_t)g->constants.bytes.len;
	uint64_t tag = (uint64_t)len + 1;
	strbuf_add(&g->constants.bytes, &tag, sizeof(tag));
	strbuf_add(&g->constants.bytes, text, MIN(len, g->plan->options->string_size));
	strbuf_putc(&g->constants.bytes, 0);
	return offset;
}

uint32_t constant_string(struct gen *g, const char *text, uint32_t len)
{
	len = (uint32_t)strnlen(text, len);
	void **place = hash_place(g->constants.literals, text, len);
	if (!*place)
		*place = (void *)(uintptr_t)literal_place(g, text, len);
	return (uint32_t)(uintptr_t)*place;
}
