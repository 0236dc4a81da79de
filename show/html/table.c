/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/html/table.h"

#include <inttypes.h>
#include <string.h>

#include "show/frames.h"
#include "show/value.h"

#define ROWS_MOST 10000	    /* of a printing */
#define STACK_ROWS_MOST 100 /* of one whose keys are stacks, which have a picture */
#define PRINTINGS_MOST 60
#define BUCKETS_MOST 1000
#define FRAMES_MOST 100 /* of a stack in a row */

void tables_init(struct tables *t)
{
	*t = (struct tables) { .index = hash_new() };
}

static void row_deinit(struct row *r, size_t columns)
{
	for (size_t i = 0; i < columns; i++) {
		free(r->values[i].buckets);
		free(r->values[i].percentiles);
	}
	free(r->values);
	free(r->keys);
}

static void printing_deinit(const struct table *t, struct printing *p)
{
	for (size_t i = 0; i < p->rows.count; i++)
		row_deinit(&p->rows.items[i], t->columns.count);
	vector_free(&p->rows);
}

static void table_free(struct table *t)
{
	for (size_t i = 0; i < t->printings.count; i++)
		printing_deinit(t, &t->printings.items[i]);
	vector_free(&t->printings);
	for (size_t i = 0; i < t->columns.count; i++) {
		free(t->columns.items[i].name);
		free(t->columns.items[i].function);
		free(t->columns.items[i].normal);
	}
	vector_free(&t->columns);
	free(t);
}

void tables_deinit(struct tables *t)
{
	for (size_t i = 0; i < t->list.count; i++)
		table_free(t->list.items[i]);
	vector_free(&t->list);
	hash_free(t->index);
}

/* --- keys ------------------------------------------------------------------------------------ */

static void key_add(struct json_object *key, struct strbuf *ret)
{
	if (value_is_stack(key)) {
		strbuf_putc(ret, KEY_STACK);
		frames_text(key, FRAMES_MOST, ret);
	} else {
		int64_t number;
		strbuf_putc(ret, value_signed(key, &number) ? KEY_NUMBER : KEY_TEXT);
		value_text(key, ret);
	}
	strbuf_putc(ret, '\0');
}

/* --- values ---------------------------------------------------------------------------------- */

static void percentile_add(struct json_object *percentile, struct strbuf *ret)
{
	static const char *const members[] = { "value", "at_most", "at_least" };
	static const char *const signs[] = { "", "\u2264 ", "\u2265 " };
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		struct json_object *v = value_member(percentile, members[i]);
		if (!v)
			continue;
		strbuf_puts(ret, ret->len ? ", " : "");
		value_text(value_member(percentile, "percent"), ret);
		strbuf_printf(ret, " %%: %s", signs[i]);
		value_text(v, ret);
		return;
	}
}

static void value_read_histogram(struct json_object *v, struct value *ret)
{
	struct json_object *buckets = value_member(v, "buckets");
	struct json_object *percentiles = value_member(v, "percentiles");
	size_t count = MIN(value_count(buckets), (size_t)BUCKETS_MOST);
	ret->kind = VALUE_HISTOGRAM;
	ret->buckets = mem_zalloc((count + 1) * sizeof(*ret->buckets));
	for (size_t i = 0; i < count; i++)
		if (bucket_read(json_object_array_get_idx(buckets, i),
				&ret->buckets[ret->bucket_count])) {
			ret->weight += (double)ret->buckets[ret->bucket_count].now;
			ret->bucket_count++;
		}
	auto_strbuf struct strbuf text = { 0 };
	for (size_t i = 0; i < MIN(value_count(percentiles), (size_t)BUCKETS_MOST); i++)
		percentile_add(json_object_array_get_idx(percentiles, i), &text);
	if (text.len)
		ret->percentiles = strbuf_take(&text);
}

static void value_read_number(struct json_object *v, struct value *ret)
{
	struct json_object *number = value_member(v, "value");
	int64_t integer;
	uint64_t large;
	ret->kind = VALUE_NUMBER;
	if (value_signed(number, &integer)) {
		snprintf(ret->digits, sizeof(ret->digits), "%" PRId64, integer);
		ret->weight = (double)integer;
	} else if (value_unsigned(number, &large)) {
		snprintf(ret->digits, sizeof(ret->digits), "%" PRIu64, large);
		ret->weight = (double)large;
	} else {
		ret->kind = VALUE_MISSING;
	}
	if (!value_unsigned(value_member(v, "count"), &ret->count))
		ret->count = 0;
}

static void value_read(struct json_object *v, struct value *ret)
{
	*ret = (struct value) { VALUE_MISSING };
	if (value_member(v, "missing"))
		return;
	if (value_member(v, "buckets"))
		value_read_histogram(v, ret);
	else
		value_read_number(v, ret);
}

/* --- tables and their printings -------------------------------------------------------------- */

