/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Values that entries save for returns (abi/call.h)
 *
 * Nothing else changes a cell while a program is at its call: the thread that makes the call runs
 * the program.
 */
#include "abi/call.h"
#include "runtime/runtime.h"

/* A call: its tag's parts. */
struct call_key {
	uint64_t whose, where, what;
};

/* Each step is one to one for each of the three parts. */
static always_inline uint64_t tag_of(const struct call_key *k)
{
	uint64_t h = (k->whose * 0x9e3779b97f4a7c15ull) ^ k->where;
	h *= 0xbf58476d1ce4e5b9ull;
	h ^= h >> 31;
	h = (h + k->what) * 0x94d049bb133111ebull;
	h ^= h >> 29;
	return h ? h : 1;
}

static always_inline uint64_t call_bucket(uint64_t tag)
{
	return tag & NUMBER(rt_call_mask);
}

/* Places are numbers of tags, and of cells; NO_PLACE: there is none. */
#define NO_PLACE (-1)

static always_inline uint64_t *tag_at(uint64_t place)
{
	return (uint64_t *)rt_calls + place;
}

static always_inline struct call_cell *cell_at(uint64_t place)
{
	return (struct call_cell *)(rt_calls + NUMBER(rt_call_cells) +
				    place * NUMBER(rt_call_size));
}

static always_inline uint64_t *call_value_at(uint64_t place)
{
	return (uint64_t *)(cell_at(place) + 1);
}

static always_inline int64_t place_of_tag(uint64_t tag)
{
	uint64_t first = call_bucket(tag) * CALL_BUCKET;
	for (uint64_t i = 0; i < CALL_BUCKET; i++)
		if (*tag_at(first + i) == tag)
			return (int64_t)(first + i);
	return NO_PLACE;
}

static always_inline int64_t call_place(const struct call_key *k)
{
	return place_of_tag(tag_of(k));
}

/* A free cell, whose value becomes 0. */
static always_inline int64_t place_claim(uint64_t tag, int is_of_thread)
{
	uint64_t first = call_bucket(tag) * CALL_BUCKET;
	for (uint64_t i = 0; i < CALL_BUCKET; i++) {
		if (*tag_at(first + i) || __sync_val_compare_and_swap(tag_at(first + i), 0, tag))
			continue;
		cell_at(first + i)->tgid =
			port_pid_tgid() >> 32 | (is_of_thread ? CALL_IS_OF_THREAD : 0);
		*call_value_at(first + i) = 0;
		return (int64_t)(first + i);
	}
	ADD_SHARED(&((struct control *)rt_control)->calls_dropped, 1);
	return NO_PLACE;
}

static always_inline int64_t call_place_made(const struct call_key *k)
{
	uint64_t tag = tag_of(k);
	int64_t place = place_of_tag(tag);
	return place < 0 ? place_claim(tag, k->where == CALL_OF_THREAD) : place;
}

static always_inline void call_forget(const struct call_key *k)
{
	int64_t place = call_place(k);
	if (place >= 0)
		*tag_at(place) = 0;
}

static always_inline struct call_key call_key(uint64_t where, uint64_t what)
{
	uint64_t whose = port_pid_tgid() >> 32;
	if (where == CALL_OF_THREAD || where == CALL_NESTED)
		whose = port_task_number();
	return (struct call_key) { whose, where, what };
}

/* --- calls that nest: the value of the key itself is their number, the cells are from 1 on --- */

static always_inline int nest(struct call_key *k)
{
	int64_t place = call_place_made(k);
	if (place < 0)
		return 0;
	uint64_t depth = *call_value_at(place);
	k->where = depth < CALLS_NESTED_MOST ? depth + 1 : 1;
	*call_value_at(place) = k->where;
	return 1;
}

static always_inline int call_innermost(struct call_key *k)
{
	int64_t place = call_place(k);
	k->where = place < 0 ? 0 : *call_value_at(place);
	return k->where != 0;
}

static always_inline void call_leave(const struct call_key *k)
{
	const struct call_key all = { k->whose, CALL_NESTED, k->what };
	int64_t place = call_place(&all);
	if (place < 0)
		return;
	*call_value_at(place) = k->where - 1;
	if (k->where == 1)
		*tag_at(place) = 0;
}

/* --- what programs call: results are offsets of cells from the first one --- */

static always_inline long cell_offset(int64_t place)
{
	return place < 0 ? NO_PLACE : place * (long)NUMBER(rt_call_size);
}

long rt_call_make(uint64_t where, uint64_t what)
{
	struct call_key k = call_key(where, what);
	if (where == CALL_NESTED && !nest(&k))
		return NO_PLACE;
	int64_t place = call_place_made(&k);
	if (place >= 0)
		cell_at(place)->fault = 0;
	return cell_offset(place);
}

