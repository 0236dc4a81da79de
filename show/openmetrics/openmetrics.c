/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>

#include "show/openmetrics/metrics.h"

static void begin(struct show *s)
{
	s->state = metrics_new();
}

static void line(struct show *s, const char *type, struct json_object *line)
{
	metrics_add_line(s->state, s, type, line);
}

static void notes(struct show *s)
{
	const struct metrics *m = s->state;
	for (size_t i = 0; i < m->list.count; i++) {
		const struct metric *metric = m->list.items[i];
		if (metric->left_out)
			show_note(s, "@%s has more than %d keys: %" PRIu64 " rows are %s",
				  metric->aggregation, SERIES_MOST, metric->left_out,
				  metric->other ? "added in one series, other" : "left out");
	}
}

static struct error *end(struct show *s, FILE *out)
{
	notes(s);
	metrics_write(s->state, s, out);
	metrics_free(s->state);
	return NULL;
}

const struct form form = { "openmetrics", begin, line, end };
