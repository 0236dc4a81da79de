/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/kernel.c */
#include <stddef.h>

#include "host.h"

#include "runtime/kernel.c"

TEST(mutexes)
{
	struct {
		uint64_t other, owner;
	} mutex = { 0, 0 };
	uint64_t at = (uint64_t)&mutex;
	host_rt_offset_mutex_owner = 8;
	host_task = 0xffff888000001000;
	slot_reset();
	CHECK_INT(rt_mutex_owner(SLOT_AT, at), 0);
	CHECK_INT(rt_mutex_owned(SLOT_AT, at), 0);
	for (uint64_t flags = 0; flags < 8; flags++) {
		mutex.owner = host_task | flags;
		CHECK_INT(rt_mutex_owner(SLOT_AT, at), host_task);
		CHECK_INT(rt_mutex_owned(SLOT_AT, at), 1);
		mutex.owner = (host_task + 64) | flags;
		CHECK_INT(rt_mutex_owner(SLOT_AT, at), host_task + 64);
		CHECK_INT(rt_mutex_owned(SLOT_AT, at), 0);
	}
	CHECK_NO_FAULT();
	rt_mutex_owner(SLOT_AT, 0);
	CHECK_FAULT(FAULT_BADADDR, 0);
	rt_mutex_owned(SLOT_AT, 24);
	CHECK_FAULT(FAULT_BADADDR, 24);
}

TEST(reader_writer_locks)
{
	static const struct {
		uint32_t count;
		int read, write, writer;
	} cases[] = {
		{ 0, 0, 0, 0 },	    { 0x200, 1, 0, 0 }, { 0x600, 1, 0, 0 }, { 0xff, 0, 1, 1 },
		{ 0x100, 0, 0, 1 }, { 0x300, 1, 0, 1 }, { 0x1ff, 0, 1, 1 },
	};
	slot_reset();
	host_rt_offset_rwlock_count = 0;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t lock[2] = { cases[i].count, 0xffffffff };
		CHECK_INT(rt_rw_read_held(SLOT_AT, (uint64_t)lock), cases[i].read);
		CHECK_INT(rt_rw_write_held(SLOT_AT, (uint64_t)lock), cases[i].write);
		CHECK_INT(rt_rw_iswriter(SLOT_AT, (uint64_t)lock), cases[i].writer);
	}
	CHECK_NO_FAULT();
	rt_rw_read_held(SLOT_AT, 8);
	CHECK_FAULT(FAULT_BADADDR, 8);
}

TEST(open_files)
{
	uint64_t list[3] = { 0x1000, 0, 0x3000 };
	struct {
		uint32_t count;
		uint64_t *list;
	} table = { 3, list };
	struct {
		void *table;
	} files = { &table };
	struct {
		void *files;
	} task = { &files };
	host_rt_offset_task_files = host_rt_offset_files_table = 0;
	host_rt_offset_table_count = 0;
	host_rt_offset_table_list = 8;
	host_task = (uint64_t)&task;
	CHECK_INT(rt_getf(0), 0x1000);
	CHECK_INT(rt_getf(1), 0);
	CHECK_INT(rt_getf(2), 0x3000);
	CHECK_INT(rt_getf(3), 0);
	CHECK_INT(rt_getf(-1), 0);
	CHECK_INT(rt_getf(INT64_MAX), 0);
	task.files = NULL;
	CHECK_INT(rt_getf(0), 0);
}

TEST(thread_registers)
{
	struct {
		uint64_t other;
		uint16_t es, ds, fs, gs;
		uint64_t trap, fs_base;
	} task = { 1, 0x2b, 0x33, 0x3b, 0x43, 14ull << 32 | 3, 0x7fff12345000 };
	host_rt_offset_task_es = 8;
	host_rt_offset_task_ds = 10;
	host_rt_offset_task_fs_selector = 12;
	host_rt_offset_task_gs_selector = 14;
	host_rt_offset_task_trap = 16;
	host_rt_offset_task_fs_base = 24;
	host_task = (uint64_t)&task;
	static const uint64_t wanted[] = {
		0x33, 0x2b, 0x3b, 0x43, 14ull << 32 | 3, 0x7fff12345000
	};
	for (uint64_t n = 0; n < 6; n++)
		CHECK_INT(rt_thread_register(n), wanted[n]);
}

TEST_MAIN
