/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu - which CPUs there are, and which come online while we trace
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/kernel.h"

#define CPU_MAX 65536

/*
 * "0-3,8,10-11": append each number to RET, which has space for so many (CPUs come and go between
 * two readings), and return the highest + 1.
 */
static unsigned cpu_list(const char *path, int *ret, unsigned room, unsigned *count)
{
	unsigned above = 0;
	auto_fclose FILE *f = fopen(path, "re");
	unsigned first;
	while (f && fscanf(f, "%u", &first) == 1 && first < CPU_MAX) {
		unsigned last = first;
		int c = fgetc(f);
		if (c == '-') {
			if (fscanf(f, "%u", &last) != 1 || last >= CPU_MAX)
				break;
			c = fgetc(f);
		}
		above = last + 1;
		for (unsigned cpu = first; cpu <= last && room && *count < room; cpu++)
			ret[(*count)++] = (int)cpu;
		if (c != ',')
			break;
	}
	return above;
}

unsigned kernel_cpus_possible(void)
{
	static unsigned answer;
	if (!answer)
		answer = cpu_list("/sys/devices/system/cpu/possible", NULL, 0, NULL);
	if (!answer)
		answer = (unsigned)sysconf(_SC_NPROCESSORS_CONF);
	return answer;
}

#define CPUS_ONLINE "/sys/devices/system/cpu/online"

/*
 * Identifies the time for which CPU is online; never 0.  The kernel makes this folder each time
 * anew, with another inode.  Without it 1.
 */
static uint64_t cpu_arrival(int cpu)
{
	char path[64];
	struct stat info;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology", cpu);
	return stat(path, &info) == 0 ? info.st_ino : 1;
}

const int *kernel_cpus_online(unsigned *count)
{
	static int *cpus;
	static unsigned known;
	if (!cpus) {
		unsigned room = cpu_list(CPUS_ONLINE, NULL, 0, NULL) + 1;
		cpus = mem_zalloc(room * sizeof(*cpus));
		cpu_list(CPUS_ONLINE, cpus, room, &known);
		known = MAX(known, 1); /* no /sys: CPU 0 is there */
	}
	*count = known;
	return cpus;
}

void cpus_seen_init(struct cpus_seen *seen)
{
	unsigned room = kernel_cpus_possible(), before;
	const int *cpus = kernel_cpus_online(&before);
	seen->arrival = mem_zalloc(room * sizeof(*seen->arrival));
	seen->now = mem_alloc(room * sizeof(*seen->now));
	seen->arrived = mem_alloc(room * sizeof(*seen->arrived));
	for (unsigned i = 0; i < before; i++)
		seen->arrival[cpus[i]] = cpu_arrival(cpus[i]);
}

void cpus_seen_deinit(struct cpus_seen *seen)
{
	free(seen->arrival);
	free(seen->now);
	free(seen->arrived);
}

const int *kernel_cpus_arrived(struct cpus_seen *seen, unsigned *count)
{
	unsigned room = kernel_cpus_possible(), online = 0;
	if (!seen->arrival)
		cpus_seen_init(seen);
	const int *now = seen->now;
	cpu_list(CPUS_ONLINE, seen->now, room, &online);
	*count = 0;
	if (!online) /* no list to be had now: else all would arrive the next time */
		return seen->arrived;
	uint64_t *arrival = mem_zalloc(room * sizeof(*arrival));
	for (unsigned i = 0; i < online; i++) {
		arrival[now[i]] = cpu_arrival(now[i]);
		if (arrival[now[i]] != seen->arrival[now[i]])
			seen->arrived[(*count)++] = now[i];
	}
	free(seen->arrival);
	seen->arrival = arrival;
	return seen->arrived;
}

int kernel_cpu_or_other(int cpu)
{
	unsigned room = kernel_cpus_possible(), online = 0;
	auto_free int *now = mem_alloc(room * sizeof(*now));
	cpu_list(CPUS_ONLINE, now, room, &online);
	for (unsigned i = 0; i < online; i++)
		if (now[i] == cpu)
			return cpu;
	return online ? now[0] : cpu;
}
