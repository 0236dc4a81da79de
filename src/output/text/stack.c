/* SPDX-License-Identifier: BSD-2-Clause */
/* stack - one line per frame */
#include <string.h>

#include "arch/arch.h"
#include "output/internal.h"
#include "symbol/symbol.h"

/* The end of the stack, by the word after the last frame. */
static void note_end(struct output *o, struct frames_shown *f, uint64_t word)
{
	bool is_end = frame_how(word) == FRAME_END && frame_address(word) < STACK_END_COUNT;
	f->ended = is_end ? (enum stack_end)frame_address(word) : STACK_END_NO_CALL;
	f->knows_end = word != 0;
	f->ends_early = word && !stack_end_is_whole(f->ended);
	o->stacks_cut[f->ended] += f->ends_early;
}

/* The first word of V, a user stack, that is a frame of an interpreter; else V's count. */
static unsigned interpreted_at(const struct value *v)
{
	unsigned words = v->size / 8, i = 1;
	while (i < words && !frame_is_interpreted(value_word(v, i)))
		i++;
	return MIN(i, words);
}

/* The place of the last of WORDS words of V, a user stack, if it says how V ended; else WORDS. */
static unsigned end_word(const struct value *v, unsigned words)
{
	unsigned i = 1;
	while (i < words && value_word(v, i) && frame_how(value_word(v, i)) != FRAME_END)
		i++;
	return MIN(i, words);
}

static void add_copied(struct output *o, struct value *v)
{
	unsigned words = v->size / 8, native = interpreted_at(v), end = end_word(v, native), more;
	uint64_t word = end < native ? value_word(v, end) : 0;
	if (!frame_copy(word))
		return;
	const uint64_t *rest = consumer_copied_frames(o->setup.consumer, &word, &more);
	strbuf_clear(&o->stack);
	strbuf_add(&o->stack, v->bytes, end * sizeof(word));
	strbuf_add(&o->stack, rest, more * sizeof(word));
	strbuf_add(&o->stack, v->bytes + native * sizeof(word), (words - native) * sizeof(word));
	v->bytes = (const unsigned char *)o->stack.text;
	v->size = (uint32_t)o->stack.len;
}

/* After the words at I that are of KIND. */
static uint32_t words_end(const struct value *v, enum frame_how kind, unsigned i, unsigned words)
{
	while (i < words && frame_how(value_word(v, i)) == kind)
		i++;
	return i;
}

/*
 * A function that has a program by fexit is called by a trampoline, which its own beginning has
 * called: after a frame of the function come one of the trampoline, and another one of the
 * function.  Nothing else returns to a place so near to a function's beginning.
 */
static bool is_trampoline(struct output *o, const struct value *v, uint32_t i)
{
	struct symbols *s = o->setup.symbols;
	uint64_t next = value_word(v, i + 1), begin = output_symbol_start(s, 0, next);
	return next > begin && next - begin <= arch_host()->tracer_call_end &&
	       output_symbol_start(s, 0, value_word(v, i - 1)) == begin &&
	       output_symbol_start(s, 0, value_word(v, i)) != begin;
}

/* The frames of a kernel stack, but those of trampolines in it. */
static void drop_trampolines(struct output *o, struct value *v)
{
	unsigned words = v->size / 8;
	strbuf_clear(&o->stack);
	for (unsigned i = 0; i < words && value_word(v, i); i++) {
		if (i && i + 1 < words && value_word(v, i + 1) && is_trampoline(o, v, i)) {
			i++;
			continue;
		}
		uint64_t word = value_word(v, i);
		strbuf_add(&o->stack, &word, sizeof(word));
	}
	v->bytes = (const unsigned char *)o->stack.text;
	v->size = (uint32_t)o->stack.len;
}