static void column_add(struct table *t, struct json_object *value)
{
	struct column column = {
		.name = mem_strdup(value_word(value_member(value, "name"))),
		.function = mem_strdup(value_word(value_member(value, "function"))),
	};
	vector_push(&t->columns, column);
}

/* Printings may differ in what normalize() said. */
static void column_set_normal(struct column *c, struct json_object *value)
{
	struct json_object *normal = value_member(value, "normal");
	if (value_member(value, "missing"))
		return;
	auto_strbuf struct strbuf divisor = { 0 };
	if (normal)
		value_text(normal, &divisor);
	free(c->normal);
	c->normal = normal ? strbuf_take(&divisor) : NULL;
}

/* The table of VALUES, by the names of its aggregations. */
static struct table *table_place(struct tables *list, struct json_object *values)
{
	auto_free char *names = values_names(values);
	void **place = hash_place(list->index, names, strlen(names));
	if (*place)
		return *place;
	struct table *t = *place = mem_zalloc(sizeof(*t));
	for (size_t i = 0; i < value_count(values); i++)
		column_add(t, json_object_array_get_idx(values, i));
	vector_push(&list->list, t);
	return t;
}

static struct printing *printing_place(struct table *t, uint64_t run, struct json_object *line)
{
	uint64_t number = line_printing(line), time;
	struct printing *last =
		t->printings.count ? &t->printings.items[t->printings.count - 1] : NULL;
	if (last && last->run == run && last->number == number)
		return last;
	if (t->printings.count == PRINTINGS_MOST) {
		printing_deinit(t, &t->printings.items[0]);
		memmove(t->printings.items, t->printings.items + 1,
			--t->printings.count * sizeof(*t->printings.items));
		t->left_out++;
	}
	struct printing *ret = vector_extend(&t->printings);
	*ret = (struct printing) { run, number };
	ret->time = value_unsigned(value_member(line, "time"), &time) ? time : 0;
	return ret;
}

static int rows_compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->values->weight != y->values->weight)
		return x->values->weight > y->values->weight ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* The largest MOST rows, in order; the others are left out. */
static void printing_trim(const struct table *t, struct printing *p, size_t most)
{
	if (p->rows.count)
		qsort(p->rows.items, p->rows.count, sizeof(*p->rows.items), rows_compare);
	for (; p->rows.count > most; p->left_out++)
		row_deinit(&p->rows.items[--p->rows.count], t->columns.count);
	if (p->left_out && p->rows.count)
		p->least = p->rows.items[p->rows.count - 1].values->weight;
}

static size_t rows_most(const struct table *t)
{
	return t->has_stacks ? STACK_ROWS_MOST : ROWS_MOST;
}

static void values_read(struct table *t, struct json_object *values, struct row *ret)
{
	ret->values = mem_zalloc(t->columns.count * sizeof(*ret->values));
	for (size_t i = 0; i < t->columns.count; i++) {
		struct json_object *value = json_object_array_get_idx(values, i);
		value_read(value, &ret->values[i]);
		column_set_normal(&t->columns.items[i], value);
		t->has_numbers |= ret->values[i].kind == VALUE_NUMBER;
		t->has_histograms |= ret->values[i].kind == VALUE_HISTOGRAM;
		t->has_cpus |= value_member(value, "cpus") != NULL;
	}
}

static void keys_read(struct json_object *key, struct row *ret)
{
	auto_strbuf struct strbuf keys = { 0 };
	for (size_t i = 0; i < value_count(key); i++)
		key_add(json_object_array_get_idx(key, i), &keys);
	strbuf_putc(&keys, '\0');
	ret->keys = strbuf_take(&keys);
}

static void row_add(struct tables *list, struct table *t, struct printing *p,
		    struct json_object *key, struct json_object *values)
{
	struct row row = { .place = list->rows++ };
	values_read(t, values, &row);
	p->whole += row.values->weight;
	if (p->left_out && row.values->weight <= p->least) {
		row_deinit(&row, t->columns.count);
		p->left_out++;
		return;
	}
	keys_read(key, &row);
	vector_push(&p->rows, row);
	if (p->rows.count >= 2 * rows_most(t))
		printing_trim(t, p, rows_most(t));
}

void tables_add(struct tables *list, const struct show *show, struct json_object *line)
{
	struct json_object *key = value_member(line, "key"), *values = value_member(line, "values");
	if (!show_wants_any(show, values))
		return;
	struct table *t = table_place(list, values);
	t->has_stacks |= values_have_stack(key);
	t->keys = MAX(t->keys, value_count(key));
	row_add(list, t, printing_place(t, show->runs, line), key, values);
}

void tables_finish(struct tables *list)
{
	for (size_t i = 0; i < list->list.count; i++) {
		struct table *t = list->list.items[i];
		for (size_t k = 0; k < t->printings.count; k++)
			printing_trim(t, &t->printings.items[k], rows_most(t));
	}
}
