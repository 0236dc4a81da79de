/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/place.h"

#include <stdlib.h>
#include <string.h>

#include "show/tree.h"
#include "show/value.h"

static const char *text_place(struct tree *t, struct json_object *v)
{
	auto_strbuf struct strbuf text = { 0 };
	if (!v)
		return NULL;
	value_text(v, &text);
	return text.len ? tree_name(t, strbuf_text(&text), text.len) : NULL;
}

static uint64_t address_of(struct json_object *v)
{
	const char *text = value_word(v);
	return strncmp(text, "0x", 2) == 0 ? strtoull(text, NULL, 16) : 0;
}

/* A caller has the address that its call returns to. */
static bool is_caller(const struct seen_frame *frame)
{
	const char *found = value_word(value_member(frame->v, "found"));
	if (frame->kind == FRAME_KERNEL)
		return frame->index > 0;
	return *found && !string_equal(found, "signal");
}

const struct place *place_read(struct tree *t, const struct seen_frame *frame)
{
	struct json_object *symbol = value_member(frame->v, "symbol");
	struct place place = { .index = frame->kind == FRAME_KEY ? frame->index : 0 };
	uint64_t offset;
	place.symbol = text_place(t, symbol ? symbol : value_member(frame->v, "function"));
	place.module = text_place(t, value_member(frame->v, "module"));
	place.build_id = text_place(t, value_member(frame->v, "build_id"));
	place.file = text_place(t, value_member(frame->v, "file"));
	place.address = address_of(value_member(frame->v, "address"));
	if (!value_unsigned(value_member(frame->v, "line"), &place.line))
		place.line = 0;
	if (value_unsigned(value_member(frame->v, "file_offset"), &offset) &&
	    offset <= place.address)
		place.begin = place.address - offset;
	if (place.address && is_caller(frame))
		place.address--;
	return tree_place(t, &place);
}

int place_compare(const struct place *a, const struct place *b)
{
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return strcmp(a->file ? a->file : "", b->file ? b->file : "");
}
