/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of metrics: exposition format 0.0.4 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "show/openmetrics/metrics.h"
#include "show/value.h"

static const char *const kind_names[] = { "counter", "gauge", "histogram" };

static bool text_ends_with(const char *text, size_t len, const char *end)
{
	return len >= strlen(end) && memcmp(text + len - strlen(end), end, strlen(end)) == 0;
}

/* "dtrace_reads_bytes", without its ending; the aggregation without a name has that of its
 * function. */
static void metric_name(const struct metric *m, struct strbuf *ret)
{
	const char *p = string_equal(m->aggregation, "_") ? m->function : m->aggregation;
	size_t len = strlen(p);
	if (m->kind == METRIC_COUNTER && text_ends_with(p, len, "_total"))
		len -= strlen("_total");
	strbuf_puts(ret, "dtrace_");
	for (; len; p++, len--)
		strbuf_putc(ret, (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
						 (*p >= 'A' && *p <= 'Z')
					 ? *p
					 : '_');
	auto_free char *ending = m->unit ? mem_printf("_%s", m->unit->base) : NULL;
	if (ending && !text_ends_with(strbuf_text(ret), ret->len, ending))
		strbuf_puts(ret, ending);
}

/* Series of a metric have its name with one of these endings. */
static const char *const endings[][5] = {
	[METRIC_COUNTER] = { "_total" },
	[METRIC_GAUGE] = { "" },
	[METRIC_HISTOGRAM] = { "", "_bucket", "_sum", "_count" },
};

/* Is none of the series of NAME in NAMES?  With TAKES they are from now on. */
static bool name_is_free(struct hash *names, const struct strbuf *name, enum metric_kind kind,
			 bool takes)
{
	for (const char *const *ending = endings[kind]; *ending; ending++) {
		auto_free char *whole = mem_printf("%s%s", strbuf_text(name), *ending);
		if (hash_get_string(names, whole))
			return false;
		if (takes)
			hash_put_string(names, whole, names);
	}
	return true;
}

/* NAME as the metric is called, with a number if its series would have names of others. */
static void name_take(struct hash *names, struct strbuf *name, enum metric_kind kind)
{
	size_t len = name->len;
	for (unsigned i = 2; !name_is_free(names, name, kind, false); i++) {
		name->len = len;
		strbuf_printf(name, "_%u", i);
	}
	name_is_free(names, name, kind, true);
	strbuf_puts(name, endings[kind][0]);
}

static void write_help(FILE *out, const char *name, const char *help, const char *kind)
{
	fprintf(out, "# HELP %s ", name);
	for (; *help; help++)
		if (*help == '\\' || *help == '\n')
			fputs(*help == '\n' ? "\\n" : "\\\\", out);
		else
			fputc(*help, out);
	fprintf(out, "\n# TYPE %s %s\n", name, kind);
}

static void write_labels(FILE *out, const char *labels)
{
	if (*labels)
		fprintf(out, "{%s}", labels);
}

static void write_value(FILE *out, const struct metric *m, uint64_t value, bool is_signed)
{
	fputc(' ', out);
	unit_write(m->unit, value, is_signed, out);
	fputc('\n', out);
}

static void write_sum(FILE *out, const struct metric *m, const char *name, const struct series *s)
{
	fprintf(out, "%s_sum", name);
	write_labels(out, s->labels);
	write_value(out, m, (uint64_t)series_sum(s), true);
}

static void write_bucket(FILE *out, const struct metric *m, const char *name,
			 const struct series *s, const struct bucket *b)
{
	bool has_labels = *s->labels != '\0';
	fprintf(out, "%s_bucket{%s%sle=\"", name, s->labels, has_labels ? "," : "");
	if (b->has_most)
		unit_write(m->unit, (uint64_t)b->most, true, out);
	else
		fputs("+Inf", out);
	fputs("\"}", out);
}

static void write_buckets(FILE *out, const struct metric *m, const char *name,
			  const struct series *s)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < m->buckets.count; i++) {
		const struct metric_bucket *b = &m->buckets.items[i];
		if (b->number < s->buckets.count)
			count_add(&sum, tally_sum(s, &s->buckets.items[b->number]));
		if (!b->bounds.has_most)
			continue;
		write_bucket(out, m, name, s, &b->bounds);
		fprintf(out, " %" PRIu64 "\n", sum);
	}
	write_bucket(out, m, name, s, &(struct bucket) { .has_most = false });
	fprintf(out, " %" PRIu64 "\n", sum);
	if (m->has_sums)
		write_sum(out, m, name, s);
	fprintf(out, "%s_count", name);
	write_labels(out, s->labels);
	fprintf(out, " %" PRIu64 "\n", sum);
}

