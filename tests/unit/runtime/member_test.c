/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/process/member.c: who joins and leaves trees of processes, and who is traced in them */
#include "host_members.h"

#include <errno.h>

#include "base/base.h"

static uint64_t host_current;

static inline uint64_t port_pid_tgid(void)
{
	return host_current;
}

#include "runtime/process/member.c"

struct task {
	uint64_t leader, signal;
	uint32_t tgid;
};

static uint32_t live; /* threads of the process that ends */

static void set_up(uint32_t follow, uint32_t flags)
{
	host_rt_offset_task_leader = offsetof(struct task, leader);
	host_rt_offset_task_tgid = offsetof(struct task, tgid);
	host_rt_offset_task_signal = offsetof(struct task, signal);
	host_rt_offset_signal_live = 0;
	host_rt_follow = follow;
	memset(host_members, 0, sizeof(host_members));
	memset(rt_control, 0, sizeof(rt_control));
	memset(&reported, 0, sizeof(reported));
	host_members[0] = (struct host_member) { 7, { 0, 7, flags } };
	host_control()->members = flags != 0;
}

static void fork_of(uint32_t parent, uint32_t child)
{
	struct task task = { .tgid = child };
	task.leader = (uint64_t)&task;
	rt_process_forked((uint64_t)parent << 32, (uint64_t)&task);
}

static void end_of(uint32_t tgid)
{
	struct task task = { .signal = (uint64_t)&live };
	host_task = (uint64_t)&task;
	rt_process_ended((uint64_t)tgid << 32, 0);
}

static uint32_t flags_of(uint32_t tgid)
{
	struct host_member *m = host_member(tgid);
	return m ? m->process.flags : UINT32_MAX;
}

#define ROOT (MEMBER_IS_ROOT | MEMBER_TRACED | MEMBER_WATCHED)

TEST(children_join_the_tree_of_their_parent)
{
	static const struct {
		uint32_t follow, root, child;
	} cases[] = {
		{ FOLLOW_FORK, ROOT, MEMBER_TRACED | MEMBER_WATCHED },
		{ FOLLOW_FORK | FOLLOW_EXEC, ROOT, MEMBER_TRACED | MEMBER_WATCHED },
		{ FOLLOW_EXEC, ROOT, MEMBER_WATCHED },
		{ 0, MEMBER_IS_ROOT, 0 },
	};
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		set_up(cases[i].follow, cases[i].root);
		fork_of(7, 8);
		fork_of(8, 9);
		CHECK_INT(flags_of(8), cases[i].child);
		CHECK_INT(flags_of(9), cases[i].child);
		CHECK_INT(host_control()->members, cases[i].child ? 3 : 1);
		host_current = 9ull << 32 | 10;
		CHECK_INT(rt_target(), 7);
		CHECK_INT(rt_member(), cases[i].child & MEMBER_TRACED ? 7 : 0);
	}
}

TEST(strangers_and_threads_do_not_join)
{
	set_up(FOLLOW_FORK, ROOT);
	fork_of(100, 101);
	struct task leader = { 0 }, thread = { .leader = (uint64_t)&leader, .tgid = 7 };
	rt_process_forked(7ull << 32, (uint64_t)&thread);
	CHECK_INT(host_control()->members, 1);
	CHECK(!host_member(101));
	host_current = 100ull << 32;
	CHECK_INT(rt_target(), 0);
	CHECK_INT(rt_member(), 0);
}

TEST(the_last_thread_takes_its_process_out_of_the_tree)
{
	set_up(FOLLOW_FORK, ROOT);
	fork_of(7, 8);
	live = 1;
	end_of(7);
	CHECK(host_member(7));
	live = 0;
	end_of(7);
	host_current = 7ull << 32 | 7;
	CHECK_INT(rt_target(), 7); /* for what it still does */
	CHECK_INT(host_control()->members, 1);
	CHECK_INT(reported.tgid, 0);
	end_of(8);
	CHECK_INT(host_control()->members, 0);
	CHECK_INT(reported.kind, ARRIVAL_NO_MEMBER);
	end_of(8); /* another thread that saw the same */
	CHECK_INT(host_control()->members, 0);
}

TEST(a_member_that_has_ended_is_one_until_its_first_thread_is_freed)
{
	set_up(FOLLOW_FORK, ROOT);
	fork_of(7, 8);
	live = 0;
	struct task leader = { .tgid = 8 }, thread = { .leader = (uint64_t)&leader, .tgid = 8 };
	leader.leader = (uint64_t)&leader;
	rt_process_freed(0, (uint64_t)&leader); /* of another process that had the number */
	CHECK(host_member(8));
	end_of(8);
	rt_process_freed(0, (uint64_t)&thread);
	CHECK(host_member(8));
	rt_process_freed(0, (uint64_t)&leader);
	CHECK(!host_member(8));
	CHECK_INT(host_control()->members, 1);
}

TEST(children_without_room_are_counted)
{
	set_up(FOLLOW_FORK, ROOT);
	for (uint32_t child = 8; child < 12; child++)
		fork_of(7, child);
	CHECK_INT(host_control()->members, HOST_MEMBERS);
	CHECK_INT(host_control()->members_missed, 2);
}

TEST_MAIN
