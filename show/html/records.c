/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/html/records.h"

#include <string.h>

#include "show/value.h"

/* Of the first ones and of the last ones. */
#define RECORDS_MOST 5000
#define BYTES_MOST (650 << 10)
#define BYTES_BESIDE 60 /* of a record's row beside its text */

void records_init(struct records *r)
{
	*r = (struct records) { .names = hash_new(), .arena = arena_new() };
}

void records_deinit(struct records *r)
{
	for (size_t i = 0; i < r->first.count; i++)
		free(r->first.items[i].text);
	for (size_t i = r->last_begin; i < r->last.count; i++)
		free(r->last.items[i].text);
	vector_free(&r->first);
	vector_free(&r->last);
	hash_free(r->names);
	arena_free(r->arena);
}

/* --- the lists ------------------------------------------------------------------------------- */

static const char *name_place(struct records *r, const struct strbuf *name)
{
	void **place = hash_place(r->names, strbuf_text(name), name->len);
	if (!*place)
		*place = arena_strdup(r->arena, strbuf_text(name));
	return *place;
}

static const char *probe_name(struct records *r, struct json_object *line)
{
	auto_strbuf struct strbuf name = { 0 };
	value_probe(value_member(line, "probe"), &name);
	return name_place(r, &name);
}

static const char *thread_name(struct records *r, struct json_object *line)
{
	struct json_object *thread = value_member(line, "thread"), *tid = value_member(line, "tid");
	auto_strbuf struct strbuf name = { 0 };
	if (thread)
		value_text(thread, &name);
	if (tid) {
		strbuf_puts(&name, name.len ? " " : "");
		value_text(tid, &name);
	}
	return name_place(r, &name);
}

static size_t record_bytes(const struct record *record)
{
	return strlen(record->text) + strlen(record->probe) + strlen(record->thread) + BYTES_BESIDE;
}

/* Free the oldest ones of `last`. */
static void last_shorten(struct records *r)
{
	while (r->last.count - r->last_begin > RECORDS_MOST || r->last_bytes > BYTES_MOST) {
		struct record *oldest = &r->last.items[r->last_begin++];
		r->last_bytes -= record_bytes(oldest);
		free(oldest->text);
		r->left_out++;
	}
	if (r->last_begin > r->last.count / 2) {
		r->last.count -= r->last_begin;
		memmove(r->last.items, r->last.items + r->last_begin,
			r->last.count * sizeof(*r->last.items));
		r->last_begin = 0;
	}
}

/* TEXT becomes a record of LINE. */
static void record_take(struct records *r, struct json_object *line, struct strbuf *text)
{
	while (text->len && text->text[text->len - 1] == '\n')
		text->text[--text->len] = '\0';
	if (!text->len)
		return;
	struct record record = { .probe = probe_name(r, line),
				 .thread = thread_name(r, line),
				 .text = strbuf_take(text) };
	record.has_cpu = value_unsigned(value_member(line, "cpu"), &record.cpu);
	if (!value_unsigned(value_member(line, "time"), &record.time))
		record.time = 0;
	r->count++;
	r->has_threads |= *record.thread != '\0';
	r->first_bytes += record_bytes(&record);
	if (r->first.count < RECORDS_MOST && r->first_bytes <= BYTES_MOST) {
		vector_push(&r->first, record);
		return;
	}
	r->first_bytes = BYTES_MOST + 1; /* those that follow are later than the first ones */
	r->last_bytes += record_bytes(&record);
	vector_push(&r->last, record);
	last_shorten(r);
}

void records_add(struct records *r, struct json_object *line)
{
	struct json_object *data = value_member(line, "data");
	auto_strbuf struct strbuf text = { 0 };
	for (size_t i = 0; i < value_count(data); i++)
		item_text(json_object_array_get_idx(data, i), &text);
	record_take(r, line, &text);
}
