/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "show/frames.h"
#include "show/openmetrics/metrics.h"
#include "show/value.h"

/* --- names ----------------------------------------------------------------------------------- */

/* A name of letters, digits and underlines, which begins with no digit. */
static void legal_name_add(struct strbuf *ret, const char *text, size_t len)
{
	size_t begin = ret->len;
	for (; len && *text; text++, len--) {
		bool is_letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
		bool is_digit = *text >= '0' && *text <= '9';
		if (is_letter || (is_digit && ret->len > begin))
			strbuf_putc(ret, *text);
		else if (ret->len > begin && ret->text[ret->len - 1] != '_')
			strbuf_putc(ret, '_');
	}
	while (ret->len > begin && ret->text[ret->len - 1] == '_')
		ret->text[--ret->len] = '\0';
	if (ret->len == begin)
		strbuf_puts(ret, "key");
}

/* The names that -x labels has for M: the last ones of @NAME=, else the last ones for all. */
static const char *labels_chosen(const struct metric *m, const struct show *show)
{
	const char *all = NULL, *own = NULL;
	for (size_t i = 0; i < show->labels.count; i++) {
		const char *names = show->labels.items[i], *is = strchr(names, '=');
		if (*names != '@' || !is) {
			all = names;
			continue;
		}
		size_t len = (size_t)(is - names - 1);
		if (!len && string_equal(m->aggregation, "_"))
			own = is + 1;
		if (len == strlen(m->aggregation) && !memcmp(names + 1, m->aggregation, len))
			own = is + 1;
	}
	return own ? own : all;
}

static bool label_is_taken(const struct metric *m, const char *name)
{
	for (size_t i = 0; i < m->labels.count; i++)
		if (string_equal(m->labels.items[i], name))
			return true;
	return string_equal(name, "le") || string_equal(name, "other");
}

/* Key I gets NAME, with a number if it is taken: arg0 / 2 and arg0 % 2. */
static void label_push(struct metric *m, size_t i, struct strbuf *name)
{
	size_t len = name->len;
	for (size_t number = i + 1; label_is_taken(m, strbuf_text(name)); number++) {
		name->len = len;
		strbuf_printf(name, "_%zu", number);
	}
	vector_push(&m->labels, strbuf_take(name));
}

void labels_name(struct metric *m, const struct show *show, size_t count)
{
	const char *chosen = labels_chosen(m, show);
	for (size_t i = 0; i < count; i++) {
		auto_strbuf struct strbuf expression = { 0 }, name = { 0 };
		size_t len = chosen ? strcspn(chosen, ",") : 0;
		bool has_name = len || show_key_name(show, m->aggregation, i, &expression);
		if (len)
			strbuf_add(&name, chosen, len); /* dtrace has checked it */
		else
			legal_name_add(&name, strbuf_text(&expression), expression.len);
		chosen = len && chosen[len] ? chosen + len + 1 : NULL;
		if (!has_name)
			strbuf_printf(&name, "%zu", i + 1);
		if (i >= m->labels.count) /* an earlier row had fewer keys */
			label_push(m, i, &name);
	}
}

/* --- values ---------------------------------------------------------------------------------- */

/* In quotes. */
static void label_value(struct strbuf *ret, const char *text)
{
	strbuf_putc(ret, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_putc(ret, '\\');
		strbuf_putc(ret, *text);
	}
	strbuf_putc(ret, '"');
}

static void stack_name_add(void *arg, const struct seen_frame *frame)
{
	struct strbuf *text = arg;
	if (text->len)
		strbuf_putc(text, ';');
	strbuf_add(text, frame->name, frame->len);
}

void labels_add(const struct metric *m, struct json_object *key, struct strbuf *label,
		struct strbuf *ret)
{
	for (size_t i = 0; i < value_count(key) && i < m->labels.count; i++) {
		struct json_object *v = json_object_array_get_idx(key, i);
		strbuf_clear(label);
		if (value_is_stack(v))
			frames_visit(v, stack_name_add, label);
		else
			value_text(v, label);
		strbuf_puts(ret, ret->len ? "," : "");
		strbuf_puts(ret, m->labels.items[i]);
		strbuf_putc(ret, '=');
		label_value(ret, strbuf_text(label));
	}
}
