/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interpreted - frames of an interpreter, after the native frames that ran them
 *
 * CPython runs several frames of Python in one call of its evaluator; the last of them is marked
 * (abi/interpreted.h).  Where both lists are whole, their last frames belong together: at the entry
 * of the evaluator the first native frame has none yet.  Else their first frames do.
 *
 * A method that HotSpot interprets has a native frame of its own, whose number is in its word.
 */
#include <string.h>

#include "output/internal.h"
#include "symbol/code_names.h"
#include "symbol/symbol.h"

#define EVALUATOR "_PyEval_EvalFrameDefault" /* also its parts: .cold */

static bool is_evaluator(struct output *o, const struct frames_shown *f, const struct value *v,
			 uint32_t i)
{
	struct symbol_name name;
	return f->first && address_name(o, f->tgid, stack_address(f, v, i), &name) && name.name &&
	       strncmp(name.name, EVALUATOR, strlen(EVALUATOR)) == 0;
}

static unsigned count_evaluators(struct output *o, const struct frames_shown *f,
				 const struct value *v)
{
	unsigned n = 0;
	for (uint32_t i = f->first; i < f->end; i++)
		n += is_evaluator(o, f, v, i);
	return n;
}

static unsigned count_groups(const struct frames_shown *f, const struct value *v, bool *is_whole)
{
	unsigned n = 0;
	*is_whole = false;
	for (uint32_t i = f->interpreted; i < f->interpreted_end; i++) {
		*is_whole = interpreted_is_last(value_word(v, i));
		n += *is_whole;
	}
	return n + (f->interpreted < f->interpreted_end && !*is_whole);
}

struct interpreted_cursor interpreted_begin(struct output *o, const struct frames_shown *f,
					    const struct value *v)
{
	struct interpreted_cursor c = { .next_method = f->methods, .next = f->interpreted };
	if (!f->first || !v->field->strings)
		return c;
	bool is_whole;
	unsigned groups = count_groups(f, v, &is_whole);
	c.evaluators = count_evaluators(o, f, v);
	if (is_whole && f->knows_end && f->ended == STACK_END_WHOLE)
		c.later = (int)c.evaluators - (int)groups;
	o->stacks_native += c.evaluators && !groups;
	return c;
}

uint64_t interpreted_method_of(const struct frames_shown *f, const struct value *v, uint32_t i,
			       struct interpreted_cursor *c)
{
	uint64_t number = i - f->first, word = 0;
	while (c->next_method < f->interpreted &&
	       (uint32_t)(word = value_word(v, c->next_method)) < number)
		c->next_method++;
	return c->next_method < f->interpreted && (uint32_t)word == number ? word : 0;
}

static uint32_t group_end(const struct frames_shown *f, const struct value *v, uint32_t from)
{
	while (from < f->interpreted_end && !interpreted_is_last(value_word(v, from)))
		from++;
	return MIN(from + 1, f->interpreted_end);
}

uint32_t interpreted_after(struct output *o, const struct frames_shown *f, const struct value *v,
			   uint32_t i, struct interpreted_cursor *c, uint32_t *first)
{
	*first = c->next;
	if (c->next == f->interpreted_end)
		return c->next;
	c->met += is_evaluator(o, f, v, i);
	while (c->next < f->interpreted_end && c->met && (int)c->groups < (int)c->met - c->later) {
		c->next = group_end(f, v, c->next);
		c->groups++;
	}
	if (c->met == c->evaluators && (c->met || i + 1 == f->end))
		c->next = f->interpreted_end;
	return c->next;
}

/* --- one frame -------------------------------------------------------------------------- */

bool interpreted_place_of(struct output *o, uint64_t word, struct code_place *ret)
{
	return o->setup.code_names && code_names_find(o->setup.code_names, word, ret);
}

/* TEXT ends at a whole character of UTF-8. */
static void name_truncate(struct output *o, struct strbuf *text, uint32_t most)
{
	if (text->len <= most)
		return;
	while (most && ((unsigned char)text->text[most] & 0xc0) == 0x80)
		most--;
	text->text[most] = 0;
	text->len = most;
	o->frames_cut++;
}

bool interpreted_text(struct output *o, const struct value *v, uint64_t word, struct strbuf *out)
{
	struct code_place p;
	auto_strbuf struct strbuf text = { 0 };
	if (!interpreted_is_frame(word))
		return false;
	if (!interpreted_place_of(o, word, &p)) {
		strbuf_puts(out, "  [ ? ]");
		return true;
	}
	if (p.file)
		strbuf_puts(&text, p.file);
	if (p.line)
		strbuf_printf(&text, ":%u", p.line);
	strbuf_printf(&text, "%s%s", p.file ? " " : "", p.function);
	if (p.is_cut)
		strbuf_puts(&text, "...");
	o->frames_cut += p.is_cut;
	name_truncate(o, &text, v->field->strings);
	strbuf_printf(out, "  [ %s ]", strbuf_text(&text));
	return true;
}

/* --- what is missing ---------------------------------------------------------------------- */

void interpreted_count_jit(struct output *o, const struct frames_shown *f, const struct value *v,
			   const struct symbol_name *name)
{
	if (f->first && v->field->strings)
		o->frames_jit += !name || (name->is_anonymous && !name->name);
}

static void interpreted_drop(struct output *o, enum drop_kind kind, uint64_t count)
{
	if (count)
		output_drop(o, &(struct drop) { .kind = kind, .cpu = -1, .count = count });
}

void interpreted_report(struct output *o)
{
	interpreted_drop(o, DROP_NATIVE_STACKS, o->stacks_native);
	interpreted_drop(o, DROP_CUT_FRAMES, o->frames_cut);
	interpreted_drop(o, DROP_JIT_FRAMES, o->frames_jit);
}
