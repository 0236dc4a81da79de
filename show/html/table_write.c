/* SPDX-License-Identifier: BSD-2-Clause */
/* A printing of a table: its rows, and its histograms as bars */
#include <inttypes.h>
#include <string.h>

#include "show/html/page.h"
#include "show/value.h"
#include "show/xml.h"

#define TEXT_MOST 300	/* characters of a key */
#define STACK_MOST 8000 /* of a stack */

/* --- keys ------------------------------------------------------------------------------------ */

static void write_stack(FILE *out, const char *lines)
{
	size_t first = strcspn(lines, "\n");
	auto_free char *innermost = mem_strndup(lines, first);
	size_t count = 1;
	for (const char *c = lines; *c; c++)
		count += *c == '\n';
	fputs("<td><details><summary>", out);
	xml_text(out, innermost, TEXT_MOST);
	fprintf(out, " <small>%zu frame%s</small></summary><pre>", count, count == 1 ? "" : "s");
	xml_lines(out, lines, STACK_MOST);
	fputs("</pre></details>", out);
}

static void write_key(FILE *out, const char *key)
{
	if (*key == KEY_STACK && key[1]) {
		write_stack(out, key + 1);
		return;
	}
	fputs(*key == KEY_NUMBER ? "<td class=n>" : "<td>", out);
	xml_text(out, *key ? key + 1 : key, TEXT_MOST);
}

/* KEYS, each for itself, and empty cells up to COUNT. */
static void write_keys(FILE *out, const char *keys, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		write_key(out, keys);
		keys += *keys ? strlen(keys) + 1 : 0;
	}
}

/* "web, 42": the title of a histogram.  The caller frees it. */
static char *keys_title(const char *keys)
{
	auto_strbuf struct strbuf ret = { 0 };
	for (; *keys; keys += strlen(keys) + 1) {
		strbuf_puts(&ret, ret.len ? ", " : "");
		strbuf_add(&ret, keys + 1, strcspn(keys + 1, "\n"));
	}
	return strbuf_take(&ret);
}

/* --- rows ------------------------------------------------------------------------------------ */

static bool column_adds(const struct column *c)
{
	return string_equal(c->function, "count") || string_equal(c->function, "sum");
}

static bool column_is_average(const struct column *c)
{
	return string_equal(c->function, "avg") || string_equal(c->function, "stddev");
}

/* The share of all is for people who want to know where it goes. */
static bool has_share(const struct table *t, const struct printing *p)
{
	bool is_above = p->whole > 0 && p->rows.count > 1;
	for (size_t i = 0; i < p->rows.count; i++)
		is_above &= p->rows.items[i].values->weight >= 0;
	return is_above && t->columns.count == 1 && column_adds(&t->columns.items[0]);
}

static double column_most(const struct printing *p, size_t column)
{
	double ret = 0;
	for (size_t i = 0; i < p->rows.count; i++)
		ret = MAX(ret, p->rows.items[i].values[column].weight);
	return ret;
}

static void write_number(FILE *out, const struct column *c, const struct value *v, double most)
{
	if (v->kind == VALUE_MISSING) {
		fputs("<td>", out);
	} else if (v->kind == VALUE_HISTOGRAM) {
		fprintf(out, "<td class=n>%.0f values", v->weight);
	} else {
		double part = most > 0 && v->weight > 0 ? 100 * v->weight / most : 0;
		fprintf(out, "<td class=v style=--p:%.1f>%s", part, v->digits);
	}
	if (!column_is_average(c))
		return;
	fputs("<td class=n>", out);
	if (v->count)
		fprintf(out, "%" PRIu64, v->count);
}

/* The expression of a key, else its number. */
static void write_key_name(const struct page *p, const struct table *t, size_t place)
{
	auto_strbuf struct strbuf name = { 0 };
	fputs("<th>", p->out);
	if (show_key_name(p->show, t->columns.items[0].name, place, &name))
		xml_text(p->out, strbuf_text(&name), TEXT_MOST);
	else if (t->keys == 1)
		fputs("key", p->out);
	else
		fprintf(p->out, "key %zu", place + 1);
}

static void write_head(const struct page *p, const struct table *t, bool has_share)
{
	FILE *out = p->out;
	fputs("<table class=rows><thead><tr>", out);
	for (size_t i = 0; i < t->keys; i++)
		write_key_name(p, t, i);
	for (size_t i = 0; i < t->columns.count; i++) {
		const struct column *c = &t->columns.items[i];
		fputs("<th class=n>", out);
		if (t->columns.count > 1)
			fputc('@', out);
		xml_text(out, t->columns.count > 1 ? c->name : c->function, TEXT_MOST);
		if (column_is_average(c))
			fputs("<th class=n>values", out);
	}
	fputs(has_share ? "<th class=n>share<tbody>\n" : "<tbody>\n", out);
}

static void write_row(FILE *out, const struct table *t, const struct printing *p,
		      const struct row *r, const double *most, bool has_share)
{
	fputs("<tr>", out);
	write_keys(out, r->keys, t->keys);
	for (size_t i = 0; i < t->columns.count; i++)
		write_number(out, &t->columns.items[i], &r->values[i], most[i]);
	if (has_share)
		fprintf(out, "<td class=n>%.1f %%", 100 * r->values->weight / p->whole);
	fputc('\n', out);
}

/* How many rows of P are shown, if these are not all. */
static void write_left_out(struct page *p, const struct printing *printing, size_t shown)
{
	uint64_t all = printing->rows.count + printing->left_out;
	if (shown < all)
		fprintf(p->out, "<p class=left>the largest %zu of %" PRIu64 " rows</p>\n", shown,
			all);
}

static void write_rows(struct page *p, const struct table *t, const struct printing *printing,
		       long *left)
{
	bool shares = has_share(t, printing);
	size_t shown = 0;
	auto_free double *most = mem_zalloc(t->columns.count * sizeof(*most));
	for (size_t i = 0; i < t->columns.count; i++)
		most[i] = column_most(printing, i);
	write_head(p, t, shares);
	for (; shown<printing->rows.count && * left> 0; shown++) {
		long before = ftell(p->out);
		write_row(p->out, t, printing, &printing->rows.items[shown], most, shares);
		*left -= ftell(p->out) - before;
	}
	fputs("</table>\n", p->out);
	write_left_out(p, printing, shown);
}

/* --- histograms ------------------------------------------------------------------------------ */

static void write_cards(FILE *out, const struct table *t, const struct row *r)
{
	auto_free char *keys = keys_title(r->keys);
	for (size_t i = 0; i < t->columns.count; i++) {
		const struct column *c = &t->columns.items[i];
		auto_free char *title =
			t->columns.count == 1
				? mem_strdup(keys)
				: mem_printf("%s%s@%s", keys, *keys ? ", " : "", c->name);
		if (r->values[i].kind == VALUE_HISTOGRAM)
			bars_write(out, c, &r->values[i], title);
	}
}

static void write_histograms(struct page *p, const struct table *t, const struct printing *printing,
			     long *left)
{
	size_t shown = 0;
	fputs("<div class=cards>\n", p->out);
	for (; shown<printing->rows.count && * left> 0; shown++) {
		long before = ftell(p->out);
		write_cards(p->out, t, &printing->rows.items[shown]);
		*left -= ftell(p->out) - before;
	}
	fputs("</div>\n", p->out);
	write_left_out(p, printing, shown);
}

void printing_write(struct page *p, const struct table *t, const struct printing *printing,
		    long *left)
{
	if (t->has_numbers)
		write_rows(p, t, printing, left);
	if (t->has_histograms)
		write_histograms(p, t, printing, left);
}
