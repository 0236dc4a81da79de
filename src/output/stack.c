/* SPDX-License-Identifier: BSD-2-Clause */
/* stack - one line per frame */
#include <string.h>

#include "output/internal.h"

/* What the word behind the last frame says of the stack's end. */
static void note_end(struct output *o, struct frames_shown *f, uint64_t word)
{
	bool is_end = frame_how(word) == FRAME_END && frame_address(word) < STACK_END_COUNT;
	f->ended = is_end ? (enum stack_end)frame_address(word) : STACK_END_NO_CALL;
	f->knows_end = word != 0;
	f->ends_early = word && !stack_end_is_whole(f->ended);
	o->stacks_cut[f->ended] += f->ends_early;
}

struct frames_shown stack_frames(struct output *o, const struct value *v)
{
	bool is_user = value_is_user(v);
	unsigned words = v->size / 8;
	struct frames_shown f = { .first = is_user, .end = words };
	if (is_user && words) {
		f.tgid = (uint32_t)value_word(v, 0);
		f.end = 1 + output_stack_frames(o->setup.symbols, f.tgid, v->bytes + 8, words - 1);
	}
	for (uint32_t i = f.first; i < f.end; i++)
		if (!value_word(v, i))
			f.end = i;
	if (is_user && f.end < words)
		note_end(o, &f, value_word(v, f.end));
	return f;
}

uint64_t stack_address(const struct frames_shown *f, const struct value *v, uint32_t i)
{
	uint64_t word = value_word(v, i);
	return f->first ? frame_address(word) : word;
}

void stack_print(struct output *o, const struct value *v, int indent, int width)
{
	struct frames_shown f = stack_frames(o, v);
	writer_putc(o->out, '\n');
	for (uint32_t i = f.first; i < f.end + f.ends_early; i++) {
		strbuf_clear(&o->scratch);
		if (i == f.end)
			strbuf_puts(&o->scratch, "...");
		else if (f.first)
			address_text_user(o, f.tgid, stack_address(&f, v, i), &o->scratch);
		else
			address_text_kernel(o, value_word(v, i), &o->scratch);
		writer_fill(o->out, ' ', (size_t)MAX(indent, 0));
		struct shown s =
			show_text(o, strbuf_text(&o->scratch), o->scratch.len, SHOW_IN_LINE);
		writer_pad_left(o->out, s.text, s.len, (size_t)MAX(width, 0));
		writer_putc(o->out, '\n');
	}
}
