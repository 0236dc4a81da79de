/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/clock.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/time_unit.h"

/* The offset that a time namespace adds to our clocks (time_namespaces(7)). */
static struct {
	bool known;
	int64_t monotonic, boottime;
} added;

static void take_line(const char *line)
{
	int64_t seconds, ns;
	if (sscanf(line, "monotonic %" SCNd64 " %" SCNd64, &seconds, &ns) == 2)
		added.monotonic = seconds * (int64_t)NS_PER_SECOND + ns;
	else if (sscanf(line, "boottime %" SCNd64 " %" SCNd64, &seconds, &ns) == 2)
		added.boottime = seconds * (int64_t)NS_PER_SECOND + ns;
}

/*
 * The file is about the namespace of our children.  Ours is another one after
 * unshare(CLONE_NEWTIME) until exec (Linux 6.3; before, until fork): then we are where our parent
 * is, and suppose that nothing is added there.
 */
static bool is_where_children_are(void)
{
	char own[64] = "", children[64] = "";
	return readlink("/proc/self/ns/time", own, sizeof(own) - 1) > 0 &&
	       readlink("/proc/self/ns/time_for_children", children, sizeof(children) - 1) > 0 &&
	       strcmp(own, children) == 0;
}

/* Kernels without time namespaces have no such files and add nothing. */
static void read_added(void)
{
	char line[128];
	added.known = true;
	FILE *f = is_where_children_are() ? fopen("/proc/self/timens_offsets", "re") : NULL;
	while (f && fgets(line, sizeof(line), f))
		take_line(line);
	if (f)
		fclose(f);
}

static int64_t added_to(clockid_t clock)
{
	if (!added.known)
		read_added();
	if (clock == CLOCK_MONOTONIC)
		return added.monotonic;
	return clock == CLOCK_BOOTTIME ? added.boottime : 0;
}

uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec -
	       (uint64_t)added_to(clock);
}

uint64_t clock_wall_offset(void)
{
	static uint64_t offset;
	if (!offset)
		offset = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	return offset;
}
