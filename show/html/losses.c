/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/html/losses.h"

#include <string.h>

#include "show/value.h"

#define KINDS_MOST 200

void losses_init(struct losses *l)
{
	*l = (struct losses) { .index = hash_new(), .places = arena_new() };
}

void losses_deinit(struct losses *l)
{
	for (size_t i = 0; i < l->list.count; i++)
		free(l->list.items[i].text);
	vector_free(&l->list);
	hash_free(l->index);
	arena_free(l->places);
}

/* The loss of the kind KEY; NULL: it is one too many. */
static struct loss *loss_place(struct losses *l, const struct strbuf *key, const char *place)
{
	void *number = hash_get(l->index, strbuf_text(key), key->len);
	if (number)
		return &l->list.items[(uintptr_t)number - 1];
	if (l->list.count == KINDS_MOST) {
		l->others++;
		return NULL;
	}
	vector_push(&l->list, (struct loss) { .place = arena_strdup(l->places, place) });
	*hash_place(l->index, strbuf_text(key), key->len) = (void *)(uintptr_t)l->list.count;
	return &l->list.items[l->list.count - 1];
}

static void loss_add(struct losses *l, const struct strbuf *key, const char *place, uint64_t count,
		     const char *text)
{
	struct loss *loss = loss_place(l, key, place);
	if (!loss)
		return;
	count_add(&loss->count, count);
	free(loss->text);
	loss->text = mem_strdup(text);
}

void losses_add_drop(struct losses *l, struct json_object *line)
{
	auto_strbuf struct strbuf key = { 0 }, text = { 0 };
	struct json_object *cpu = value_member(line, "cpu");
	uint64_t count;
	if (value_member(line, "clause") || !value_unsigned(value_member(line, "count"), &count))
		return; /* by clause what other lines have said */
	strbuf_puts(&key, value_word(value_member(line, "tag")));
	if (cpu)
		value_text(cpu, &key);
	value_text(value_member(line, "text"), &text);
	const char *words = strbuf_text(&text) + strspn(strbuf_text(&text), "0123456789");
	loss_add(l, &key, "", count, words + strspn(words, " "));
}

void losses_add_error(struct losses *l, struct json_object *line)
{
	auto_strbuf struct strbuf key = { 0 }, text = { 0 }, place = { 0 };
	struct json_object *fault = value_member(line, "fault");
	value_probe(value_member(line, "probe"), &place);
	value_text(value_member(line, "text"), &text);
	strbuf_puts(&key, strbuf_text(&place));
	strbuf_putc(&key, '\n');
	value_text(value_member(line, "clause"), &key);
	if (fault) {
		/* Addresses differ. */
		value_text(value_member(fault, "number"), &key);
		strbuf_putc(&key, '\n');
		value_text(value_member(fault, "action"), &key);
	} else {
		strbuf_puts(&key, strbuf_text(&text));
	}
	loss_add(l, &key, strbuf_text(&place), 1, strbuf_text(&text));
}
