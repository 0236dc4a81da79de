/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/time_unit.h"

#include <stddef.h>
#include <strings.h>

#include "base/base.h"

#define FREQUENCY 0

static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "hz", FREQUENCY },
	{ "ns", 1 },
	{ "nsec", 1 },
	{ "us", 1000 },
	{ "usec", 1000 },
	{ "ms", 1000000 },
	{ "msec", 1000000 },
	{ "s", NS_PER_SECOND },
	{ "sec", NS_PER_SECOND },
	{ "m", 60 * NS_PER_SECOND },
	{ "min", 60 * NS_PER_SECOND },
	{ "h", 3600 * NS_PER_SECOND },
	{ "hour", 3600 * NS_PER_SECOND },
	{ "d", 86400 * NS_PER_SECOND },
	{ "day", 86400 * NS_PER_SECOND },
};

bool time_unit_ns(uint64_t number, const char *unit, uint64_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcasecmp(units[i].name, unit) != 0)
			continue;
		if (units[i].ns != FREQUENCY)
			return !__builtin_mul_overflow(number, units[i].ns, ret);
		*ret = number ? NS_PER_SECOND / number : 0;
		return true;
	}
	return false;
}

void time_unit_list(struct strbuf *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		strbuf_printf(ret, "%s%s", i ? " " : "", units[i].name);
}
