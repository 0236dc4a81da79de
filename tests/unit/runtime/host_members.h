/* SPDX-License-Identifier: BSD-2-Clause */
/* host_members - the set of watched processes of unit tests: a list, full when it has no room */
#ifndef TESTS_RUNTIME_HOST_MEMBERS_H
#define TESTS_RUNTIME_HOST_MEMBERS_H

#include "host.h"

#define HOST_MEMBERS 3

static char rt_watched[1];
static uint64_t host_rt_follow;
static struct host_member {
	uint32_t tgid; /* 0: free */
	struct watched_process process;
} host_members[HOST_MEMBERS];

static struct host_member *host_member(uint32_t tgid)
{
	for (unsigned i = 0; i < HOST_MEMBERS; i++)
		if (host_members[i].tgid == tgid)
			return &host_members[i];
	return NULL;
}

static inline void *port_map_lookup(void *map, const void *key)
{
	struct host_member *m = host_member(*(const uint32_t *)key);
	return m ? &m->process : NULL;
}

static inline long port_map_update(void *map, const void *key, const void *value, uint64_t flags)
{
	struct host_member *m = host_member(*(const uint32_t *)key);
	m = m ? m : host_member(0);
	if (!m)
		return -E2BIG;
	m->tgid = *(const uint32_t *)key;
	memcpy(&m->process, value, sizeof(m->process));
	return 0;
}

static inline long port_map_remove(void *map, const void *key)
{
	struct host_member *m = host_member(*(const uint32_t *)key);
	if (!m)
		return -ENOENT;
	m->tgid = 0;
	return 0;
}

static char rt_arrivals[1];
static struct arrival reported; /* the last one */

static inline long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	memcpy(&reported, data, sizeof(reported));
	return 0;
}

static struct control *host_control(void)
{
	return (struct control *)rt_control;
}

#endif
