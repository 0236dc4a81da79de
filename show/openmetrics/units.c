/* SPDX-License-Identifier: BSD-2-Clause */
/* Base units, which engines expect: seconds and bytes */
#include <inttypes.h>

#include "show/openmetrics/metrics.h"

const struct show_unit *unit_of(const struct show *show, const char *aggregation,
				const char *function)
{
	return string_equal(function, "count") ? NULL : show_unit(show, aggregation);
}

void unit_write(const struct show_unit *unit, uint64_t value, bool is_signed, FILE *out)
{
	if (unit && unit->parts > 1)
		fprintf(out, "%.15g",
			(is_signed ? (double)(int64_t)value : (double)value) / unit->parts);
	else if (is_signed)
		fprintf(out, "%" PRId64, (int64_t)value);
	else
		fprintf(out, "%" PRIu64, value);
}
