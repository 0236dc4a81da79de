/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/top/table.h"

#include <string.h>

#include "show/value.h"

/* --- tables ---------------------------------------------------------------------------------- */

struct table *table_new(uint64_t time, unsigned amount_count)
{
	struct table *t = mem_zalloc(sizeof(*t));
	t->arena = arena_new();
	t->index = hash_new();
	t->time = time;
	t->amount_count = amount_count;
	return t;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	vector_free(&t->rows);
	hash_free(t->index);
	arena_free(t->arena);
	free(t);
}

struct row *table_row(const struct table *t, const char *key, size_t len)
{
	return hash_get(t->index, key, len);
}

struct row *row_place(struct table *t, const char *key, size_t len, unsigned keys, bool *is_new)
{
	void **place = hash_place(t->index, key, len);
	*is_new = !*place;
	if (*place)
		return *place;
	struct row *row =
		arena_alloc(t->arena, sizeof(*row) + t->amount_count * sizeof(row->amounts[0]));
	row->key = arena_strndup(t->arena, key, len);
	row->key_len = len;
	row->key_count = keys;
	row->texts = arena_alloc(t->arena, keys * sizeof(*row->texts));
	row->frames = arena_alloc(t->arena, keys * sizeof(*row->frames));
	*place = row;
	vector_push(&t->rows, row);
	return row;
}

/* --- keys ------------------------------------------------------------------------------------ */

static struct json_object *stack_of(struct json_object *v, bool *is_kernel)
{
	struct json_object *kernel = value_member(v, "stack");
	*is_kernel = kernel != NULL;
	return kernel ? kernel : value_member(v, "ustack");
}

/* The function of FRAME, and those that were inlined in it, the innermost first. */
static void frame_text(struct json_object *frame, struct strbuf *ret)
{
	struct json_object *inlined = value_member(frame, "inlined");
	for (size_t i = 0; i < value_count(inlined); i++) {
		value_text(value_member(json_object_array_get_idx(inlined, i), "symbol"), ret);
		strbuf_puts(ret, " in ");
	}
	value_frame(frame, ret);
}

/* "leaf < caller < main" to RET. */
static void stack_text(struct json_object *list, struct strbuf *ret)
{
	if (!value_count(list))
		strbuf_puts(ret, "[no frames]");
	for (size_t i = 0; i < value_count(list); i++) {
		if (i)
			strbuf_puts(ret, " < ");
		frame_text(json_object_array_get_idx(list, i), ret);
	}
}

/* The texts of KEY, each with a NUL after it. */
static void key_text(struct json_object *key, struct strbuf *ret)
{
	for (size_t i = 0; i < value_count(key); i++) {
		bool is_kernel;
		struct json_object *v = json_object_array_get_idx(key, i);
		struct json_object *stack = stack_of(v, &is_kernel);
		if (stack)
			stack_text(stack, ret);
		else
			value_text(v, ret);
		strbuf_putc(ret, 0);
	}
}

static void frames_read(struct arena *a, struct json_object *v, struct frames *ret)
{
	struct json_object *list = stack_of(v, &ret->is_kernel);
	if (!list)
		return;
	ret->is_truncated = value_member(v, "truncated") != NULL;
	ret->names = arena_alloc(a, value_count(list) * sizeof(*ret->names));
	for (size_t i = 0; i < value_count(list); i++) {
		auto_strbuf struct strbuf text = { 0 };
		frame_text(json_object_array_get_idx(list, i), &text);
		ret->names[ret->count++] = arena_strdup(a, strbuf_text(&text));
	}
}

static void row_set_key(struct table *t, struct row *row, struct json_object *key)
{
	const char *text = row->key;
	for (size_t i = 0; i < value_count(key); i++) {
		row->texts[i] = text;
		text += strlen(text) + 1;
		frames_read(t->arena, json_object_array_get_idx(key, i), &row->frames[i]);
	}
}

/* --- views ----------------------------------------------------------------------------------- */

static bool view_is_of(const struct view *v, uint64_t clause, struct json_object *values)
{
	if (v->clause != clause || v->amount_count != MIN(value_count(values), AMOUNTS_MOST))
		return false;
	for (unsigned i = 0; i < v->amount_count; i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		if (!string_equal(v->names[i], value_word(value_member(value, "name"))))
			return false;
	}
	return true;
}

static char *view_title(const struct view *v, const struct show *s)
{
	if (v->amount_count == 1)
		return show_title(s, v->names[0], v->functions[0]);
	auto_strbuf struct strbuf ret = { 0 };
	for (unsigned i = 0; i < v->amount_count; i++)
		strbuf_printf(&ret, "%s@%s", i ? ", " : "", v->names[i]);
	return strbuf_take(&ret);
}

static void view_name_keys(struct view *v, const struct show *s)
{
	struct strbuf name = { 0 };
	for (size_t i = 0; show_key_name(s, v->names[0], i, &name); i++)
		vector_push(&v->key_names, strbuf_take(&name));
	strbuf_deinit(&name);
}

