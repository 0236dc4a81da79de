/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/cpc_events.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

/* --- caches ----------------------------------------------------------------------------------- */

/* By the numbers of enum perf_hw_cache_id and perf_hw_cache_op_id. */
static const char *const caches[] = { "l1d", "l1i", "llc", "dtlb", "itlb", "branch", "node" };
static const char *const operations[] = { "load", "store", "prefetch" };

/* Config is cache | operation << 8 | is a miss << 16. */
struct cache_event {
	size_t cache, operation, is_miss;
};

#define CACHE_EVENTS (ARRAY_SIZE(caches) * ARRAY_SIZE(operations) * 2)

static struct cache_event cache_event_at(size_t number)
{
	size_t of_cache = ARRAY_SIZE(operations) * 2;
	return (struct cache_event) { number / of_cache, number % of_cache / 2, number % 2 };
}

static char *cache_event_name(const struct cache_event *e)
{
	const char *cache = caches[e->cache], *operation = operations[e->operation];
	const char *many = e->operation == 2 ? "es" : "s";
	return e->is_miss ? mem_printf("%s_%s_misses", cache, operation)
			  : mem_printf("%s_%s%s", cache, operation, many);
}

bool cpc_cache_event(const char *name, size_t len, struct event_counter *ret)
{
	for (size_t i = 0; i < CACHE_EVENTS; i++) {
		struct cache_event e = cache_event_at(i);
		auto_free char *known = cache_event_name(&e);
		if (strlen(known) != len || strncasecmp(known, name, len) != 0)
			continue;
		ret->type = COUNTER_CACHE;
		ret->config = e.cache | e.operation << 8 | e.is_miss << 16;
		return true;
	}
	return false;
}

void cpc_each_cache_event(cpc_event_fn *visit, void *arg)
{
	for (size_t i = 0; i < CACHE_EVENTS; i++) {
		struct cache_event e = cache_event_at(i);
		auto_free char *name = cache_event_name(&e);
		visit(arg, name);
	}
}

/* --- events of this model --------------------------------------------------------------------- */

/* The first line of a small file, without its end; false if there is none. */
static bool file_line(const char *path, char *line, size_t size)
{
	auto_fclose FILE *f = fopen(path, "re");
	if (!f || !fgets(line, (int)size, f))
		return false;
	line[strcspn(line, "\n")] = 0;
	return true;
}

/* Put VALUE's bits, the lowest first, where FIELDS, "0-7,32-35", says; false if they do not fit. */
static bool bits_place(uint64_t value, const char *fields, uint64_t *config)
{
	while (*fields) {
		char *end;
		unsigned long first = strtoul(fields, &end, 10), last = first;
		if (end == fields)
			return false;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (first > last || last > 63)
			return false;
		uint64_t width = last - first + 1, mask = width == 64 ? ~0ULL : (1ULL << width) - 1;
		*config |= (value & mask) << first;
		value = width == 64 ? 0 : value >> width;
		fields = *end == ',' ? end + 1 : end;
		if (*end && *end != ',')
			return false;
	}
	return value == 0;
}

/* Add TERM, "umask=0x41" or "inv", of the counters in FOLDER. */
static bool term_add(const char *folder, char *term, uint64_t *config)
{
	char *value = strchr(term, '='), *end, format[256];
	if (value)
		*value++ = 0;
	uint64_t number = value ? strtoull(value, &end, 0) : 1;
	if (value && (end == value || *end))
		return false; /* "?": the user's choice */
	if (string_equal(term, "config")) {
		*config |= number;
		return true;
	}
	if (!*term || strchr(term, '/'))
		return false;
	auto_free char *path = mem_printf("%s/format/%s", folder, term);
	return file_line(path, format, sizeof(format)) && strncmp(format, "config:", 7) == 0 &&
	       bits_place(number, format + 7, config);
}

static bool event_read(const char *folder, const char *file, struct event_counter *ret)
{
	char line[512], type[32], *rest, *end;
	auto_free char *type_path = mem_printf("%s/type", folder);
	auto_free char *path = mem_printf("%s/events/%s", folder, file);
	if (!file_line(type_path, type, sizeof(type)) || !file_line(path, line, sizeof(line)))
		return false;
	ret->type = (uint32_t)strtoul(type, &end, 10);
	ret->config = 0;
	if (end == type)
		return false;
	for (char *term = strtok_r(line, ",", &rest); term; term = strtok_r(NULL, ",", &rest))
		if (!term_add(folder, term, &ret->config))
			return false;
	return true;
}

/* Counters of no CPU say in the file cpumask which CPU reads them. */
static bool is_of_cpus(const char *folder)
{
	char line[2];
	auto_free char *path = mem_printf("%s/cpumask", folder);
	return !file_line(path, line, sizeof(line));
}

/* The name for D of an event's file; NULL: it says something about another event, as "x.scale". */
static char *file_event_name(const char *file)
{
	if (strchr(file, '.'))
		return NULL;
	char *name = mem_strdup(file);
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

/* Visit the files of events; stop where VISIT returns true. */
static bool each_file(const char *devices,
		      bool (*visit)(void *arg, const char *folder, const char *file), void *arg)
{
	auto_free char *pattern = mem_printf("%s/*/events/*", devices);
	glob_t files = { 0 };
	bool is_over = false;
	if (glob(pattern, 0, NULL, &files) == 0)
		for (size_t i = 0; i < files.gl_pathc && !is_over; i++) {
			const char *file = path_base_name(files.gl_pathv[i]);
			size_t len = (size_t)(file - files.gl_pathv[i]) - strlen("/events/");
			auto_free char *folder = mem_strndup(files.gl_pathv[i], len);
			is_over = is_of_cpus(folder) && visit(arg, folder, file);
		}
	globfree(&files);
	return is_over;
}

struct asked {
	const char *name;
	size_t len;
	struct event_counter *ret;
};

static bool is_asked(void *arg, const char *folder, const char *file)
{
	const struct asked *a = arg;
	auto_free char *name = file_event_name(file);
	return name && strlen(name) == a->len && strncasecmp(name, a->name, a->len) == 0 &&
	       event_read(folder, file, a->ret);
}

bool cpc_device_event(const char *devices, const char *name, size_t len, struct event_counter *ret)
{
	struct event_counter found = *ret;
	if (!each_file(devices, is_asked, &(struct asked) { name, len, &found }))
		return false;
	*ret = found;
	return true;
}

struct visitor {
	cpc_event_fn *visit;
	void *arg;
};

static bool visit_one(void *arg, const char *folder, const char *file)
{
	(void)folder;
	const struct visitor *v = arg;
	auto_free char *name = file_event_name(file);
	if (name)
		v->visit(v->arg, name);
	return false;
}

void cpc_each_device_event(const char *devices, cpc_event_fn *visit, void *arg)
{
	each_file(devices, visit_one, &(struct visitor) { visit, arg });
}
