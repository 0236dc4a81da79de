/* SPDX-License-Identifier: BSD-2-Clause */
/* Base units, which engines expect: seconds and bytes */
#include <inttypes.h>

#include "show/openmetrics/metrics.h"
#include "show/value.h"

static const struct unit units[] = {
	{ "ns", "seconds", 1e9 }, { "us", "seconds", 1e6 }, { "ms", "seconds", 1e3 },
	{ "s", "seconds", 1 },	  { "bytes", "bytes", 1 },
};

const struct unit *unit_of(const struct show *show, const char *aggregation, const char *function)
{
	const char *name = value_word(value_member(show_aggregation(show, aggregation), "unit"));
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (string_equal(units[i].name, name) && !string_equal(function, "count"))
			return &units[i];
	return NULL;
}

void unit_write(const struct unit *unit, uint64_t value, bool is_signed, FILE *out)
{
	if (unit && unit->parts > 1)
		fprintf(out, "%.15g",
			(is_signed ? (double)(int64_t)value : (double)value) / unit->parts);
	else if (is_signed)
		fprintf(out, "%" PRId64, (int64_t)value);
	else
		fprintf(out, "%" PRIu64, value);
}
