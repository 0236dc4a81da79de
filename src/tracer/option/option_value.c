/* SPDX-License-Identifier: BSD-2-Clause */
#include "tracer/option/option_value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/time_unit.h"

/* 1 without a unit, 0 for an unknown unit. */
static uint64_t size_unit(const char *unit)
{
	static const char units[] = "kmgt"; /* powers of 1024 */
	if (!*unit)
		return 1;
	const char *place = strchr(units, tolower((unsigned char)*unit));
	return place && !unit[1] ? 1ull << 10 * (place - units + 1) : 0;
}

bool option_value_number(enum option_type type, const char *text, uint64_t *ret)
{
	if (!isdigit((unsigned char)*text))
		return false;
	char *unit;
	errno = 0;
	uint64_t number = strtoull(text, &unit, 0);
	if (errno)
		return false;
	if (type == RATE)
		return time_unit_ns(number, *unit ? unit : "ns", ret);
	if (type == TIME)
		return strcasecmp(unit, "hz") != 0 && time_unit_ns(number, *unit ? unit : "s", ret);
	uint64_t factor = type == SIZE ? size_unit(unit) : !*unit;
	return factor && !__builtin_mul_overflow(number, factor, ret);
}

void option_value_limit(enum option_type type, const char *allowed, uint64_t *number)
{
	if (!allowed)
		return;
	const char *dots = strstr(allowed, "..");
	auto_free char *least = mem_strndup(allowed, (size_t)(dots - allowed));
	uint64_t limit;
	if (option_value_number(type, least, &limit))
		*number = MAX(*number, limit);
	if (option_value_number(type, dots + 2, &limit))
		*number = MIN(*number, limit);
}

static bool is_one_of(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strcasecmp(text, *words) == 0)
			return true;
	return false;
}

bool option_value_means_yes(const char *text)
{
	static const char *const words[] = {
		"yes", "enable", "enabled", "true", "on", "set", NULL
	};
	return is_one_of(text, words);
}

bool option_value_means_no(const char *text)
{
	static const char *const words[] = { "",      "no",  "disable", "disabled",
					     "false", "off", "unset",	NULL };
	return is_one_of(text, words);
}

bool option_value_version(const char *text, uint64_t *ret)
{
	static const struct {
		unsigned shift, most;
	} parts[] = { { 24, 0xff }, { 12, 0xfff }, { 0, 0xfff } };
	*ret = 0;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		char *end;
		if (!isdigit((unsigned char)*text))
			return false;
		unsigned long part = strtoul(text, &end, 10);
		if (part > parts[i].most)
			return false;
		*ret |= (uint64_t)part << parts[i].shift;
		if (!*end)
			return true;
		if (*end != '.')
			return false;
		text = end + 1;
	}
	return false;
}

int option_value_place(const char *list, const char *word, size_t len)
{
	for (int place = 0; *list; place++) {
		size_t this_len = strcspn(list, " ");
		if (this_len == len && strncmp(list, word, len) == 0)
			return place;
		list += this_len;
		list += strspn(list, " ");
	}
	return -1;
}

static void print_size(uint64_t size, struct strbuf *ret)
{
	static const char units[] = "kmgtpe";
	int unit = -1;
	for (; size && size % 1024 == 0; unit++)
		size /= 1024;
	strbuf_printf(ret, "%" PRIu64, size);
	if (unit < 0)
		strbuf_puts(ret, " bytes");
	else
		strbuf_putc(ret, units[unit]);
}

static void print_rate(uint64_t period, struct strbuf *ret)
{
	if (period && NS_PER_SECOND % period == 0)
		strbuf_printf(ret, "%" PRIu64 " hz", (uint64_t)(NS_PER_SECOND / period));
	else if (period % NS_PER_SECOND == 0)
		strbuf_printf(ret, "once every %" PRIu64 " seconds",
			      (uint64_t)(period / NS_PER_SECOND));
	else
		strbuf_printf(ret, "once every %" PRIu64 " nanoseconds", period);
}

static void print_time(uint64_t ns, struct strbuf *ret)
{
	bool is_whole = ns % NS_PER_SECOND == 0;
	strbuf_printf(ret, "%" PRIu64 " %s", is_whole ? (uint64_t)(ns / NS_PER_SECOND) : ns,
		      is_whole ? "seconds" : "nanoseconds");
}

void option_value_print(enum option_type type, uint64_t number, struct strbuf *ret)
{
	if (type == SIZE)
		print_size(number, ret);
	else if (type == RATE)
		print_rate(number, ret);
	else if (type == TIME)
		print_time(number, ret);
	else
		strbuf_printf(ret, "%" PRIu64, number);
}

void option_value_wanted(enum option_type type, const char *allowed, struct strbuf *ret)
{
	static const char *const texts[] = {
		[FLAG] = "on or off",
		[BOOL] = "on or off",
		[INT] = "a number",
		[SIZE] = "a size such as 64k, 4m or 1g",
		[RATE] = "a time such as 100ms or 1s, or a frequency such as 50hz",
		[TIME] = "a time such as 10s or 2m",
		[TEXT] = "a text",
		[LIST] = "a text",
		[WORDS] = "words, with quotes that are closed",
		[SETTINGS] = "NAME=VALUE",
		[VERSION] = "a version such as 1.2.1",
		[ATTRIBUTES] = "attributes such as Stable/Evolving/Common",
		[TARGET] = "cgroup:PATH, unit:NAME, container:ID, user:NAME or exec:NAME",
		[PERCENTS] = "up to 16 percentages such as 50,90,99.9",
	};
	if (type == CHOICE || (type == LIST && allowed))
		strbuf_printf(ret, "one of: %s", allowed);
	else
		strbuf_puts(ret, texts[type]);
}
