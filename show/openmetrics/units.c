/* SPDX-License-Identifier: BSD-2-Clause */
/* Base units, which engines expect: seconds and bytes */
#include <inttypes.h>

#include "show/openmetrics/metrics.h"

const struct show_unit *unit_of(const struct show *show, const char *aggregation,
				const char *function)
{
	return string_equal(function, "count") ? NULL : show_unit(show, aggregation);
}

/* In as few digits as are exact. */
void unit_write_double(const struct show_unit *unit, double value, FILE *out)
{
	char text[32];
	value = unit ? value / unit->parts : value;
	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	fputs(text, out);
}

void unit_write(const struct show_unit *unit, uint64_t value, bool is_signed, FILE *out)
{
	if (unit && unit->parts > 1)
		unit_write_double(unit, is_signed ? (double)(int64_t)value : (double)value, out);
	else if (is_signed)
		fprintf(out, "%" PRId64, (int64_t)value);
	else
		fprintf(out, "%" PRIu64, value);
}
