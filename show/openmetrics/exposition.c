/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of metrics: exposition format 0.0.4 */
#include <inttypes.h>

#include "base/hash.h"
#include "show/openmetrics/metrics.h"

static const char *const kind_names[] = { "counter", "gauge", "histogram" };

/* "dtrace_reads", without its ending; the aggregation without a name has that of its function. */
static void metric_name(const struct metric *m, struct strbuf *ret)
{
	bool has_name = !string_equal(m->aggregation, "_");
	strbuf_puts(ret, "dtrace_");
	for (const char *p = has_name ? m->aggregation : m->function; *p; p++)
		strbuf_putc(ret, (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
						 (*p >= 'A' && *p <= 'Z')
					 ? *p
					 : '_');
}

/* NAME with ENDING, if it is nobody's; else with a number before. */
static void name_take(struct hash *names, struct strbuf *name, const char *ending)
{
	size_t len = name->len;
	for (unsigned i = 2;; i++) {
		strbuf_puts(name, ending);
		void **place = hash_place(names, name->text, name->len);
		if (!*place) {
			*place = names;
			return;
		}
		name->len = len;
		strbuf_printf(name, "_%u", i);
	}
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

static uint64_t tally_sum(const struct tally *t)
{
	uint64_t sum;
	return __builtin_add_overflow(t->now, t->before, &sum) ? UINT64_MAX : sum;
}

static void write_labels(FILE *out, const char *labels, const char *more)
{
	if (*labels || *more)
		fprintf(out, "{%s%s%s}", labels, *labels && *more ? "," : "", more);
}

static void write_histogram(FILE *out, const char *name, const struct series *s)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < s->buckets.count; i++) {
		const struct bucket_tally *b = &s->buckets.items[i];
		sum += tally_sum(&b->values);
		if (b->is_last)
			continue;
		auto_free char *le = mem_printf("le=\"%" PRId64 "\"", b->most);
		fprintf(out, "%s_bucket", name);
		write_labels(out, s->labels, le);
		fprintf(out, " %" PRIu64 "\n", sum);
	}
	fprintf(out, "%s_bucket", name);
	write_labels(out, s->labels, "le=\"+Inf\"");
	fprintf(out, " %" PRIu64 "\n%s_count", sum, name);
	write_labels(out, s->labels, "");
	fprintf(out, " %" PRIu64 "\n", sum);
}

static void write_series(FILE *out, const struct metric *m, const char *name,
			 const struct series *s)
{
	if (m->kind == METRIC_HISTOGRAM) {
		write_histogram(out, name, s);
		return;
	}
	fputs(name, out);
	write_labels(out, s->labels, "");
	if (m->kind == METRIC_GAUGE)
		fprintf(out, " %" PRId64 "\n", s->gauge);
	else
		fprintf(out, " %" PRIu64 "\n", tally_sum(&s->counter));
}

static void write_metric(FILE *out, const struct metric *m, struct hash *names)
{
	auto_strbuf struct strbuf name = { 0 };
	metric_name(m, &name);
	name_take(names, &name, m->kind == METRIC_COUNTER ? "_total" : "");
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
	name_take(names, &name, "_total");
	write_help(out, strbuf_text(&name), help, "counter");
	fprintf(out, "%s %" PRIu64 "\n", strbuf_text(&name), value);
}

void metrics_write(const struct metrics *m, const struct show *show, FILE *out)
{
	uint64_t left_out = 0;
	struct hash *names = hash_new();
	for (size_t i = 0; i < m->list.count; i++)
		left_out += m->list.items[i]->left_out;
	write_own(out, names, "records", "Records that clauses have left.", m->records);
	write_own(out, names, "drops", "Data that are lost.", show->drops);
	write_own(out, names, "cuts", "Truncated stacks and strings.", show->cuts);
	write_own(out, names, "faults", "Faults that ended clauses.", show->errors);
	write_own(out, names, "rows_left_out", "Rows of keys that came when there were too many.",
		  left_out);
	for (size_t i = 0; i < m->list.count; i++)
		write_metric(out, m->list.items[i], names);
	hash_free(names);
}
