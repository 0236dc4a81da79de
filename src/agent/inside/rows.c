/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows of rt.def for which BPF has helpers
 *
 * Not here: what the translator writes in line (cookie, next_part), and rows that are KERNEL.
 */
#include "agent/inside/host.h"
#include "agent/table.h"

uint64_t rt_time(void)
{
	return port_time();
}

/* 0: no firing looks for the deadman: a process cannot keep the tracer from running. */
uint64_t rt_ticks(void)
{
	return 0;
}

uint64_t rt_pid_tgid(void)
{
	return port_pid_tgid();
}

uint64_t rt_uid_gid(void)
{
	return (uint64_t)SYSTEM(SYS_getgid) << 32 | (uint32_t)SYSTEM(SYS_getuid);
}

/* Below cpu_count, as promised, whatever the kernel says. */
uint64_t rt_cpu(void)
{
	uint64_t cpu = port_cpu();
	return cpu < HEAD->cpu_count ? cpu : 0;
}

uint64_t rt_area(void)
{
	return port_area();
}

/* No frame of an interpreter is found: the tables of interpreters are not here. */
uint64_t rt_interpreted(void)
{
	return 0;
}

/* splitmix64; only this thread changes its state. */
uint64_t rt_random(void)
{
	uint64_t n = port_area();
	if (n >= HEAD->area_count)
		return 0;
	uint64_t x = area_at(n)->random += TABLE_FACTOR;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x >> 32;
}

uint64_t rt_copy(void *to, uint64_t size, const void *from)
{
	return (uint64_t)port_copy(to, (uint32_t)size, from);
}

uint64_t rt_read_kernel(void *to, uint64_t size, const void *from)
{
	return (uint64_t)port_read_kernel(to, (uint32_t)size, from);
}

uint64_t rt_read_user(void *to, uint64_t size, const void *from)
{
	return (uint64_t)agent_read_user(to, (uint32_t)size, from);
}

uint64_t rt_comm(void *to, uint64_t size)
{
	return (uint64_t)port_comm(to, (uint32_t)size);
}

uint64_t rt_write_user(void *to, const void *from, uint64_t size)
{
	uint64_t here[2] = { (uintptr_t)from, size }, there[2] = { (uintptr_t)to, size };
	if (agent_owns(to, 1) ||
	    SYSTEM(SYS_process_vm_writev, agent_own.pid, here, 1, there, 1, 0) != (long)size)
		return (uint64_t)-EFAULT;
	return 0;
}

uint64_t rt_raise(uint64_t signal)
{
	long pid = SYSTEM(SYS_getpid); /* it may share the memory with its parent */
	return (uint64_t)SYSTEM(SYS_kill, pid, signal);
}

uint64_t rt_vtime(void)
{
	return clock_now(CLOCK_OF_THREAD);
}

/* --- maps ------------------------------------------------------------------------------------- */

static inline struct table table_of(struct process_map *map)
{
	return (struct table) { agent_memory, map, &map->count };
}

/* Apart, so that the usual case needs few registers and no stack: 5.7 ns of a firing, not 6.3. */
static __attribute__((noinline)) void *lookup_any(struct process_map *map, const char *key)
{
	struct table t = table_of(map);
	char *element = table_find(&t, key);
	return element ? element + map->value_at : NULL;
}

void *rt_map_lookup(struct process_map *map, const char *key)
{
	struct table t = table_of(map);
	char *element = table_find_short(&t, key);
	return element ? element + map->value_at : lookup_any(map, key);
}

uint64_t rt_map_update(struct process_map *map, const char *key, const char *value, uint64_t flags)
{
	struct table t = table_of(map);
	long made = table_update(&t, key, value, flags);
	if (map->is_dumped && !made)
		dump_element(map, table_find(&t, key));
	return (uint64_t)made;
}

uint64_t rt_map_delete(struct process_map *map, const char *key)
{
	struct table t = table_of(map);
	return (uint64_t)(long)table_remove(&t, key);
}

/* OWNER: r12 of translated code (translate/translate.h), for the function that is called. */
typedef uint64_t element_fn(struct process_map *map, const char *key, char *value, void *arg,
			    uint64_t owner);

uint64_t rt_for_each(struct process_map *map, element_fn *function, void *arg, uint64_t flags,
		     uint64_t owner)
{
	struct table t = table_of(map);
	uint64_t count = 0;
	for (uint64_t place = 0; place <= map->mask; place++) {
		if ((table_load(place_word(&t, (uint32_t)place)) & PLACE_STATE) != PLACE_READY)
			continue;
		char *element = table_element(&t, (uint32_t)place);
		count++;
		if (function(map, element, element + map->value_at, arg, owner))
			break;
	}
	return count;
}

typedef uint64_t pass_fn(uint64_t i, void *arg, uint64_t none, uint64_t none_too, uint64_t owner);

uint64_t rt_loop(uint64_t count, pass_fn *function, void *arg, uint64_t flags, uint64_t owner)
{
	uint64_t i = 0;
	while (i < count)
		if (function(i++, arg, 0, 0, owner))
			break;
	return i;
}
