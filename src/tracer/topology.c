/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * topology - chip and node of each CPU, room for what curcpu points to, the size of a page and the
 * time of boot, as a D library
 *
 * Where the kernel keeps them differs by architecture and configuration, and they never
 * change while we run, so they become inlines: a search tree over ranges of CPUs.  On
 * most machines that is a constant or one comparison.
 */
#include <dirent.h>
#include <stdlib.h>

#include "base/clock.h"
#include "tracer/internal.h"

#define CPUS_MAX 4096

/* The number in CPU's topology file, 0 when there is none. */
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
	return string_equal(name, "chip_of_cpu") || string_equal(name, "node_of_cpu") ||
	       string_equal(name, "cpuinfo_objects") || string_equal(name, "page_kilobytes") ||
	       string_equal(name, "boot_wall_ns");
}

void topology_print(struct strbuf *out, int64_t boot_wall_ns)
{
	print_inline(out, "chip_of_cpu", chip_of);
	print_inline(out, "node_of_cpu", node_of);
	strbuf_printf(out, "struct cpuinfo cpuinfo_objects[%ld];\n", configured_cpus());
	strbuf_printf(out, "inline int page_kilobytes = %ld;\n", sysconf(_SC_PAGESIZE) / 1024);
	strbuf_printf(out, "inline int64_t boot_wall_ns = %lld;\n", (long long)boot_wall_ns);
}
