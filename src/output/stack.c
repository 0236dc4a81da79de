/* SPDX-License-Identifier: BSD-2-Clause */
/* stack - one line per frame */
#include <string.h>

#include "output/internal.h"

void stack_print(struct output *o, const struct value *v, int indent, int width)
{
	uint32_t count = v->size / 8, first = value_is_user(v) ? 1 : 0;
	uint32_t tgid = first && count ? (uint32_t)value_word(v, 0) : 0;
	writer_putc(o->out, '\n');
	for (uint32_t i = first; i < count; i++) {
		uint64_t pc = value_word(v, i);
		if (!pc)
			break;
		strbuf_clear(&o->scratch);
		if (first)
			address_text_user(o, tgid, pc, &o->scratch);
		else
			address_text_kernel(o, pc, &o->scratch);
		writer_fill(o->out, ' ', (size_t)MAX(indent, 0));
		struct shown s =
			show_text(o, strbuf_text(&o->scratch), o->scratch.len, SHOW_IN_LINE);
		writer_pad_left(o->out, s.text, s.len, (size_t)MAX(width, 0));
		writer_putc(o->out, '\n');
	}
}
