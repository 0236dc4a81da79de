/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packed - a line for each key: agghist and aggpack
 *
 * agghist draws the numbers of one aggregation as one histogram:
 *
 *               key  ------------- Distribution ------------- count
 *              sshd |@@@@@                                    5
 *
 * aggpack puts the histogram of each key on one line, a character a bucket:
 *
 *               key  min .------. max  | count
 *              bash    0 : xx _ : 16   | 7
 *
 * Percentiles (aggpercentiles) are after the count, with their labels.
 *
 * Keys that need separate lines (stacks, raw bytes) cannot be packed; such
 * aggregations, and those without keys, are printed as usual.
 */
#include <string.h>

#include "output/internal.h"

/* --- keys --------------------------------------------------------------------------------- */

static bool keys_can_be_packed(const struct key_layout *layout)
{
	for (unsigned i = 0; i < layout->count; i++) {
		enum value_kind kind = layout->fields[i].kind;
		if (value_kind_is_stack(kind) || kind == VALUE_BYTES || kind == VALUE_FLOAT)
			return false;
	}
	return layout->count > 0;
}

#define PACKED_WIDTH 16 /* of a text */

static void key_pack(struct output *o, const struct value *v, const struct table_column *column,
		     struct strbuf *line)
{
	auto_strbuf struct strbuf cut = { 0 };
	struct shown s;
	strbuf_putc(line, ' ');
	if (key_text(o, v, &s)) {
		text_add_cut(&cut, s.text, s.len, column ? column->most : SIZE_MAX);
		size_t cells = text_cells(strbuf_text(&cut), cut.len);
		strbuf_fill(line, ' ', PACKED_WIDTH - MIN(cells, PACKED_WIDTH));
		strbuf_add(line, strbuf_text(&cut), cut.len);
	} else {
		bool is_short = v->size < 4; /* these print unsigned, as without packing */
		strbuf_printf(
			line, "%*lld", (int)key_width(v),
			(long long)(is_short ? (int64_t)value_unsigned(v) : value_integer(v)));
	}
}

/* The keys of a group, a line for each row; all lines have as many cells. */
struct packed_keys {
	struct strbuf *lines;
	size_t width;
};

static struct packed_keys keys_pack(struct output *o, const struct row_group *group, size_t others)
{
	const struct key_style style = { PACKED_WIDTH, 1, others };
	auto_free struct table_column *columns = key_columns(o, group, &style);
	struct packed_keys keys = { mem_zalloc(group->count * sizeof(*keys.lines)), 0 };
	for (size_t r = 0; r < group->count; r++) {
		const struct aggregation_row *row = row_of_group(group, r);
		struct strbuf *line = &keys.lines[r];
		for (unsigned i = 0; i < row->layout->count; i++) {
			struct value v = value_of_key(o, row->key, &row->layout->fields[i]);
			key_pack(o, &v, columns ? &columns[i] : NULL, line);
		}
		keys.width = MAX(keys.width, text_cells(strbuf_text(line), line->len));
	}
	return keys;
}

static void keys_print_packed(struct output *o, struct packed_keys *keys, size_t row)
{
	struct strbuf *line = &keys->lines[row];
	writer_pad_left(o->out, strbuf_text(line), line->len, keys->width);
	strbuf_deinit(line);
}

/* --- agghist ------------------------------------------------------------------------------ */

static void hist_print(struct output *o, const struct row_group *group)
{
	size_t count_width = values_width(group, COUNT_WIDTH);
	struct packed_keys keys = keys_pack(o, group, 2 + BAR_MOST + count_width);
	struct bars bars = bars_begin(o->out, keys.width + 2 + count_width);
	bars.zoom = o->options.aggzoom;
	for (size_t i = 0; i < group->count; i++)
		bars_add(&bars, aggregation_result(row_of_group(group, i)->values));
	bars_head(o->out, &bars, "key", keys.width);
	for (size_t i = 0; i < group->count; i++) {
		int64_t result = aggregation_result(row_of_group(group, i)->values);
		keys_print_packed(o, &keys, i);
		writer_putc(o->out, ' ');
		bar_print(o->out, &bars, result);
		writer_printf(o->out, " %-*lld\n", COUNT_WIDTH, (long long)result);
	}
	free(keys.lines);
}

