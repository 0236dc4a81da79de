/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpc - what CPUs and the kernel count: EVENT-MODE-COUNT, at each COUNT-th event on each CPU
 *
 * MODE is user, kernel or all.  Each event that this machine counts is listed with one count; any
 * other probe is made when it is named in full.  Counts of CPUs are at least 5000, as a CPU that
 * does little else than to report its events is of no use.  r<hex> is an event of this model of
 * CPU; cpc_events.h has those with names.
 */
#include <ctype.h>
#include <string.h>

#include "base/diagnostic.h"
#include "kernel/kernel.h"
#include "provider/cpc_events.h"
#include "provider/provider.h"

#define HARDWARE 0 /* enum perf_type_id */
#define SOFTWARE 1
#define RAW 4
#define HARDWARE_LEAST 5000
#define HARDWARE_LISTED 100000
#define NOT_COUNTED "this machine, or its kernel, does not count it, or you may not"

const struct event_args counter_args = {
	.arg = { { ARG_KERNEL_PC }, { ARG_USER_PC } },
};

static const struct counter {
	const char *name;
	uint32_t type;
	uint64_t config, count; /* count 0: not listed */
} counters[] = {
#define COUNTER(name, type, config, count, about) { name, type, config, count },
#define COUNTER_PAPI(name, type, config) { name, type, config, 0 },
#include "provider/counter.def"
#undef COUNTER
};

/* The event NAME, which has LEN characters. */
static bool event_parse(const char *name, size_t len, struct event_counter *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		const struct counter *c = &counters[i];
		if (strlen(c->name) != len || strncasecmp(c->name, name, len) != 0)
			continue;
		ret->type = c->type;
		ret->config = c->config;
		return true;
	}
	if (cpc_cache_event(name, len, ret) || cpc_device_event(CPC_DEVICES, name, len, ret))
		return true;
	char *end;
	if (len < 2 || *name != 'r' || !isxdigit((unsigned char)name[1]))
		return false;
	ret->type = RAW;
	ret->config = strtoull(name + 1, &end, 16);
	return end == name + len;
}

static bool mode_parse(const char *mode, size_t len, struct event_counter *ret)
{
	static const struct {
		const char *name;
		bool no_user, no_kernel;
	} modes[] = { { "all", false, false }, { "user", false, true }, { "kernel", true, false } };
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (strlen(modes[i].name) != len || strncmp(modes[i].name, mode, len) != 0)
			continue;
		ret->no_user = modes[i].no_user;
		ret->no_kernel = modes[i].no_kernel;
		return true;
	}
	return false;
}

static bool count_parse(const char *text, uint64_t *ret)
{
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	*ret = strtoull(text, &end, 10);
	return !*end && *ret && *ret <= INT64_MAX;
}

/* Has NAME the form EVENT-MODE-COUNT?  It may be too often, or not counted here. */
static bool name_parse(const char *name, struct event_counter *ret)
{
	const char *mode = strchr(name, '-');
	const char *count = mode ? strchr(mode + 1, '-') : NULL;
	memset(ret, 0, sizeof(*ret));
	return count && mode_parse(mode + 1, (size_t)(count - mode - 1), ret) &&
	       count_parse(count + 1, &ret->period) &&
	       event_parse(name, (size_t)(mode - name), ret);
}

static bool is_too_often(const struct event_counter *c)
{
	return c->type != SOFTWARE && c->period < HARDWARE_LEAST;
}

static bool counter_is_counted(const struct event_counter *c)
{
	const struct perf_counter counter = { c->type, c->config, c->period, c->no_user,
					      c->no_kernel };
	return kernel_counts(&counter);
}

/* Its listed count is that of a name without one. */
static char *name_in_full(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		if (string_equal(counters[i].name, name) && counters[i].count)
			return mem_printf("%s-all-%llu", name,
					  (unsigned long long)counters[i].count);
	struct event_counter c = { 0 };
	if (!strchr(name, '-') && event_parse(name, strlen(name), &c))
		return mem_printf("%s-all-%u", name, HARDWARE_LISTED);
	return mem_strdup(name);
}

