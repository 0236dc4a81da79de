/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/namespace.c: process numbers of tasks in nested PID namespaces */
#include "host_members.h"

#include <errno.h>

#include "base/base.h"

static uint64_t host_rt_namespace;

#include "runtime/process/namespace.c"

struct upid {
	uint32_t number, padding;
	uint64_t space;
};

struct pid {
	uint32_t level;
	struct upid numbers[34];
};

struct task {
	uint64_t parent, leader, pid, signal;
};

static uint32_t spaces[34]; /* each is its inode */

static void set_up(void)
{
	host_rt_offset_task_parent = offsetof(struct task, parent);
	host_rt_offset_task_leader = offsetof(struct task, leader);
	host_rt_offset_task_pid = offsetof(struct task, pid);
	host_rt_offset_pid_level = offsetof(struct pid, level);
	host_rt_offset_pid_numbers = offsetof(struct pid, numbers);
	host_rt_offset_namespace_inode = 0;
	for (unsigned i = 0; i < ARRAY_SIZE(spaces); i++)
		spaces[i] = 9000 + i;
}

/* In the namespaces 0 to LEVEL; its number in the n-th is FIRST + n. */
static void make_pid(struct pid *p, unsigned level, uint32_t first)
{
	*p = (struct pid) { .level = level };
	for (unsigned i = 0; i <= level; i++)
		p->numbers[i] = (struct upid) { first + i, 0, (uint64_t)&spaces[i] };
}

TEST(numbers_of_each_level)
{
	struct pid process, thread, parent;
	struct task leader = { .pid = (uint64_t)&process }, task = { .pid = (uint64_t)&thread };
	struct task above = { .pid = (uint64_t)&parent };
	set_up();
	leader.leader = task.leader = (uint64_t)&leader;
	above.leader = above.parent = (uint64_t)&above;
	leader.parent = task.parent = (uint64_t)&above;
	for (unsigned level = 0; level < 33; level++) {
		make_pid(&process, level, 100);
		make_pid(&thread, level, 500);
		make_pid(&parent, level / 2, 900);
		for (unsigned ours = 0; ours < 34; ours++) {
			host_rt_namespace = spaces[ours];
			uint64_t number = ours <= level ? 100 + ours : 0;
			host_task = (uint64_t)&task;
			CHECK_INT(rt_namespace_pid_tgid(),
				  number << 32 | (ours <= level ? 500 + ours : 0));
			host_task = (uint64_t)&leader;
			CHECK_INT(rt_namespace_pid_tgid(), number << 32 | number);
			uint64_t *to = (uint64_t *)(rt_scratch + ROOM(0));
			CHECK_INT(rt_namespace_ustack_tgid(ROOM(0)), 0);
			CHECK_INT(*to, number);
			uint64_t ppid = ours <= level / 2 ? 900 + ours : 0;
			CHECK_INT(rt_namespace_ppid(), ppid);
			CHECK_INT(rt_namespace_progenyof(number), number != 0);
			CHECK_INT(rt_namespace_progenyof(ppid), ppid != 0);
			CHECK_INT(rt_namespace_progenyof(77), 0);
		}
	}
}

TEST(what_cannot_be_read_has_no_number)
{
	struct task task = { 0 };
	set_up();
	host_rt_namespace = spaces[0];
	host_task = (uint64_t)&task; /* being taken down */
	CHECK_INT(rt_namespace_pid_tgid(), 0);
	CHECK_INT(rt_namespace_ppid(), 0);
	CHECK_INT(rt_namespace_progenyof(1), 0);
}

TEST(a_child_joins_by_its_number_in_our_namespace)
{
	struct pid process;
	struct task child = { .pid = (uint64_t)&process };
	set_up();
	child.leader = (uint64_t)&child;
	make_pid(&process, 3, 100);
	host_rt_follow = FOLLOW_FORK;
	host_members[0] = (struct host_member) { 7, { 0, 7, MEMBER_TRACED } };
	host_rt_namespace = spaces[2];
	rt_namespace_process_forked(7ull << 32, (uint64_t)&child);
	CHECK(host_member(102) && host_member(102)->process.target == 7);
	host_task = (uint64_t)&child;
	CHECK_INT(rt_namespace_target(), 7);
	CHECK_INT(rt_namespace_member(), 7);
	host_rt_namespace = spaces[5]; /* it has no number there */
	rt_namespace_process_forked(7ull << 32, (uint64_t)&child);
	CHECK_INT(host_control()->members, 1);
	CHECK_INT(rt_namespace_target(), 0);
}

TEST(a_member_leaves_when_its_first_thread_is_freed)
{
	uint32_t live = 1;
	static struct task task; /* far from others, as tasks are */
	task.signal = (uint64_t)&live;
	task.leader = (uint64_t)&task;
	set_up();
	host_rt_offset_task_signal = offsetof(struct task, signal);
	host_rt_offset_signal_live = 0;
	memset(host_members, 0, sizeof(host_members));
	host_members[0] = (struct host_member) { 7, { 0, 7, MEMBER_TRACED } };
	host_control()->members = 1;
	host_task = (uint64_t)&task;
	rt_namespace_process_ended(7ull << 32, 0);
	CHECK(host_member(7));
	live = 0;
	rt_namespace_process_ended(7ull << 32, 0);
	CHECK(host_member(7));
	CHECK_INT(host_control()->members, 0);
	CHECK_INT(reported.kind, ARRIVAL_NO_MEMBER);
	rt_namespace_process_freed(0, (uint64_t)&live); /* another task */
	CHECK(host_member(7));
	rt_namespace_process_freed(0, (uint64_t)&task);
	CHECK(!host_member(7));
	for (unsigned i = 0; i < HOST_MEMBERS; i++)
		CHECK_INT(host_members[i].tgid, 0);
	host_members[0] = (struct host_member) { 7, { 0, 7, MEMBER_TRACED } };
	for (unsigned i = 1; i < HOST_MEMBERS; i++)
		host_members[i].tgid = 100 + i; /* no room */
	rt_namespace_process_ended(7ull << 32, 0);
	CHECK(!host_member(7));
}

TEST_MAIN
