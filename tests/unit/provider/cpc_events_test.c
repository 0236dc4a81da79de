/* SPDX-License-Identifier: BSD-2-Clause */
/* Events of CPUs: names of caches, and folders as sysfs has them */
#include "provider/cpc_events.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/base.h"
#include "test.h"

static char devices[] = "/tmp/cpc_events.XXXXXX";

static void file_write(const char *folder, const char *file, const char *text)
{
	auto_free char *path = mem_printf("%s/%s", devices, folder);
	mkdir(path, 0755);
	auto_free char *name = mem_printf("%s/%s", path, file);
	auto_fclose FILE *f = fopen(name, "w");
	if (f)
		fputs(text, f);
}

static void devices_make(void)
{
	static bool are_made; /* the name that mkdtemp() chooses may have an X, too */
	if (are_made)
		return;
	are_made = true;
	CHECK(mkdtemp(devices) != NULL);
	file_write("cpu", "type", "4\n");
	file_write("cpu/format", "event", "config:0-7,32-35\n");
	file_write("cpu/format", "umask", "config:8-15\n");
	file_write("cpu/format", "inv", "config:23\n");
	file_write("cpu/format", "ldlat", "config1:0-15\n");
	file_write("cpu/events", "cache-misses", "event=0x2e,umask=0x41\n");
	file_write("cpu/events", "wide", "event=0x5c0\n");
	file_write("cpu/events", "stalls", "event=0xa3,inv\n");
	file_write("cpu/events", "mem-loads", "event=0xcd,umask=1,ldlat=3\n");
	file_write("cpu/events", "chosen", "event=?\n");
	file_write("cpu/events", "too-large", "umask=0x100\n");
	file_write("cpu/events", "unknown", "event=1,nothing=1\n");
	file_write("cpu/events", "wide.scale", "2\n");
	file_write("uncore", "type", "12\n");
	file_write("uncore", "cpumask", "0\n");
	file_write("uncore/format", "event", "config:0-7\n");
	file_write("uncore/events", "clockticks", "event=0\n");
}

static struct event_counter event_of(const char *name)
{
	struct event_counter c = { .type = 99, .config = 99 };
	devices_make();
	cpc_device_event(devices, name, strlen(name), &c);
	return c;
}

TEST(caches)
{
	struct event_counter c = { 0 };
	CHECK(cpc_cache_event("l1d_loads", 9, &c));
	CHECK_INT(c.type, 3);
	CHECK_INT(c.config, 0);
	CHECK(cpc_cache_event("LLC_store_misses-all", 16, &c));
	CHECK_INT(c.config, 0x10102);
	CHECK(cpc_cache_event("itlb_prefetches", 15, &c));
	CHECK_INT(c.config, 0x204);
	CHECK(!cpc_cache_event("l1d", 3, &c));
	CHECK(!cpc_cache_event("l4_loads", 8, &c));
}

TEST(terms_are_put_where_their_format_says)
{
	struct event_counter c = event_of("cache_misses");
	CHECK_INT(c.type, 4);
	CHECK_INT(c.config, 0x412e);
	CHECK_INT(event_of("CACHE_misses").config, 0x412e);
	CHECK(event_of("wide").config == 0x5000000c0);
	CHECK_INT(event_of("stalls").config, 0x8000a3);
}

TEST(what_needs_more_than_one_number_is_no_event)
{
	CHECK_INT(event_of("mem_loads").type, 99);
	CHECK_INT(event_of("chosen").type, 99);
	CHECK_INT(event_of("too_large").type, 99);
	CHECK_INT(event_of("unknown").type, 99);
	CHECK_INT(event_of("wide.scale").type, 99);
	CHECK_INT(event_of("clockticks").type, 99);
	CHECK_INT(event_of("no_such_event").config, 99);
}

static void name_count(void *arg, const char *name)
{
	int *count = arg;
	CHECK(!strchr(name, '-') && !strchr(name, '.'));
	++*count;
}

TEST(all_names)
{
	int count = 0;
	devices_make();
	cpc_each_device_event(devices, name_count, &count);
	CHECK_INT(count, 7);
	count = 0;
	cpc_each_cache_event(name_count, &count);
	CHECK_INT(count, 42);
	auto_free char *remove = mem_printf("rm -r %s", devices);
	CHECK(system(remove) == 0);
}

TEST_MAIN