const char *counter_find(struct probe_db *db, const char *name, bool of_kernel,
			 struct event_counter *ret)
{
	auto_free char *full = name_in_full(name);
	if (!name_parse(full, ret) || (ret->type == SOFTWARE) != of_kernel)
		return "is not EVENT or EVENT-MODE-COUNT of what is counted (dtrace -l -P cpc)";
	if (is_too_often(ret))
		return "is too often: 5000 is the least count";
	if (probe_db_settings(db)->described)
		return of_kernel ? NULL : "is not checked: a description knows no CPU";
	return counter_is_counted(ret) ? NULL : "is not counted by this machine or its kernel";
}

static void counter_add(struct probe_db *db, const char *name, const struct event_counter *c)
{
	struct probe *p = probe_db_add(db, &provider_cpc, "cpc", "", "", name);
	if (!p->events)
		probe_db_add_event(db, p, EVENT_COUNTER, &counter_args)->counter = *c;
}

/* For -lvv. */
static void tell_missing(struct probe_db *db, const char *name)
{
	struct probe *p = probe_db_add(db, &provider_cpc, "cpc", "", "", name);
	p->not_chosen = NOT_COUNTED;
	probe_db_hide(db, p);
}

static void counter_list_one(void *arg, const char *event)
{
	struct event_counter c;
	auto_free char *name = mem_printf("%s-all-%u", event, HARDWARE_LISTED);
	if (name_parse(name, &c) && c.type != HARDWARE && counter_is_counted(&c))
		counter_add(arg, name, &c);
}

static void counters_list(struct probe_db *db)
{
	struct event_counter c;
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		if (!counters[i].count)
			continue;
		auto_free char *name = mem_printf("%s-all-%llu", counters[i].name,
						  (unsigned long long)counters[i].count);
		if (!name_parse(name, &c))
			continue;
		if (counter_is_counted(&c))
			counter_add(db, name, &c);
		else
			tell_missing(db, name);
	}
	cpc_each_cache_event(counter_list_one, db);
	cpc_each_device_event(CPC_DEVICES, counter_list_one, db);
}

static struct error *counter_why_none(const char *name, const struct event_counter *c)
{
	if (is_too_often(c))
		return error_new(
			"there is no probe %s: of what a CPU counts, %u is the least count", name,
			HARDWARE_LEAST);
	return error_new("there is no probe %s: " NOT_COUNTED, name);
}

static struct error *wrong_name(const char *name)
{
	return error_new("there is no probe %s: it is written EVENT-MODE-COUNT, as "
			 "page_faults-user-1; MODE is user, kernel or all; dtrace -l -P cpc lists "
			 "the events",
			 name);
}

/* Without the provider's name: tick-1s must not have all before cpc discovered. */
static bool is_event(const char *name)
{
	struct event_counter c;
	return glob_is_plain(name) ? !*name || name_parse(name, &c) : strchr(name, '-') != NULL;
}

static bool cpc_may_mean(const struct provider *self, const struct probe_desc *desc)
{
	return (string_equal(desc->provider, "cpc") || is_event(desc->name)) &&
	       probe_field_match(desc->module, "") && probe_field_match(desc->function, "");
}

static struct error *cpc_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	struct event_counter c;
	bool is_named = string_equal(desc->provider, "cpc");
	if (!*desc->name) {
		counters_list(db);
		return NULL;
	}
	if (!glob_is_plain(desc->name))
		return NULL;
	if (!name_parse(desc->name, &c))
		return is_named ? error_tag(wrong_name(desc->name), D_PDESC_ZERO) : NULL;
	if (!is_too_often(&c) && counter_is_counted(&c)) {
		counter_add(db, desc->name, &c);
		return NULL;
	}
	return error_tag(counter_why_none(desc->name, &c), D_PDESC_ZERO);
}

const struct provider provider_cpc = {
	.name = "cpc",
	.attributes = { EVOLVING_COMMON, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, EVOLVING_COMMON,
			PRIVATE_ISA },
	.discover = cpc_discover,
	.may_mean = cpc_may_mean,
};
