/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * runtime - the functions that compiled D calls (abi/rt.def), in C for BPF
 *
 * Compiled by `clang -target bpf` when the project is built, split into
 * functions by tools/embed-runtime, linked by loader/ into each program that
 * needs them.  The function rt_X is row X of abi/rt.def.
 *
 * Two kinds of functions:
 *   - With only numbers as parameters.  The verifier checks them once, apart
 *     from their callers ("global" functions), so all loops over strings are
 *     in these.  Memory is passed as `at`: an offset into scratch memory,
 *     checked here.
 *   - With pointers.  Checked again at each call, so they are short.
 *
 * Scratch memory is rt_slots_end bytes of slots and one slot more; `at` is
 * below rt_slots_end, so slot_size bytes from any `at` are inside scratch
 * memory.
 *
 * Faults: fault() writes to the slot; the caller checks the slot after the call.
 */
#ifndef RUNTIME_RUNTIME_H
#define RUNTIME_RUNTIME_H

#include "abi/state.h"
#ifdef __bpf__
#include "runtime/port_bpf.h"
#else
#include "runtime/port_native.h"
#endif

#define always_inline inline __attribute__((always_inline))
#define BARRIER() asm volatile("" ::: "memory")
/* The compiler must not reason about X across this: the verifier has to see the checks. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

/* Scratch memory at AT, or NULL if AT is not in a slot. */
static always_inline void *scratch(uint64_t at)
{
	OPAQUE(at);
	if (at >= NUMBER(rt_slots_end))
		return 0;
	/*
	 * Without it the compiler adds before the check: "math between map_value pointer and
	 * register with unbounded min value is not allowed".
	 */
	OPAQUE(at);
	return rt_scratch + at;
}

/* The word at the kernel's ADDRESS; 0 if it cannot be read. */
static always_inline uint64_t word_at(uint64_t address)
{
	uint64_t word = 0;
	port_read_kernel(&word, sizeof(word), (void *)address);
	return word;
}

static always_inline uint32_t half_at(uint64_t address)
{
	uint32_t half = 0;
	port_read_kernel(&half, sizeof(half), (void *)address);
	return half;
}

#define NEVER_MAPPED 4096      /* bytes at address 0 */
#define OF_KERNEL (1ull << 55) /* set in all addresses of the kernel, in none of user space */

static always_inline int may_be_user(uint64_t address)
{
	return address >= NEVER_MAPPED && !(address & OF_KERNEL);
}

static always_inline struct slot *slot_of(uint64_t at)
{
	return scratch(at & ~(NUMBER(rt_slot_size) - 1));
}

static always_inline long fault(uint64_t at, enum fault code, uint64_t address)
{
	struct slot *slot = slot_of(at);
	if (slot) {
		slot->fault = code + 1;
		slot->fault_address = address;
	}
	return 0;
}

/* The string at AT if it is not NULL; else a fault and NULL. */
static always_inline struct rt_string *string_at(uint64_t at)
{
	struct rt_string *s = scratch(at);
	if (s && s->tag)
		return s;
	fault(at, FAULT_BADADDR, 0);
	return 0;
}

/* A string's length: at most strsize, even if the tag is larger. */
static always_inline uint64_t string_length(const struct rt_string *s)
{
	uint64_t len = s->tag - 1;
	OPAQUE(len);
	return len <= NUMBER(rt_string_size) ? len : NUMBER(rt_string_size);
}

static always_inline struct area_counters *counters(void)
{
	uint64_t area = port_area();
	if (area >= NUMBER(rt_areas)) /* for the verifier */
		area = 0;
	return (struct area_counters *)rt_counters + area;
}

/*
 * Add to a word that several areas share.  The fetching form of the instruction marks this
 * (abi/state.h): an atomic add that does not fetch is to memory of the firing's own area.
 */
#define ADD_SHARED(word, n)                                                                        \
	do {                                                                                       \
		uint64_t before_sum = __sync_fetch_and_add(word, n);                               \
		OPAQUE(before_sum);                                                                \
	} while (0)

/*
 * Change a word of this firing's own area.  An executor whose areas are threads may define forms
 * without a lock.  FETCH_OWN and EXCHANGE_OWN, which compares: the value is that before.
 */
#ifndef ADD_OWN
#define ADD_OWN(word, n) ((void)__sync_fetch_and_add(word, n))
#define FETCH_OWN(word, n) __sync_fetch_and_add(word, n)
#define EXCHANGE_OWN(word, from, to) __sync_val_compare_and_swap(word, from, to)
#endif

#define COUNT_MORE(counter, n) ADD_OWN(&counters()->counter, n)
#define COUNT(counter) COUNT_MORE(counter, 1)

#endif
