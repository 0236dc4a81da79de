/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Firings suspended until their system call returns (abi/state.h)
 *
 * A thread's block is kept after its firing was resumed, for the next suspended firing.  A firing
 * that is still suspended when the thread's next firing begins (the kernel skipped the program at
 * the return) is never resumed, and is reported with the firings that the kernel skipped.
 */
#include "runtime/runtime.h"

static always_inline uint64_t address_space(void)
{
	uint64_t memory = 0;
	port_read_kernel(&memory, sizeof(memory),
			 (void *)(port_task_number() + NUMBER(rt_offset_task_memory)));
	return memory;
}

struct suspended *rt_suspend(uint64_t address, uint64_t resume)
{
	if (!resume || !may_be_user(address))
		return 0;
	struct suspended *w =
		port_task_storage(rt_suspended, port_task(), 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!w)
		return 0;
	w->pending = 1;
	w->gone = 0;
	w->resume = resume;
	w->memory = address_space();
	ADD_SHARED(&((struct control *)rt_control)->suspended, 1);
	return w;
}

#define PAGE 4096ull /* larger pages are only checked more than once */
#define PIECE 64     /* bytes, of which the last is read again */

/*
 * The first byte, if the text ends in its page or is not there at all; else the first one of the
 * next page.  A text that ends with its page is taken for a longer one.
 */
uint64_t rt_text_byte(uint64_t address, uint64_t size)
{
	char piece[PIECE];
	uint64_t at = address, rest = PAGE - address % PAGE;
	if (rest >= size)
		return address;
	for (uint32_t i = 0; i < PAGE / (PIECE - 1) + 1; i++) {
		uint32_t count = rest < PIECE ? rest : PIECE;
		if (port_read_user_text(piece, count, (void *)at) < (long)count)
			return address;
		if (rest <= PIECE)
			break;
		at += PIECE - 1;
		rest -= PIECE - 1;
	}
	return (address & ~(PAGE - 1)) + PAGE;
}

/* The thread's block if it has a suspended firing, which ends here. */
static always_inline struct suspended *take_suspended(void)
{
	struct suspended *w = port_task_storage(rt_suspended, port_task(), 0, 0);
	if (!w || !w->pending)
		return 0;
	w->pending = 0;
	ADD_SHARED(&((struct control *)rt_control)->suspended, -1);
	return w;
}

long rt_overtaken(void)
{
	if (take_suspended())
		ADD_SHARED(&((struct control *)rt_control)->overtaken, 1);
	return 0;
}

/* In a later part of the program that has resumed it. */
struct suspended *rt_resumed(void)
{
	return port_task_storage(rt_suspended, port_task(), 0, 0);
}

struct suspended *rt_resume(void)
{
	struct suspended *w = take_suspended();
	if (w)
		w->gone = w->memory != address_space();
	return w;
}