/* --- aggpack ------------------------------------------------------------------------------ */

struct window {
	unsigned first, last; /* buckets of all rows, with an empty neighbour on each side */
	int64_t least, most;  /* their labels ... */
	int least_width, most_width;
};

static int label_width(int64_t label)
{
	return MAX(snprintf(NULL, 0, "%lld", (long long)label), 4);
}

static struct window window_of(const struct row_group *group)
{
	unsigned buckets;
	auto_free struct bucket *list = histogram_buckets(row_of_group(group, 0)->values, &buckets);
	struct window w = { .first = buckets - 1, .last = 0 };
	for (size_t i = 0; i < group->count; i++) {
		const int64_t *words = row_of_group(group, i)->values->words;
		for (unsigned b = 0; b < buckets; b++)
			if (words[b]) {
				w.first = MIN(w.first, b);
				w.last = MAX(w.last, b);
			}
	}
	if (w.first > w.last) /* all are empty */
		w.first = w.last = buckets / 2;
	w.first -= w.first > 0;
	w.last += w.last < buckets - 1;
	w.least = list[w.first].label;
	w.most = list[w.last].label;
	w.least_width = label_width(w.least);
	w.most_width = label_width(w.most);
	return w;
}

static const char *pack_character(const struct output *o, int64_t count, long double total)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { "_", "_", "x", "x", "x", "x", "X", "X" };
	static const char *const negative[] = { "v", "v", "v", "v", "v", "v", "V", "V" };
	if (count == 0)
		return " ";
	unsigned at = (unsigned)MIN(magnitude(count) * 7 / total + 0.5L, 7);
	return count < 0 ? negative[at] : o->options.utf8 ? blocks[at] : ascii[at];
}

static void pack_row(struct output *o, const struct aggregation_row *row, const struct window *w)
{
	const struct aggregation_value *v = row->values;
	long double total = 0;
	int64_t sum = 0;
	for (unsigned b = w->first; b <= w->last; b++) {
		total += magnitude(v->words[b]);
		sum = (int64_t)((uint64_t)sum + (uint64_t)v->words[b]);
	}
	writer_printf(o->out, " %*lld :", w->least_width, (long long)w->least);
	for (unsigned b = w->first; b <= w->last; b++)
		writer_puts(o->out, pack_character(o, v->words[b], total));
	writer_printf(o->out, ": %-*lld | %lld", w->most_width, (long long)w->most,
		      (long long)count_normalized(sum, v->normal));
	percentiles_print(o, v, true);
	writer_putc(o->out, '\n');
}

static void pack_print(struct output *o, const struct row_group *group)
{
	struct window w = window_of(group);
	size_t buckets = w.last - w.first + 1, labels = (size_t)(w.least_width + w.most_width);
	size_t others = labels + buckets + strlen("  :: | ") + 10; /* digits of a count */
	struct packed_keys keys = keys_pack(o, group, others);
	writer_printf(o->out, "\n%*s %*s .", (int)keys.width, "key", w.least_width, "min");
	writer_fill(o->out, '-', buckets);
	writer_printf(o->out, ". %-*s | count\n", w.most_width, "max");
	for (size_t i = 0; i < group->count; i++) {
		keys_print_packed(o, &keys, i);
		pack_row(o, row_of_group(group, i), &w);
	}
	free(keys.lines);
}

bool rows_print_packed(struct output *o, const struct row_group *group)
{
	const struct aggregation_row *row = row_of_group(group, 0);
	const struct aggregation_value *v = row->values;
	if (row->value_count != 1 || v->cpu_words || !keys_can_be_packed(row->layout))
		return false;
	if (o->options.aggpack && aggregate_row(v->layout->function)->is_histogram)
		pack_print(o, group);
	else if (o->options.agghist && aggregate_is_additive(v->layout->function) &&
		 !aggregate_row(v->layout->function)->is_histogram)
		hist_print(o, group);
	else
		return false;
	return true;
}