struct frames_shown stack_frames(struct output *o, struct value *v)
{
	bool is_user = value_is_user(v);
	if (is_user)
		add_copied(o, v);
	else if (o->setup.symbols)
		drop_trampolines(o, v);
	unsigned all = v->size / 8, words = is_user ? interpreted_at(v) : all;
	struct frames_shown f = { .first = is_user, .end = words, .methods = words };
	f.interpreted = words_end(v, FRAME_METHOD, words, all);
	f.interpreted_end = words_end(v, FRAME_INTERPRETED, f.interpreted, all);
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

/* Return addresses are after the call; other frames were about to execute theirs. */
static bool is_return(const struct frames_shown *f, const struct value *v, uint32_t i)
{
	return i > f->first && frame_how(value_word(v, i)) != FRAME_SIGNAL;
}

const struct symbol_name *stack_name(struct output *o, const struct frames_shown *f,
				     const struct value *v, uint32_t i, struct symbol_name *room)
{
	if (f->first && !f->tgid)
		return NULL;
	uint64_t address = stack_address(f, v, i);
	bool is_known = address_name(o, f->tgid, address, room);
	if (!f->first || o->options.noresolve || !is_return(f, v, i) ||
	    (is_known && room->name && room->offset))
		return is_known ? room : NULL;
	if (address_name(o, f->tgid, address - 1, room) && room->name) {
		room->offset++;
		room->file_offset++;
		return room;
	}
	return is_known && address_name(o, f->tgid, address, room) ? room : NULL;
}

unsigned stack_places(struct output *o, const struct frames_shown *f, const struct value *v,
		      uint32_t i, struct source_place *ret)
{
	if (!f->first || !f->tgid || !o->options.ustacklines || !o->setup.symbols)
		return 0;
	struct symbols_process *process = symbols_of(o->setup.symbols, (int)f->tgid);
	return symbols_process_places(process, stack_address(f, v, i), is_return(f, v, i), ret);
}

/* Where lines of a stack are printed. */
struct column {
	int indent, width;
};

/* The line in o->scratch. */
static void put_line(struct output *o, struct column c)
{
	writer_fill(o->out, ' ', (size_t)MAX(c.indent, 0));
	struct shown s = show_text(o, strbuf_text(&o->scratch), o->scratch.len, SHOW_IN_LINE);
	writer_pad_left(o->out, s.text, s.len, (size_t)MAX(c.width, 0));
	writer_putc(o->out, '\n');
	strbuf_clear(&o->scratch);
}

static void stack_add_place(struct output *o, const struct source_place *p)
{
	if (p->file)
		strbuf_printf(&o->scratch, " at %s:%d", p->file, p->line);
}

/* An inlined function has a line of its own, without an address. */
static void put_inlined(struct output *o, const struct frames_shown *f, uint64_t address,
			const struct source_place *p, struct column c)
{
	struct symbol_name module, name = { .name = p->function };
	symbols_demangle(o->setup.symbols, &name);
	if (address_name(o, f->tgid, address, &module) && symbol_module(&module))
		strbuf_printf(&o->scratch, "%s`", symbol_module(&module));
	strbuf_printf(&o->scratch, "%s [inlined]", name.name);
	stack_add_place(o, p);
	put_line(o, c);
}

static void put_interpreted(struct output *o, const struct value *v, uint64_t word, struct column c)
{
	if (interpreted_text(o, v, word, &o->scratch))
		put_line(o, c);
}

static void put_user_frame(struct output *o, const struct frames_shown *f, const struct value *v,
			   uint32_t i, uint64_t method, struct column c)
{
	struct source_place places[SOURCE_PLACES_MAX];
	uint64_t address = stack_address(f, v, i);
	unsigned count = stack_places(o, f, v, i, places);
	for (unsigned n = 0; n + 1 < count; n++)
		put_inlined(o, f, address, &places[n], c);
	struct symbol_name room;
	const struct symbol_name *name = stack_name(o, f, v, i, &room);
	symbol_print(&o->scratch, o->options.noresolve ? SYMBOL_RAW : SYMBOL_OFFSET, address, name);
	if (!method)
		interpreted_count_jit(o, f, v, name);
	if (count)
		stack_add_place(o, &places[count - 1]);
	put_line(o, c);
	if (method)
		put_interpreted(o, v, method, c);
}

void stack_print(struct output *o, const struct value *of, int indent, int width)
{
	struct value whole = *of, *v = &whole;
	struct frames_shown f = stack_frames(o, v);
	const struct column c = { indent, width };
	writer_putc(o->out, '\n');
	strbuf_clear(&o->scratch);
	struct interpreted_cursor cursor = interpreted_begin(o, &f, v);
	for (uint32_t i = f.first; i < f.end; i++) {
		if (f.first) {
			uint32_t from;
			uint64_t method = interpreted_method_of(&f, v, i, &cursor);
			put_user_frame(o, &f, v, i, method, c);
			uint32_t end = interpreted_after(o, &f, v, i, &cursor, &from);
			for (; from < end; from++)
				put_interpreted(o, v, value_word(v, from), c);
			continue;
		}
		address_text_kernel(o, value_word(v, i), &o->scratch);
		put_line(o, c);
	}
	if (!f.ends_early)
		return;
	strbuf_puts(&o->scratch, "...");
	put_line(o, c);
}
