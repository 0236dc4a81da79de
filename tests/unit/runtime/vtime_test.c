/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/vtime.c: two threads take turns on a CPU */
#include <stddef.h>

#include "host.h"

static struct thread {
	uint64_t run_time; /* as the kernel knows it: late */
	uint64_t storage[3];
	bool has_storage;
	uint64_t ran; /* in truth */
	uint64_t first, last;
} threads[2], *current;
static bool no_memory;
static char rt_vtimes[1];

static void *port_task(void)
{
	return current;
}

static void *port_task_storage(void *map, void *task, void *value, uint64_t flags)
{
	struct thread *t = task;
	if (flags && !no_memory)
		t->has_storage = true;
	return t->has_storage ? t->storage : NULL;
}

#define BPF_LOCAL_STORAGE_GET_F_CREATE 1

#include "runtime/process/vtime.c"

static void switch_to(struct thread *t)
{
	current->run_time = current->ran;
	rt_thread_switch((uint64_t[]) { 0, (uint64_t)current, (uint64_t)t });
	current = t;
	host_task = (uint64_t)t;
}

static void run(uint64_t ns)
{
	host_time += ns;
	current->ran += ns;
}

static void start(void)
{
	memset(threads, 0, sizeof(threads));
	memset(rt_counters, 0, sizeof(rt_counters));
	host_rt_offset_task_run_time = offsetof(struct thread, run_time);
	host_time = 1000000;
	no_memory = false;
	current = &threads[0];
	host_task = (uint64_t)current;
}

/* Differences are exact from the first result on. */
static void ask(void)
{
	uint64_t time = (uint64_t)rt_vtime();
	if (!current->first) {
		current->first = current->ran + 1;
		current->last = time;
	}
	CHECK_INT(time - current->last, current->ran + 1 - current->first);
}

TEST(turns)
{
	start();
	for (int i = 0; i < 5000; i++) {
		run(1 + test_random() % 5000);
		if (test_random() % 2)
			ask();
		if (test_random() % 3 == 0)
			switch_to(&threads[test_random() % 2]);
	}
	CHECK(threads[0].first && threads[1].first);
}

TEST(the_first_answer_counts_the_turn)
{
	start();
	threads[1].run_time = threads[1].ran = 7000;
	switch_to(&threads[1]);
	run(300);
	CHECK_INT(rt_vtime(), 7300);
	run(5);
	CHECK_INT(rt_vtime(), 7305);
}

TEST(before_any_switch_the_first_answer_is_the_kernels)
{
	start();
	run(300);
	threads[0].run_time = 40; /* at the last tick */
	CHECK_INT(rt_vtime(), 40);
	run(5);
	CHECK_INT(rt_vtime(), 45);
}

TEST(never_backwards)
{
	start();
	CHECK_INT(rt_vtime(), 0);
	run(500);
	CHECK_INT(rt_vtime(), 500);
	threads[0].storage[1] -= 100; /* a turn was not seen */
	CHECK_INT(rt_vtime(), 500);
	run(200);
	CHECK_INT(rt_vtime(), 600);
}

TEST(without_memory_it_is_counted)
{
	start();
	no_memory = true;
	threads[0].run_time = 12;
	CHECK_INT(rt_vtime(), 12);
	CHECK_INT(((struct area_counters *)rt_counters)->dynamic, 1);
}

TEST_MAIN
