/* SPDX-License-Identifier: BSD-2-Clause */
/* inside - declarations shared by the agent's files; see agent/agent.h */
#ifndef AGENT_INSIDE_H
#define AGENT_INSIDE_H

#include <linux/futex.h>
#include <string.h>

#include "agent/inside/system.h"

#define memset __builtin_memset
#define memcpy __builtin_memcpy
#define memmove __builtin_memmove

#include "abi/process.h"
#include "runtime/port_native.h"

/* Neither a library nor a table of addresses: all names are of this image. */
#pragma GCC visibility push(hidden)

extern struct process_own agent_own; /* agent.ld has the places of these two */
extern char agent_memory[];

#define HEAD ((struct process_head *)(void *)agent_memory)

/* The caller's area; HEAD->area_count: it has none. */
uint64_t agent_find_area(uint64_t key);
long agent_read_user(void *to, uint32_t size, const void *from);
long agent_read_user_text(char *to, uint32_t size, const char *from);
long agent_output(void *ring, const void *data, uint64_t size, uint64_t flags);
long agent_stack(const void *context, uint64_t *to, uint32_t size, uint64_t flags);
void wake_reader(void);

/* --- child.c --- */

/* The own page of a child of fork(), which is empty, is filled.  False: it is not traced. */
bool child_begin(void);
/* The caller is about to make a child that shares the memory. */
void sharing_begin(void);
/* Is the caller such a child? */
bool is_sharing_child(void);
/* After sharing_begin(): the caller's process and thread, as area_key(). */
uint64_t sharing_numbers(void);
/* Has the owner KEY of AREA ended, or executed a program? */
bool owner_is_gone(const struct process_area *area, uint64_t key);
void child_leaves(void);
/* It has mapped a library. */
void child_arrived(void);

/* --- dump.c: what cores get (abi/process.h) --- */

/* The pages of SIZE bytes at offset AT. */
void dump_range(uint64_t at, uint64_t size);
/* All of the caller's recorder, for records longer than a clause's (recorder_room()). */
void dump_recorder(void);
/* The element ELEMENT of MAP, a new one. */
void dump_element(const struct process_map *map, const char *element);

static inline struct process_area *area_at(uint64_t n)
{
	return (struct process_area *)(void *)(agent_memory + HEAD->areas) + n;
}

/* The kernel writes it, as the word is in the tracer's robust list. */
static inline bool tracer_has_ended(void)
{
	return __atomic_load_n(&HEAD->tracer, __ATOMIC_RELAXED) & FUTEX_OWNER_DIED;
}

static inline uint32_t thread_number(void)
{
	uint64_t at = agent_own.thread_number;
	return at ? thread_word(at) : (uint32_t)SYSTEM(SYS_gettid);
}

static inline uint64_t port_area(void)
{
	uint64_t key = area_key(agent_own.process, thread_number());
	uint64_t n = key & (HEAD->area_count - 1);
	if (__builtin_expect(__atomic_load_n(&area_at(n)->owner, __ATOMIC_RELAXED) == key, 1))
		return n;
	return agent_find_area(key);
}

/* Are the bytes D's own? They are no user memory, as in the kernel. */
static inline bool agent_owns(const void *address, uint64_t size)
{
	uint64_t offset = (uintptr_t)address - (uintptr_t)agent_memory;
	if (offset < HEAD->size)
		return size <= HEAD->size - offset;
	offset = (uintptr_t)address - (uintptr_t)&agent_own;
	return offset < sizeof(agent_own) && size <= sizeof(agent_own) - offset;
}

#endif