static struct view *view_new(const struct show *s, uint64_t clause, struct json_object *values)
{
	struct view *v = mem_zalloc(sizeof(*v));
	v->clause = clause;
	v->amount_count = (unsigned)MIN(value_count(values), AMOUNTS_MOST);
	for (unsigned i = 0; i < v->amount_count; i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		v->names[i] = mem_strdup(value_word(value_member(value, "name")));
		v->functions[i] = mem_strdup(value_word(value_member(value, "function")));
		v->kinds[i] = function_named(v->functions[i]);
	}
	v->title = view_title(v, s);
	view_name_keys(v, s);
	return v;
}

static struct view *view_place(struct views *views, const struct show *s, uint64_t clause,
			       struct json_object *values)
{
	for (size_t i = 0; i < views->list.count; i++)
		if (view_is_of(views->list.items[i], clause, values))
			return views->list.items[i];
	return vector_push(&views->list, view_new(s, clause, values));
}

static void view_free(struct view *v)
{
	for (unsigned i = 0; i < v->amount_count; i++) {
		free(v->names[i]);
		free(v->functions[i]);
	}
	for (size_t i = 0; i < v->key_names.count; i++)
		free(v->key_names.items[i]);
	vector_free(&v->key_names);
	free(v->title);
	table_free(v->table);
	table_free(v->next);
	free(v);
}

void views_deinit(struct views *v)
{
	for (size_t i = 0; i < v->list.count; i++)
		view_free(v->list.items[i]);
	vector_free(&v->list);
}

/* --- rates ----------------------------------------------------------------------------------- */

/* WAS: the amount at BEFORE; NULL: there was no such row. */
static void amount_set_rate(struct amount *m, const struct amount *was, uint64_t before,
			    uint64_t now)
{
	long double more = m->number - (was && was->is_known ? was->number : 0);
	m->has_rate = m->is_known && before && now > before && more >= 0;
	if (m->has_rate)
		m->rate = (double)(more * 1e9L / (long double)(now - before));
}

static void view_set_rates(struct view *v)
{
	const struct table *was = v->is_cleared ? NULL : v->table;
	uint64_t before = v->is_cleared ? v->ended_at : was ? was->time : 0;
	for (size_t i = 0; i < v->next->rows.count; i++) {
		struct row *row = v->next->rows.items[i];
		struct row *old = was ? table_row(was, row->key, row->key_len) : NULL;
		for (unsigned k = 0; k < v->amount_count; k++)
			if (function_grows(v->kinds[k]))
				amount_set_rate(&row->amounts[k], old ? &old->amounts[k] : NULL,
						before, v->next->time);
	}
}

/* What is collected is whole. */
static void view_end(struct views *views, struct view *v)
{
	if (!v->next)
		return;
	view_set_rates(v);
	v->ended_at = v->next->time;
	v->is_cleared = false;
	if (views->is_held) {
		table_free(v->next);
	} else {
		table_free(v->table);
		v->table = v->next;
		views->has_changed = true;
	}
	v->next = NULL;
}

void views_end(struct views *v)
{
	for (size_t i = 0; i < v->list.count; i++)
		view_end(v, v->list.items[i]);
}

/* --- lines ----------------------------------------------------------------------------------- */

/* Rows of one printing have its number; of a printa() its time. */
static void view_begin(struct views *views, struct view *v, struct json_object *line)
{
	uint64_t time = member_unsigned(line, "time"), id = line_printing(line);
	if (v->next && v->next_id == id)
		return;
	view_end(views, v);
	v->next = table_new(time, v->amount_count);
	v->next_id = id;
}

static void row_read(struct view *v, struct json_object *key, struct json_object *values)
{
	bool is_new;
	auto_strbuf struct strbuf text = { 0 };
	v->key_count = (unsigned)value_count(key);
	key_text(key, &text);
	struct row *row = row_place(v->next, strbuf_text(&text), text.len, v->key_count, &is_new);
	if (is_new)
		row_set_key(v->next, row, key);
	for (unsigned i = 0; i < v->amount_count; i++) {
		struct amount amount;
		amount_read(v->next->arena, v->kinds[i], json_object_array_get_idx(values, i),
			    &amount);
		amount_add(v->next->arena, v->kinds[i], &row->amounts[i], &amount);
	}
}

static void views_row(struct views *views, const struct show *s, struct json_object *line)
{
	struct json_object *key = value_member(line, "key"), *values = value_member(line, "values");
	if (!show_wants_any(s, values))
		return;
	struct view *v = view_place(views, s, member_unsigned(line, "clause"), values);
	view_begin(views, v, line);
	row_read(v, key, values);
}

/* An aggregation without rows in this snapshot has none any more. */
static void views_snapshot(struct views *views, struct json_object *line)
{
	for (size_t i = 0; i < views->list.count; i++)
		if (!views->list.items[i]->clause)
			view_begin(views, views->list.items[i], line);
}

static void views_clear(struct views *views, struct json_object *record)
{
	for (size_t i = 0; i < views->list.count; i++) {
		struct view *v = views->list.items[i];
		for (unsigned k = 0; k < v->amount_count; k++)
			v->is_cleared |= record_clears(record, v->names[k]);
	}
}

void views_line(struct views *v, const struct show *s, const char *type, struct json_object *line)
{
	if (string_equal(type, "aggregation")) {
		views_row(v, s, line);
		return;
	}
	views_end(v);
	if (string_equal(type, "snapshot"))
		views_snapshot(v, line);
	if (string_equal(type, "record"))
		views_clear(v, line);
}
