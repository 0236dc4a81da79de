/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Areas of threads
 *
 * A thread that finds no area claims one.  Owners that have ended are looked for only when none is
 * free, and if there were none, not again within REAP_NS: a thread without an area costs its
 * process little.
 */
#include <linux/sched.h>
#include <signal.h>

#include "agent/inside/host.h"
#include "runtime/runtime.h"

__attribute__((section(".agent.head"), used)) const struct process_image agent_head = {
	.magic = PROCESS_MAGIC,
};

#define RANDOM_FACTOR 0x9e3779b97f4a7c15ull
/* Claims, of those that find no free area; each child has a first one. */
#define REAP_EACH (HEAD->follows ? 16u : 4096u)
#define CLAIM_TRIES 8

static bool owner_change(uint64_t n, uint64_t from, uint64_t to)
{
	return __sync_bool_compare_and_swap(&area_at(n)->owner, from, to);
}

static uint64_t area_owner(uint64_t n)
{
	return __atomic_load_n(&area_at(n)->owner, __ATOMIC_ACQUIRE);
}

/* KEY's area, or the count; *FREE: the first area that can be claimed instead, or the count. */
static uint64_t area_search(uint64_t key, uint64_t *free)
{
	uint64_t count = HEAD->area_count;
	*free = count;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t n = (key + i) & (count - 1), owner = area_owner(n);
		if ((owner & ~AREA_FORKS) == key)
			return n;
		if (*free == count && (owner == AREA_FREE || owner == AREA_NEVER))
			*free = n;
		if (owner == AREA_NEVER)
			break;
	}
	return count;
}

/* What the owner before left: slots of firings that never ended, self variables, a record. */
static void area_reset(uint64_t n)
{
	struct process_area *area = area_at(n);
	char *slots = rt_scratch + n * SLOTS_PER_AREA * HEAD->slot_size;
	for (int i = 0; i < SLOTS_PER_AREA; i++)
		((struct slot *)(void *)(slots + i * HEAD->slot_size))->busy = 0;
	if (area->has_self) {
		char *block = agent_memory + HEAD->self + n * HEAD->self_size;
		uint64_t serial = *(uint64_t *)(void *)block;
		if (serial && !(serial & SELF_RELEASED))
			__sync_fetch_and_add(&((struct control *)rt_control)->self_live, -1);
		memset(block, 0, HEAD->self_size);
		area->has_self = 0;
	}
	area->sealed = area->head;
	if (HEAD->policy == POLICY_RING) { /* nobody writes any more */
		uint64_t flight = HEAD->flight + n * HEAD->flight_stride;
		((struct flight *)(void *)(agent_memory + flight))->word &= FLIGHT_MASK;
		dump_range(flight, recorder_room(HEAD));
	}
	area->stack_low = area->stack_high = area->stack_tried = 0;
	area->own = (uintptr_t)&agent_own;
	area->random += (agent_own.pid ^ n << 32) * RANDOM_FACTOR;
}

/* Areas of threads that have ended become free.  Were there any? */
static bool areas_reap(void)
{
	bool found = false;
	if (__sync_fetch_and_add(&HEAD->reap_tries, 1) % REAP_EACH)
		return false;
	for (uint64_t n = 0; n < HEAD->area_count; n++) {
		uint64_t owner = area_owner(n), key = owner & ~(AREA_CLAIMED | AREA_FORKS);
		if (owner > AREA_TRACER && owner_is_gone(area_at(n), key))
			found |= owner_change(n, owner, AREA_FREE);
	}
	if (found)
		HEAD->reap_tries = 0;
	return found;
}

/*
 * A signal handler may claim another area for the same thread meanwhile.  It has fired when we go
 * on, so we take its area, and ours is free again.  If it comes after our search, the thread has
 * two areas: both are its alone, and from then on each search finds the same one.
 */
