/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * saved_fuzz - any file may be where dtrace -A writes its own
 *
 * A readable file is written again and read again: the programs must be the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/anonymous/saved.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_again(const struct saved *s, struct strbuf *out)
{
	saved_begin(out);
	for (size_t i = 0; i < s->options.count; i++)
		saved_add(out, "option", s->options.items[i].text, s->options.items[i].len);
	for (size_t i = 0; i < s->programs.count; i++) {
		const struct saved_program *p = &s->programs.items[i];
		saved_add(out, saved_keyword(p->kind), p->name.text, p->name.len);
		if (p->kind == PROGRAM_SCRIPT)
			saved_add(out, "text", p->text.text, p->text.len);
	}
	saved_end(out);
}

static void must_be(const struct saved_text *a, const struct saved_text *b)
{
	if (a->len != b->len || memcmp(a->text, b->text, a->len))
		abort();
}

static void compare(const struct saved *a, const struct saved *b)
{
	if (a->options.count != b->options.count || a->programs.count != b->programs.count)
		abort();
	for (size_t i = 0; i < a->options.count; i++)
		must_be(&a->options.items[i], &b->options.items[i]);
	for (size_t i = 0; i < a->programs.count; i++) {
		must_be(&a->programs.items[i].name, &b->programs.items[i].name);
		must_be(&a->programs.items[i].text, &b->programs.items[i].text);
	}
}

static void read_twice(const char *text, size_t size)
{
	struct saved *first, *second;
	auto_error struct error *err = saved_parse(text, size, &first);
	if (err)
		return;
	auto_strbuf struct strbuf again = { 0 };
	write_again(first, &again);
	err = saved_parse(strbuf_text(&again), again.len, &second);
	if (err)
		abort();
	compare(first, second);
	saved_free(first);
	saved_free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_strbuf struct strbuf text = { 0 }, rest = { 0 };
	bool found;
	strbuf_add(&text, data, size);
	error_free(tracer_prune_saved(&text, &rest, &found));
	read_twice(strbuf_text(&text), size);
	return 0;
}
