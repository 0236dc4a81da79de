/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/self.c: blocks of self variables are counted while their threads live */
#include "host.h"

#include "base/base.h"

#define BPF_LOCAL_STORAGE_GET_F_CREATE 1

struct task {
	uint32_t flags;
	bool has_block;
	uint64_t block[2];
};

static char rt_self[1];
static bool refuses; /* the kernel makes no blocks now */

static inline void *port_task(void)
{
	return (void *)host_task;
}

static inline void *port_task_storage(void *map, void *task, void *value, uint64_t flags)
{
	struct task *t = task;
	t->has_block |= (flags & BPF_LOCAL_STORAGE_GET_F_CREATE) && !refuses;
	return t->has_block ? t->block : NULL;
}

#include "runtime/self.c"

static struct control *set_up(uint64_t limit)
{
	struct control *control = (struct control *)rt_control;
	memset(rt_control, 0, sizeof(rt_control));
	memset(rt_counters, 0, sizeof(rt_counters));
	host_rt_offset_task_flags = offsetof(struct task, flags);
	control->self_limit = limit;
	return control;
}

static uint64_t *block_of(struct task *task)
{
	host_task = (uint64_t)task;
	return rt_self_make();
}

TEST(as_many_as_there_is_room_for)
{
	struct control *control = set_up(2);
	struct task a = { 0 }, b = { 0 }, c = { 0 };
	CHECK_INT(*block_of(&a), 1);
	CHECK_INT(*block_of(&a), 1);
	CHECK_INT(*block_of(&b), 2);
	CHECK(!block_of(&c));
	CHECK_INT(control->self_live, 2);
	CHECK_INT(((struct area_counters *)rt_counters)->dynamic, 1);
	host_task = (uint64_t)&a;
	rt_thread_exit(NULL);
	CHECK_INT(control->self_live, 1);
	CHECK_INT(*block_of(&c), 3);
	refuses = true;
	struct task d = { 0 };
	control->self_limit = 9;
	CHECK(!block_of(&d));
	refuses = false;
	CHECK_INT(control->self_live, 2);
	CHECK_INT(((struct area_counters *)rt_counters)->dynamic, 2);
}

TEST(a_thread_that_ends_counts_down_once)
{
	struct control *control = set_up(5);
	struct task a = { 0 }, none = { 0 };
	block_of(&a)[1] = 77;
	a.flags = PF_EXITING;
	rt_thread_exit(NULL);
	rt_thread_exit(NULL);
	CHECK_INT(control->self_live, 0);
	/* Later firings still find its variables, and count nothing. */
	CHECK_INT(block_of(&a)[1], 77);
	CHECK_INT(control->self_live, 0);
	host_task = (uint64_t)&none;
	rt_thread_exit(NULL);
	CHECK_INT(control->self_live, 0);
}

TEST(a_thread_that_begins_at_its_end)
{
	struct control *control = set_up(1);
	struct task before = { .flags = PF_EXITING }, after = { .flags = PF_EXITING };
	CHECK(block_of(&before) != NULL);
	rt_thread_exit(NULL);
	host_task = (uint64_t)&after;
	rt_thread_exit(NULL);
	CHECK(block_of(&after) != NULL);
	CHECK(*block_of(&before) != *block_of(&after));
	CHECK_INT(control->self_live, 0);
}

TEST_MAIN
