/* SPDX-License-Identifier: BSD-2-Clause */
/* runtime/suspend.c: which firings may be suspended, and when they are resumed */
#include <stddef.h>

#include "host.h"

static struct thread {
	uint64_t memory; /* task_struct.mm */
	struct suspended storage;
	bool has_storage;
} thread;
static bool no_memory;
static char rt_suspended[1];
static char rt_control[sizeof(struct control)] __attribute__((aligned(8)));

static void *port_task(void)
{
	return &thread;
}

static void *port_task_storage(void *map, void *task, void *value, uint64_t flags)
{
	if (flags && !no_memory)
		thread.has_storage = true;
	return thread.has_storage ? &thread.storage : NULL;
}

#define BPF_LOCAL_STORAGE_GET_F_CREATE 1

#include "runtime/suspend.c"

#define SOMEWHERE 0x7f0000001000

static struct control *start(void)
{
	memset(&thread, 0, sizeof(thread));
	memset(rt_control, 0, sizeof(rt_control));
	thread.memory = 0xffff888000002000;
	host_rt_offset_task_memory = offsetof(struct thread, memory);
	host_task = (uint64_t)&thread;
	no_memory = false;
	return (struct control *)rt_control;
}

TEST(a_firing_goes_on_once)
{
	const struct control *control = start();
	CHECK(!rt_resume());
	for (int i = 0; i < 3; i++) {
		struct suspended *w = rt_suspend(SOMEWHERE, 7);
		CHECK(w == &thread.storage);
		CHECK_INT(w->resume, 7);
		CHECK_INT(control->suspended, 1);
		CHECK(rt_resume() == w);
		CHECK_INT(w->gone, 0);
		CHECK_INT(control->suspended, 0);
		CHECK(!rt_resume());
	}
}

TEST(memory_that_never_comes_is_not_waited_for)
{
	start();
	CHECK(!rt_suspend(0, 7));
	CHECK(!rt_suspend(4095, 7));
	CHECK(!rt_suspend(0xffff888000001000, 7));
	CHECK(!rt_suspend(UINT64_MAX, 7));
	CHECK(!rt_suspend(SOMEWHERE, 0)); /* the call does not return */
	CHECK(!thread.has_storage);
	CHECK(rt_suspend(4096, 7));
	CHECK(rt_suspend(0xb400000000000000 | SOMEWHERE, 7)); /* tagged, on aarch64 */
}

TEST(without_room_there_is_no_waiting)
{
	const struct control *control = start();
	no_memory = true;
	CHECK(!rt_suspend(SOMEWHERE, 7));
	CHECK_INT(control->suspended, 0);
}

TEST(another_address_space_is_noticed)
{
	start();
	rt_suspend(SOMEWHERE, 7);
	thread.memory += 64;
	CHECK(rt_resume()->gone);
	rt_suspend(SOMEWHERE, 7); /* a process noticed once has ended */
	CHECK(!rt_resume()->gone);
}

/* The kernel skipped the program at the first return. */
TEST(one_that_never_went_on_is_counted_at_the_next_firing)
{
	const struct control *control = start();
	rt_overtaken(); /* nothing waits yet */
	rt_suspend(SOMEWHERE, 7);
	rt_overtaken();
	CHECK_INT(control->suspended, 0);
	CHECK_INT(control->overtaken, 1);
	CHECK(!rt_resume());
	rt_suspend(SOMEWHERE, 8);
	CHECK_INT(rt_resume()->resume, 8);
	rt_overtaken();
	CHECK_INT(control->suspended, 0);
	CHECK_INT(control->overtaken, 1);
}

/* A test whether a string of at most SIZE bytes is present, as an offset from it. */
static uint64_t text_byte(const char *text, uint64_t size)
{
	return rt_text_byte((uint64_t)text, size) - (uint64_t)text;
}

TEST(a_text_is_there_when_its_last_page_is)
{
	char *pages = aligned_alloc(4096, 2 * 4096);
	memset(pages, 'x', 2 * 4096);
	CHECK_INT(text_byte(pages, 4096), 0); /* cannot leave the page */
	CHECK_INT(text_byte(pages, 4097), 4096);
	CHECK_INT(text_byte(pages, 65536), 4096);
	for (unsigned before = 1; before < 300; before++) {
		char *text = pages + 4096 - before;
		CHECK_INT(text_byte(text, before), 0);
		CHECK_INT(text_byte(text, before + 1), before);
		for (unsigned len = 0; len + 1 < before; len++) { /* ends in the page */
			text[len] = '\0';
			CHECK_INT(text_byte(text, 65536), 0);
			text[len] = 'x';
		}
	}
	host_absent_from = (uint64_t)pages; /* not there at all */
	host_bad_from = host_absent_from;
	CHECK_INT(text_byte(pages + 4000, 257), 0);
	host_absent_from = host_bad_from = UINT64_MAX;
	free(pages);
}

TEST_MAIN