static uint64_t area_claim(uint64_t key, uint64_t n)
{
	uint64_t ignored;
	area_reset(n);
	uint64_t other = area_search(key, &ignored);
	bool is_other = other < HEAD->area_count;
	__atomic_store_n(&area_at(n)->owner, is_other ? AREA_FREE : key, __ATOMIC_RELEASE);
	return is_other ? other : n;
}

/* --- children that share the memory --- */

/* Is area N that of the caller's parent, whose thread number it has, too? */
static bool area_is_parents(uint64_t n, uint64_t key)
{
	if (!(area_owner(n) & AREA_FORKS))
		return false;
	bool is = is_sharing_child();
	if (!is)
		owner_change(n, key | AREA_FORKS, key);
	return is;
}

/* Just before vfork(), which makes a child that shares the memory. */
void agent_forks(void)
{
	if (tracer_has_ended() || (!agent_own.process && !child_begin()))
		return;
	uint64_t key = area_key(agent_own.process, thread_number());
	sharing_begin();
	uint64_t n = port_area();
	if (n < HEAD->area_count)
		owner_change(n, key, key | AREA_FORKS);
}

/* Not a thread, which has an area of its own, and no copy, whose own page is wiped. */
static bool makes_child(uint64_t flags)
{
	return (flags & (CLONE_VM | CLONE_THREAD)) == CLONE_VM;
}

/* Before clone(). */
void agent_clones(const void *context)
{
	if (makes_child(context_argument(context)))
		agent_forks();
}

#define FLAGS_NEAR 4096 /* bytes */

/* Before clone3(), whose flags the C library has on its stack. */
void agent_clones_by_flags(const void *context)
{
	uint64_t at = context_argument(context);
	bool is_near = at - context_stack(context) < FLAGS_NEAR && at % sizeof(uint64_t) == 0;
	if (!is_near || makes_child(*(const uint64_t *)at))
		agent_forks();
}

/* --- a firing's area --- */

static uint64_t key_of_caller(void)
{
	return area_key((uint32_t)SYSTEM(SYS_getpid), (uint32_t)SYSTEM(SYS_gettid));
}

__attribute__((noinline)) uint64_t agent_find_area(uint64_t key)
{
	uint64_t count = HEAD->area_count;
	for (int i = 0; i < CLAIM_TRIES; i++) {
		uint64_t free, n = area_search(key, &free);
		if (n < count && !area_is_parents(n, key))
			return n;
		if (n < count)
			return HEAD->follows ? agent_find_area(key_of_caller()) : count;
		if (free == count) {
			if (!areas_reap())
				break;
			continue;
		}
		uint64_t owner = area_owner(free);
		if ((owner == AREA_FREE || owner == AREA_NEVER) &&
		    owner_change(free, owner, key | AREA_CLAIMED))
			return area_claim(key, free);
	}
	return count;
}

/* For a firing's beginning: the area, or -1: it must not begin.  That there was none is counted,
 * but for children that are not followed. */
long agent_area(void)
{
	if (!agent_own.process && !child_begin())
		return -1;
	uint64_t n = port_area();
	if (n < HEAD->area_count)
		return (long)n;
	if (HEAD->follows || !is_sharing_child())
		ADD_SHARED(&((struct control *)rt_control)->no_area, 1);
	return -1;
}

/*
 * agent_area() for a trampoline at any instruction: it saves all registers but rax, and aligns the
 * stack.
 */
__attribute__((naked)) long agent_area_kept(void)
{
	asm("push %rbp\n mov %rsp, %rbp\n and $-16, %rsp\n"
	    "push %rcx\n push %rdx\n push %rsi\n push %rdi\n push %r8\n push %r9\n push %r10\n "
	    "push %r11\n"
	    "call agent_area\n"
	    "pop %r11\n pop %r10\n pop %r9\n pop %r8\n pop %rdi\n pop %rsi\n pop %rdx\n pop %rcx\n"
	    "mov %rbp, %rsp\n pop %rbp\n ret");
}
