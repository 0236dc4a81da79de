/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * topology - chip and node of each CPU, their clock, memory for the objects of curcpu, numbers of
 * CPUs and pages, the size of a page and the time of boot, as a D library
 *
 * The kernel's place for these values depends on architecture and configuration, and they never
 * change while we run, so they become inlines: a search tree over ranges of CPUs.  On most
 * machines it is a constant or one comparison.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "base/escape.h"
#include "tracer/library/library_file.h"

#define CPUS_MAX 4096

/* The number in CPU's topology file, 0 if there is none. */
static int chip_of(unsigned cpu)
{
	auto_free char *path =
		mem_printf("/sys/devices/system/cpu/cpu%u/topology/physical_package_id", cpu);
	auto_fclose FILE *f = fopen(path, "re");
	int chip = 0;
	return f && fscanf(f, "%d", &chip) == 1 ? MAX(chip, 0) : 0;
}

/* The kernel has a link to the node, called nodeN, in the CPU's directory. */
static int node_of(unsigned cpu)
{
	auto_free char *path = mem_printf("/sys/devices/system/cpu/cpu%u", cpu);
	DIR *d = opendir(path);
	int node = 0;
	for (struct dirent *e; d && (e = readdir(d));)
		if (strncmp(e->d_name, "node", 4) == 0 && e->d_name[4] >= '0' &&
		    e->d_name[4] <= '9')
			node = atoi(e->d_name + 4);
	if (d)
		closedir(d);
	return node;
}

/* MHz of the first CPU; 0: the kernel does not say. */
static int clock_of_cpus(void)
{
	auto_fclose FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "re");
	int khz, mhz = 0;
	if (f && fscanf(f, "%d", &khz) == 1)
		return khz / 1000;
	auto_fclose FILE *info = fopen("/proc/cpuinfo", "re");
	char line[256];
	while (info && !mhz && fgets(line, sizeof(line), info))
		sscanf(line, "cpu MHz : %d", &mhz);
	return mhz;
}

static long configured_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	return MIN(MAX(cpus, 1), CPUS_MAX);
}

struct range_of_cpus {
	unsigned first;
	int value;
};

/* RANGES[0..count) as an expression of cpu. */
static void print_tree(struct strbuf *out, const struct range_of_cpus *ranges, size_t count)
{
	if (count == 1) {
		strbuf_printf(out, "%d", ranges->value);
		return;
	}
	size_t half = count / 2;
	strbuf_printf(out, "(c < %u ? ", ranges[half].first);
	print_tree(out, ranges, half);
	strbuf_puts(out, " : ");
	print_tree(out, ranges + half, count - half);
	strbuf_putc(out, ')');
}

static void print_inline(struct strbuf *out, const char *name, int (*value)(unsigned cpu))
{
	VECTOR(struct range_of_cpus) ranges = { 0 };
	for (unsigned cpu = 0; cpu < configured_cpus(); cpu++) {
		int v = value(cpu);
		if (!ranges.count || ranges.items[ranges.count - 1].value != v)
			vector_push(&ranges, (struct range_of_cpus) { cpu, v });
	}
	strbuf_printf(out, "inline int %s[int c] = ", name);
	print_tree(out, ranges.items, ranges.count);
	strbuf_puts(out, ";\n");
	vector_free(&ranges);
}

int64_t topology_boot_wall_ns(void)
{
	return (int64_t)(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_BOOTTIME));
}

bool topology_defines(const char *name)
{
	static const char *const names[] = {
		"chip_of_cpu",
		"node_of_cpu",
		"clock_of_cpus",
		"cpuinfo_objects",
		"page_kilobytes",
		"boot_wall_ns",
		"solaris_ncpus",
		"solaris_ncpus_online",
		"solaris_max_ncpus",
		"solaris_physmem",
		"solaris__pagesize",
		"jiffy_ns",
		"solaris_physinstalled",
		"pid_namespace",
		"host_loads",
		"host_free_pages",
		"host",
	};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (string_equal(names[i], name))
			return true;
	return false;
}

static void print_number(struct strbuf *out, const char *name, long value)
{
	strbuf_printf(out, "inline int64_t %s = %ld;\n", name, value);
}

/* The coarse clocks go on once in a jiffy. */
static long jiffy_ns(void)
{
	struct timespec t;
	return clock_getres(CLOCK_MONOTONIC_COARSE, &t) == 0 ? t.tv_nsec : 0;
}

/* Filled up with NULs: keys of all machines have one size. */
static void print_host(struct strbuf *out, const struct request *r)
{
	struct utsname own = { .nodename = "" };
	uname(&own);
	const char *name = r->host ? r->host : own.nodename;
	strbuf_puts(out, "inline string host = \"");
	for (const char *c = name; *c; c++)
		escape_add_byte(out, (unsigned char)*c);
	for (size_t i = strlen(name); r->host && i < r->host_width; i++)
		strbuf_puts(out, "\\000");
	strbuf_puts(out, "\";\n");
}

void topology_print(struct strbuf *out, const struct request *r, int64_t boot_wall_ns)
{
	print_host(out, r);
	print_inline(out, "chip_of_cpu", chip_of);
	print_inline(out, "node_of_cpu", node_of);
	strbuf_printf(out, "struct cpuinfo cpuinfo_objects[%ld];\n", configured_cpus());
	strbuf_printf(out, "inline int page_kilobytes = %ld;\n", sysconf(_SC_PAGESIZE) / 1024);
	print_number(out, "boot_wall_ns", (long)boot_wall_ns);
	print_number(out, "jiffy_ns", jiffy_ns());
	print_number(out, "clock_of_cpus", clock_of_cpus());
	print_number(out, "pid_namespace", kernel_pid_namespace());
	strbuf_puts(out, "unsigned int host_loads[3]; uint64_t host_free_pages;\n"); /* host.c */
	print_number(out, "solaris_ncpus", sysconf(_SC_NPROCESSORS_CONF));
	print_number(out, "solaris_max_ncpus", sysconf(_SC_NPROCESSORS_CONF));
	print_number(out, "solaris_ncpus_online", sysconf(_SC_NPROCESSORS_ONLN));
	print_number(out, "solaris_physmem", sysconf(_SC_PHYS_PAGES));
	print_number(out, "solaris_physinstalled", sysconf(_SC_PHYS_PAGES));
	print_number(out, "solaris__pagesize", sysconf(_SC_PAGESIZE));
}
