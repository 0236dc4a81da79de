/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/call.c: values that entries save, found at the returns of their calls */
#include "host.h"

#include "abi/program.h"

#define BUCKETS 2
#define CELL (sizeof(struct call_cell) + 8)

static char rt_calls[BUCKETS * CALL_BUCKET * (8 + CELL)] __attribute__((aligned(64)));
static uint64_t host_rt_call_mask = BUCKETS - 1, host_rt_call_values = 4;
static uint64_t host_rt_call_size = CELL;
static uint64_t host_rt_call_cells = BUCKETS * CALL_BUCKET * 8;
static uint64_t host_pid_tgid;

static uint64_t port_pid_tgid(void)
{
	return host_pid_tgid;
}

#include "runtime/process/call.c"

static struct {
	uint64_t signal;
	uint32_t live[2];
} tasks[2];

static void thread_runs(unsigned task, uint32_t tgid, uint32_t tid)
{
	tasks[task].signal = (uint64_t)&tasks[task].live;
	host_task = (uint64_t)&tasks[task];
	host_pid_tgid = (uint64_t)tgid << 32 | tid;
}

static void calls_set_up(void)
{
	memset(rt_calls, 0, sizeof(rt_calls));
	memset(rt_control, 0, sizeof(rt_control));
	host_rt_offset_task_signal = offsetof(typeof(tasks[0]), signal);
	host_rt_offset_signal_live = 0;
	tasks[0].live[0] = tasks[1].live[0] = 1;
	thread_runs(0, 7, 7);
}

static struct control *calls_shared(void)
{
	return (struct control *)rt_control;
}

static uint64_t *value_of_offset(long offset)
{
	return offset < 0 ? NULL
			  : (uint64_t *)(rt_calls + host_rt_call_cells + offset +
					 sizeof(struct call_cell));
}

static void entered(uint64_t where, uint64_t what, uint64_t value)
{
	uint64_t *at = value_of_offset(rt_call_make(where, what));
	if (at)
		*at = value;
}

/* The value at the return; 0: the entry was not seen. */
static uint64_t returned(uint64_t where, uint64_t what)
{
	const uint64_t *at = value_of_offset(rt_call_find(where, what));
	uint64_t value = at ? *at : 0;
	rt_call_end(where, what);
	return value;
}

static unsigned cells_used(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < BUCKETS * CALL_BUCKET; i++)
		count += ((const uint64_t *)rt_calls)[i] != 0;
	return count;
}

#define VALUE(n) ((uint64_t)(n) << CALL_VALUE_SHIFT)

TEST(calls_are_found_by_their_frames)
{
	calls_set_up();
	entered(0x1000, VALUE(1), 10);
	entered(0xff0, VALUE(1), 11);
	entered(0x1000, VALUE(2), 20);
	thread_runs(0, 8, 8);
	CHECK_INT(returned(0x1000, VALUE(1)), 0);
	thread_runs(1, 7, 9); /* a coroutine goes on in another thread */
	CHECK_INT(returned(0xff0, VALUE(1)), 11);
	CHECK_INT(returned(0xff0, VALUE(1)), 0);
	CHECK_INT(returned(0x1000, VALUE(1)), 10);
	CHECK_INT(returned(0x1000, VALUE(2)), 20);
	CHECK_INT(cells_used(), 0);
}

TEST(a_newer_call_takes_the_place_of_one_that_was_left)
{
	calls_set_up();
	entered(0x1000, VALUE(1), 10);
	entered(0x1000, VALUE(1), 12);
	CHECK_INT(cells_used(), 1);
	CHECK_INT(returned(0x1000, VALUE(1)), 12);
	CHECK_INT(returned(0x1000, VALUE(1)), 0);
}

TEST(of_calls_that_nest_the_last_one_ends_first)
{
	calls_set_up();
	for (uint64_t i = 1; i <= 5; i++)
		entered(CALL_NESTED, VALUE(1) | 77, i);
	entered(CALL_NESTED, VALUE(1) | 78, 100);
	CHECK_INT(returned(CALL_NESTED, VALUE(1) | 77), 5);
	thread_runs(1, 7, 9);
	CHECK_INT(returned(CALL_NESTED, VALUE(1) | 77), 0);
	thread_runs(0, 7, 7);
	entered(CALL_NESTED, VALUE(1) | 77, 6);
	CHECK_INT(returned(CALL_NESTED, VALUE(1) | 78), 100);
	CHECK_INT(returned(CALL_NESTED, VALUE(1) | 77), 6);
	for (uint64_t i = 4; i; i--)
		CHECK_INT(returned(CALL_NESTED, VALUE(1) | 77), i);
	CHECK_INT(returned(CALL_NESTED, VALUE(1) | 77), 0);
	CHECK_INT(cells_used(), 0);
}