static void write_series(FILE *out, const struct metric *m, const char *name,
			 const struct series *s)
{
	bool is_old = s->from < m->from_before; /* a window has passed without the key */
	if (m->kind == METRIC_GAUGE && is_old)
		return;
	if (m->kind == METRIC_HISTOGRAM) {
		write_buckets(out, m, name, s);
		return;
	}
	fputs(name, out);
	write_labels(out, s->labels);
	if (s->moments.count) {
		fputc(' ', out);
		unit_write_double(m->unit, series_average(m, s), out);
		fputc('\n', out);
		return;
	}
	bool is_gauge = m->kind == METRIC_GAUGE;
	write_value(out, m, is_gauge ? (uint64_t)s->gauge : tally_sum(s, &s->count), is_gauge);
}

static void write_metric(FILE *out, const struct metric *m, struct hash *names)
{
	auto_strbuf struct strbuf name = { 0 };
	metric_name(m, &name);
	name_take(names, &name, m->kind);
	write_help(out, strbuf_text(&name), m->help, kind_names[m->kind]);
	for (size_t i = 0; i < m->list.count; i++)
		write_series(out, m, strbuf_text(&name), m->list.items[i]);
}

/* A metric of dtrace itself. */
static void write_own(FILE *out, struct hash *names, const char *own, const char *help,
		      uint64_t value)
{
	auto_strbuf struct strbuf name = { 0 };
	strbuf_printf(&name, "dtrace_own_%s", own);
	name_take(names, &name, METRIC_COUNTER);
	write_help(out, strbuf_text(&name), help, "counter");
	fprintf(out, "%s %" PRIu64 "\n", strbuf_text(&name), value);
}

/* PRINCIPAL for DTRACEDROP_PRINCIPAL, in small letters. */
static void drop_kind(const char *tag, struct strbuf *ret)
{
	const char *kind = strchr(tag, '_') ? strchr(tag, '_') + 1 : tag;
	for (; *kind; kind++)
		if (*kind == '_' || isalnum((unsigned char)*kind))
			strbuf_putc(ret, (char)tolower((unsigned char)*kind));
}

static void write_drops(FILE *out, struct hash *names, const struct metrics *m)
{
	auto_strbuf struct strbuf name = { 0 };
	strbuf_puts(&name, "dtrace_own_losses");
	name_take(names, &name, METRIC_COUNTER);
	if (m->drops.count)
		write_help(out, strbuf_text(&name), "Drops and truncations by their kind.",
			   "counter");
	for (size_t i = 0; i < m->drops.count; i++) {
		auto_strbuf struct strbuf kind = { 0 };
		drop_kind(m->drops.items[i].kind, &kind);
		fprintf(out, "%s{kind=\"%s\"} %" PRIu64 "\n", strbuf_text(&name),
			strbuf_text(&kind), m->drops.items[i].count);
	}
}

void metrics_write(const struct metrics *m, const struct show *show, FILE *out)
{
	uint64_t left_out = 0;
	struct hash *names = hash_new();
	for (size_t i = 0; i < m->list.count; i++)
		left_out += m->list.items[i]->left_out;
	write_own(out, names, "records", "Records that clauses have left.", m->records);
	write_own(out, names, "drops", "Data that are lost.", metrics_drops(m, show));
	write_own(out, names, "cuts", "Truncated stacks and strings.", metrics_cuts(m, show));
	write_own(out, names, "faults", "Faults that ended clauses.", MAX(show->errors, m->faults));
	write_own(out, names, "rows_left_out", "Rows of keys that came when there were too many.",
		  left_out);
	write_drops(out, names, m);
	for (size_t i = 0; i < m->list.count; i++)
		write_metric(out, m->list.items[i], names);
	hash_free(names);
}