long rt_call_find(uint64_t where, uint64_t what)
{
	struct call_key k = call_key(where, what);
	if (where == CALL_NESTED && !call_innermost(&k))
		return NO_PLACE;
	return cell_offset(call_place(&k));
}

long rt_call_end(uint64_t where, uint64_t what)
{
	struct call_key k = call_key(where, what);
	if (where == CALL_NESTED && !call_innermost(&k))
		return 0;
	call_forget(&k);
	if (where == CALL_NESTED)
		call_leave(&k);
	return 0;
}

long rt_call_unseen(void)
{
	ADD_SHARED(&((struct control *)rt_control)->calls_unseen, 1);
	return 0;
}

/*
 * A struct g begins with the bounds of its stack.  Code that runs on another stack, of the kernel's
 * threads, has anything in the register, and its stack does not move.
 */
long rt_goroutine_frame(uint64_t stack_pointer, uint64_t goroutine)
{
	uint64_t bounds[2];
	if (port_read_user(bounds, sizeof(bounds), (void *)goroutine) ||
	    stack_pointer < bounds[0] || stack_pointer >= bounds[1])
		return stack_pointer;
	return goroutine * 0x9e3779b97f4a7c15ull ^ (bounds[1] - stack_pointer);
}

/* --- registers at entries: cells without an end, from which an older value may be displaced --- */

static always_inline uint32_t register_check(uint64_t tag, uint64_t value)
{
	uint64_t h = (tag ^ value) * 0x9e3779b97f4a7c15ull;
	return h >> 32;
}

/* A free cell, or that of an older value. */
static always_inline int64_t register_claim(uint64_t tag)
{
	uint64_t first = call_bucket(tag) * CALL_BUCKET;
	for (uint64_t i = 0; i < CALL_BUCKET; i++) {
		uint64_t at = first + (i + (tag >> 61)) % (CALL_BUCKET / 2), older = *tag_at(at);
		int may_displace = i >= CALL_BUCKET / 2 && cell_at(at)->tgid & CALL_HAS_NO_END;
		if ((older && !may_displace) ||
		    __sync_val_compare_and_swap(tag_at(at), older, tag) != older)
			continue;
		cell_at(at)->tgid = port_pid_tgid() >> 32 | CALL_HAS_NO_END;
		return (int64_t)at;
	}
	ADD_SHARED(&((struct control *)rt_control)->calls_dropped, 1);
	return NO_PLACE;
}

long rt_register_keep(uint64_t where, uint64_t what, uint64_t contents)
{
	struct call_key k = call_key(where, what);
	uint64_t tag = tag_of(&k);
	int64_t place = place_of_tag(tag);
	if (place < 0)
		place = register_claim(tag);
	if (place < 0)
		return 0;
	cell_at(place)->check = register_check(tag, contents);
	*call_value_at(place) = contents;
	return 1;
}

long rt_register_find(uint64_t where, uint64_t what, uint64_t *ret)
{
	struct call_key k = call_key(where, what);
	uint64_t tag = tag_of(&k);
	int64_t place = place_of_tag(tag);
	if (place < 0)
		return 0;
	*ret = *call_value_at(place);
	return cell_at(place)->check == register_check(tag, *ret);
}

/* --- ends --- */

static always_inline long bucket_sweep(uint32_t bucket, uint32_t ignored)
{
	uint32_t tgid = port_pid_tgid() >> 32;
	uint64_t first = call_bucket(bucket) * CALL_BUCKET; /* for the verifier */
	for (uint64_t i = 0; i < CALL_BUCKET; i++)
		if (*tag_at(first + i) && (cell_at(first + i)->tgid & ~ignored) == tgid) {
			cell_at(first + i)->tgid = 0; /* before others may claim it */
			*tag_at(first + i) = 0;
		}
	return 0;
}

static long bucket_of_ended(uint32_t bucket, void *unused)
{
	return bucket_sweep(bucket, CALL_IS_OF_THREAD | CALL_HAS_NO_END);
}

static long bucket_of_executed(uint32_t bucket, void *unused)
{
	return bucket_sweep(bucket, CALL_HAS_NO_END);
}

/* The system call returns. */
long rt_calls_executed(void)
{
	port_loop(NUMBER(rt_call_mask) + 1, bucket_of_executed, 0, 0);
	return 0;
}

/* A thread ends, in a system call that does not return; with the last one the process does. */
long rt_calls_ended(void)
{
	uint64_t signal = word_at(port_task_number() + NUMBER(rt_offset_task_signal));
	if (!half_at(signal + NUMBER(rt_offset_signal_live))) {
		port_loop(NUMBER(rt_call_mask) + 1, bucket_of_ended, 0, 0);
		return 0;
	}
	for (uint64_t i = 0; i < CALL_VALUES_OF_THREADS && i < NUMBER(rt_call_values); i++) {
		struct call_key k = call_key(CALL_OF_THREAD, (i + 1) << CALL_VALUE_SHIFT);
		call_forget(&k);
	}
	return 0;
}
