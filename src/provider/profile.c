/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile - time: profile-N on each CPU, tick-N on one
 *
 * A cpu-clock event runs in the kernel's timer interrupt, also in idle.  The
 * usual rates are listed; any other is made when it is named in full.  Periods
 * under 200 microseconds do not exist.
 */
#include <ctype.h>
#include <string.h>

#include "base/diagnostic.h"
#include "base/time_unit.h"
#include "provider/provider.h"

#define PERIOD_LEAST 200000

const struct event_args timer_args = {
	.arg = { { ARG_KERNEL_PC }, { ARG_USER_PC }, { ARG_LATENESS } },
};

static const char *const listed[] = {
	"profile-97",	"profile-199",	"profile-499", "profile-997", "profile-1999",
	"profile-4001", "profile-4999", "tick-1",      "tick-10",     "tick-100",
	"tick-500",	"tick-1000",	"tick-5000",
};

/* "5sec" in ns; false if it is not a time or too long for 63 bits. */
static bool period_parse(const char *text, uint64_t *ret)
{
	uint64_t n = 0;
	const char *p = text;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return false;
	return p != text && n && time_unit_ns(n, *p ? p : "hz", ret) && *ret <= INT64_MAX;
}

/* What comes after "profile" or "tick" in NAME; NULL: it begins with neither. */
static const char *after_kind(const char *name, bool *is_tick)
{
	static const char profile[] = "profile", tick[] = "tick";
	*is_tick = strncmp(name, tick, sizeof(tick) - 1) == 0;
	if (!*is_tick && strncmp(name, profile, sizeof(profile) - 1) != 0)
		return NULL;
	return name + (*is_tick ? sizeof(tick) - 1 : sizeof(profile) - 1);
}

/* The period in NAME, which may be too short; false if NAME is not a rate. */
static bool rate_parse(const char *name, uint64_t *period, bool *is_tick)
{
	const char *rate = after_kind(name, is_tick);
	return rate && *rate == '-' && period_parse(rate + 1, period);
}

bool profile_period(const char *name, uint64_t *period, bool *is_tick)
{
	uint64_t ns;
	if (!rate_parse(name, &ns, is_tick) || ns < PERIOD_LEAST)
		return false;
	*period = ns;
	return true;
}

static struct error *too_fast(const char *name)
{
	return error_new("there is no probe %s: %u us (%uhz) is the shortest period", name,
			 PERIOD_LEAST / 1000, 1000000000 / PERIOD_LEAST);
}

static struct error *no_rate(const char *name, const char *rate)
{
	int kind = (int)(rate - name);
	auto_strbuf struct strbuf units = { 0 };
	time_unit_list(&units);
	return error_new("there is no probe %s: it is written %.*s-N, N times a second, or "
			 "%.*s-NUNIT, as %.*s-10ms; the units are %s",
			 name, kind, name, kind, name, kind, name, strbuf_text(&units));
}

/* Why there is no probe NAME, if it has the form of our names; NULL: it does not, or it exists. */
static struct error *timer_why_none(const char *name)
{
	uint64_t period;
	bool is_tick;
	const char *rate = after_kind(name, &is_tick);
	if (!rate || (*rate && *rate != '-'))
		return NULL;
	if (!rate_parse(name, &period, &is_tick))
		return error_tag(no_rate(name, rate), D_PDESC_ZERO);
	return period < PERIOD_LEAST ? error_tag(too_fast(name), D_PDESC_ZERO) : NULL;
}

/* A name that is not a rate makes no probe. */
static void timer_add(struct probe_db *db, const char *name)
{
	uint64_t period;
	bool is_tick;
	if (!profile_period(name, &period, &is_tick))
		return;
	struct probe *p = probe_db_add(db, &provider_profile, "profile", "", "", name);
	if (!p->events)
		probe_db_add_event(db, p, EVENT_TIMER, &timer_args)->timer =
			(struct event_timer) { .period = period, .on_each_cpu = !is_tick };
}

static struct error *profile_discover(const struct provider *self, struct probe_db *db,
				      const struct probe_desc *desc)
{
	if (!*desc->name) {
		for (size_t i = 0; i < ARRAY_SIZE(listed); i++)
			timer_add(db, listed[i]);
		return NULL;
	}
	bool field_less =
		probe_field_match(desc->module, "") && probe_field_match(desc->function, "");
	if (!field_less || !glob_is_plain(desc->name))
		return NULL;
	timer_add(db, desc->name);
	return timer_why_none(desc->name);
}

const struct provider provider_profile = {
	.name = "profile",
	.attributes = { EVOLVING_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, EVOLVING_COMMON,
			PRIVATE_ISA },
	.discover = profile_discover,
};