TEST(a_full_bucket_is_a_drop)
{
	calls_set_up();
	for (uint64_t i = 0; i < BUCKETS * CALL_BUCKET * 4; i++)
		entered(0x1000 + 8 * i, VALUE(1), i + 1);
	CHECK_INT(cells_used(), BUCKETS * CALL_BUCKET);
	CHECK_INT(calls_shared()->calls_dropped, BUCKETS * CALL_BUCKET * 3);
	unsigned found = 0;
	for (uint64_t i = 0; i < BUCKETS * CALL_BUCKET * 4; i++) {
		uint64_t value = returned(0x1000 + 8 * i, VALUE(1));
		found += value != 0;
		CHECK(!value || value == i + 1);
	}
	CHECK_INT(found, BUCKETS * CALL_BUCKET);
	CHECK_INT(cells_used(), 0);
}

TEST(an_older_value_of_a_register_makes_room_and_is_never_anothers)
{
	calls_set_up();
	unsigned found = 0;
	uint64_t contents = 0;
	for (uint64_t i = 0; i < BUCKETS * CALL_BUCKET * 4; i++) {
		CHECK_INT(rt_register_keep(0x1000 + 8 * i, VALUE(1), i), 1);
		CHECK_INT(rt_register_find(0x1000 + 8 * i, VALUE(1), &contents), 1);
		CHECK_INT(contents, i);
	}
	for (uint64_t i = 0; i < BUCKETS * CALL_BUCKET * 4; i++)
		if (rt_register_find(0x1000 + 8 * i, VALUE(1), &contents)) {
			CHECK_INT(contents, i);
			found++;
		}
	CHECK_INT(found, BUCKETS * CALL_BUCKET / 2);
	CHECK_INT(cells_used(), BUCKETS * CALL_BUCKET / 2);
	CHECK_INT(calls_shared()->calls_dropped, 0);
	/* entry() has the other half. */
	for (uint64_t i = 0; i < BUCKETS * CALL_BUCKET * 4; i++)
		entered(0x9000 + 8 * i, VALUE(2), i + 1);
	CHECK_INT(cells_used(), BUCKETS * CALL_BUCKET);
	/* Two threads wrote to one cell: the reader sees neither. */
	memset(rt_calls + host_rt_call_cells, 0x5a, BUCKETS * CALL_BUCKET * CELL);
	for (uint64_t i = 0; i < BUCKETS * CALL_BUCKET * 4; i++)
		CHECK_INT(rt_register_find(0x1000 + 8 * i, VALUE(1), &contents), 0);
}

TEST(registers_of_a_process_are_forgotten_with_it)
{
	calls_set_up();
	uint64_t contents = 0;
	rt_register_keep(0x1000, VALUE(1), 10);
	rt_register_keep(0x1000, VALUE(1), 11);
	CHECK_INT(cells_used(), 1);
	thread_runs(1, 8, 8);
	CHECK_INT(rt_register_find(0x1000, VALUE(1), &contents), 0);
	rt_register_keep(0x1000, VALUE(1), 12);
	rt_calls_executed();
	CHECK_INT(rt_register_find(0x1000, VALUE(1), &contents), 0);
	thread_runs(0, 7, 7);
	CHECK_INT(rt_register_find(0x1000, VALUE(1), &contents), 1);
	CHECK_INT(contents, 11);
	tasks[0].live[0] = 0;
	rt_calls_ended();
	CHECK_INT(cells_used(), 0);
}

TEST(cells_are_freed_when_a_process_ends_or_executes_a_program)
{
	calls_set_up();
	entered(0x1000, VALUE(1), 10);
	entered(CALL_OF_THREAD, VALUE(2), 20);
	thread_runs(1, 8, 8);
	entered(0x1000, VALUE(1), 11);
	entered(CALL_OF_THREAD, VALUE(2), 21);
	thread_runs(0, 7, 7);
	rt_calls_executed(); /* execve() returns */
	CHECK_INT(returned(0x1000, VALUE(1)), 0);
	CHECK_INT(returned(CALL_OF_THREAD, VALUE(2)), 20);
	entered(0x1000, VALUE(1), 12);
	entered(CALL_OF_THREAD, VALUE(2), 22);
	rt_calls_ended(); /* one of its threads */
	CHECK_INT(cells_used(), 3);
	CHECK_INT(returned(CALL_OF_THREAD, VALUE(2)), 0);
	entered(CALL_OF_THREAD, VALUE(2), 22);
	tasks[0].live[0] = 0;
	rt_calls_ended();
	CHECK_INT(cells_used(), 2);
	thread_runs(1, 8, 8);
	CHECK_INT(returned(0x1000, VALUE(1)), 11);
	CHECK_INT(returned(CALL_OF_THREAD, VALUE(2)), 21);
}

TEST_MAIN
