/* SPDX-License-Identifier: BSD-2-Clause */
#include "show/top/list.h"

#include <string.h>

void list_deinit(struct list *l)
{
	vector_free(&l->columns);
	vector_free(&l->rows);
	table_free(l->folded);
	strbuf_deinit(&l->filter);
}

/* --- columns --------------------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5))) static void column_add(struct list *l, enum column_kind kind,
							     unsigned index, const char *fmt, ...)
{
	struct column *c = vector_extend(&l->columns);
	*c = (struct column) { .kind = kind, .index = index };
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(c->title, sizeof(c->title), fmt, ap);
	va_end(ap);
}

static void columns_of_amount(struct list *l, const struct view *v, unsigned i)
{
	bool is_histogram = v->kinds[i] == FUNCTION_HISTOGRAM;
	if (v->amount_count > 1)
		column_add(l, COLUMN_AMOUNT, i, "@%s", v->names[i]);
	else
		column_add(l, COLUMN_AMOUNT, i, "%s", is_histogram ? "count" : v->functions[i]);
	if (function_grows(v->kinds[i]))
		column_add(l, COLUMN_RATE, i, "/s");
	if (!is_histogram)
		return;
	column_add(l, COLUMN_P50, i, "p50");
	column_add(l, COLUMN_P99, i, "p99");
	column_add(l, COLUMN_SHAPE, i, "values");
}

/* How many of COUNT keys are shown. */
static unsigned keys_shown(const struct list *l, unsigned count)
{
	return l->keys ? MIN(l->keys, count) : count;
}

static void columns_make(struct list *l, const struct view *v)
{
	unsigned keys = keys_shown(l, v->key_count);
	l->columns.count = 0;
	for (unsigned i = 0; i < keys; i++)
		if (i < v->key_names.count)
			column_add(l, COLUMN_KEY, i, "%s", v->key_names.items[i]);
		else if (v->key_count == 1)
			column_add(l, COLUMN_KEY, i, "key");
		else
			column_add(l, COLUMN_KEY, i, "key %u", i + 1);
	for (unsigned i = 0; i < v->amount_count; i++)
		columns_of_amount(l, v, i);
}

size_t list_sorted(const struct list *l)
{
	if (l->sort < l->columns.count)
		return l->sort;
	size_t i = 0;
	while (i + 1 < l->columns.count && l->columns.items[i].kind == COLUMN_KEY)
		i++;
	return i;
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool row_matches(const struct row *row, const char *filter)
{
	for (unsigned i = 0; i < row->key_count; i++)
		if (strcasestr(row->texts[i], filter))
			return true;
	return false;
}

/* The bytes of ROW's first KEYS keys. */
static size_t key_prefix(const struct row *row, unsigned keys)
{
	size_t len = 0;
	for (unsigned i = 0; i < keys && i < row->key_count; i++)
		len += strlen(row->texts[i]) + 1;
	return len;
}

static void row_fold(struct table *t, const struct row *row, const struct view *v, unsigned keys)
{
	bool is_new;
	unsigned count = MIN(keys, row->key_count);
	struct row *group = row_place(t, row->key, key_prefix(row, keys), count, &is_new);
	for (unsigned i = 0; i < count && is_new; i++) {
		group->texts[i] = group->key + (row->texts[i] - row->key);
		group->frames[i] = row->frames[i];
	}
	for (unsigned i = 0; i < v->amount_count; i++)
		amount_add(t->arena, v->kinds[i], &group->amounts[i], &row->amounts[i]);
}

/* The rows of V, or the groups of them, that match. */
static void rows_collect(struct list *l, const struct view *v)
{
	unsigned keys = keys_shown(l, v->key_count);
	const char *filter = strbuf_text(&l->filter);
	table_free(l->folded);
	l->folded = keys < v->key_count ? table_new(0, v->amount_count) : NULL;
	l->rows.count = 0;
	for (size_t i = 0; i < v->table->rows.count; i++) {
		struct row *row = v->table->rows.items[i];
		if (*filter && !row_matches(row, filter))
			continue;
		if (l->folded)
			row_fold(l->folded, row, v, keys);
		else
			vector_push(&l->rows, row);
	}
	for (size_t i = 0; l->folded && i < l->folded->rows.count; i++)
		vector_push(&l->rows, l->folded->rows.items[i]);
}

/* --- order ----------------------------------------------------------------------------------- */

/* What a row is sorted by, computed once. */
struct sort_item {
	struct row *row;
	const char *text; /* NULL: the number */
	long double number;
};

static const char *number_end(const char *text)
{
	text += *text == '-';
	return text + strspn(text, "0123456789");
}

static void sort_item_set(struct sort_item *s, struct row *row, const struct column *c)
{
	const struct amount *m = &row->amounts[c->kind == COLUMN_KEY ? 0 : c->index];
	*s = (struct sort_item) { .row = row, .number = -__LDBL_MAX__ };
	if (c->kind == COLUMN_KEY) {
		s->text = row_text(row, c->index);
		bool is_number = *s->text && !*number_end(s->text);
		s->number = is_number ? strtold(s->text, NULL) : __LDBL_MAX__;
	} else if (c->kind == COLUMN_RATE) {
		s->number = m->has_rate ? m->rate : s->number;
	} else if (m->is_known) {
		s->number = c->kind == COLUMN_P50   ? amount_percentile(m, 50)
			    : c->kind == COLUMN_P99 ? amount_percentile(m, 99)
						    : m->number;
	}
}

/* Keys from the smallest, numbers before text; values from the largest; equal ones by their keys.
 */
static int sort_item_compare(const void *a, const void *b)
{
	const struct sort_item *x = a, *y = b;
	int smaller = x->text ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? smaller : -smaller;
	int ret = x->text ? strcmp(x->text, y->text) : 0;
	size_t len = MIN(x->row->key_len, y->row->key_len);
	if (!ret)
		ret = memcmp(x->row->key, y->row->key, len);
	return ret ? ret
		   : (x->row->key_len > y->row->key_len) - (x->row->key_len < y->row->key_len);
}

static void rows_sort(struct list *l)
{
	size_t count = l->rows.count;
	const struct column *by = &l->columns.items[list_sorted(l)];
	auto_free struct sort_item *items = mem_alloc((count + 1) * sizeof(*items));
	for (size_t i = 0; i < count; i++)
		sort_item_set(&items[i], l->rows.items[i], by);
	qsort(items, count, sizeof(*items), sort_item_compare);
	for (size_t i = 0; i < count; i++)
		l->rows.items[l->is_reversed ? count - 1 - i : i] = items[i].row;
}

void list_make(struct list *l, const struct view *v)
{
	columns_make(l, v);
	rows_collect(l, v);
	rows_sort(l);
}
