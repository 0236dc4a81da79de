/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory: what compilers call by name, and the process's own
 *
 * User memory may not be there, and a signal must never come of a firing.  Only the stack that the
 * thread runs on is read by plain loads, from the firing up; all else the kernel reads for us.
 */
#include <linux/uio.h>

#include "agent/inside/host.h"

#undef memset
#undef memcpy
#undef memmove

typedef uint64_t __attribute__((may_alias, aligned(1))) any_word;

__attribute__((used)) void *memmove(void *to, const void *from, size_t size)
{
	char *t = to;
	const char *f = from;
	if ((uintptr_t)to - (uintptr_t)from >= size) {
		for (; size >= 8; size -= 8, t += 8, f += 8)
			*(any_word *)t = *(const any_word *)f;
		while (size--)
			*t++ = *f++;
		return to;
	}
	while (size >= 8) {
		size -= 8;
		*(any_word *)(t + size) = *(const any_word *)(f + size);
	}
	while (size--)
		t[size] = f[size];
	return to;
}

__attribute__((used)) void *memcpy(void *to, const void *from, size_t size)
{
	return memmove(to, from, size);
}

__attribute__((used)) void *memset(void *to, int byte, size_t size)
{
	char *t = to;
	for (; size >= 8; size -= 8, t += 8)
		*(any_word *)t = (unsigned char)byte * 0x0101010101010101ull;
	while (size--)
		*t++ = (char)byte;
	return to;
}

__attribute__((used)) int memcmp(const void *a, const void *b, size_t size)
{
	const unsigned char *x = a, *y = b;
	for (size_t i = 0; i < size; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

__attribute__((used)) size_t strnlen(const char *text, size_t most)
{
	size_t len = 0;
	while (len < most && text[len])
		len++;
	return len;
}

/* --- the thread's stack ----------------------------------------------------------------------- */

#define PAGE_BYTES 4096ull
#define PAGES_AT_ONCE 16u
/* The kernel maps nothing so near below the main thread's stack. */
#define MAIN_STACK_MOST (64ull << 20)
#define THREAD_STACK_MOST (1ull << 20)

/* Is every page from LOW to HIGH there? */
static bool pages_are_there(uint64_t low, uint64_t high)
{
	char bytes[PAGES_AT_ONCE];
	struct iovec here = { bytes, 0 }, there[PAGES_AT_ONCE];
	while (low < high) {
		unsigned n = 0;
		for (; n < PAGES_AT_ONCE && low < high; n++, low += PAGE_BYTES)
			there[n] = (struct iovec) { (void *)low, 1 };
		here.iov_len = n;
		if (SYSTEM(SYS_process_vm_readv, agent_own.pid, &here, 1, there, n, 0) != (long)n)
			return false;
	}
	return true;
}

/*
 * The C library puts a thread's control block at the top of its stack, which stays as long as the
 * thread does.  If all pages from here up to it are there, this is that stack: below it is a page
 * that cannot be read.  The main thread's control block is elsewhere.
 */
static bool stack_learn(struct process_area *area, uint64_t here)
{
	uint64_t page = here & ~(PAGE_BYTES - 1);
	if (page == area->stack_tried || !agent_own.thread_number ||
	    thread_number() == agent_own.pid)
		return false;
	area->stack_tried = page;
	uint64_t top = thread_pointer();
	if (top - here > THREAD_STACK_MOST)
		return false;
	bool is_more = area->stack_high == top && page < area->stack_low;
	if (!pages_are_there(page, is_more ? area->stack_low : top))
		return false;
	area->stack_low = page;
	area->stack_high = top;
	return true;
}

/* Are the bytes on the stack that this thread runs on, above HERE? */
static bool on_own_stack(uint64_t here, uint64_t from, uint64_t size)
{
	uint64_t end = from + size;
	if (from < here || end < from)
		return false;
	if (end <= agent_own.stack_end && agent_own.stack_end - here <= MAIN_STACK_MOST)
		return true;
	uint64_t n = port_area();
	if (n >= HEAD->area_count || from - here > THREAD_STACK_MOST)
		return false;
	struct process_area *area = area_at(n);
	if (here >= area->stack_low && end <= area->stack_high)
		return true;
	return stack_learn(area, here) && end <= area->stack_high;
}

#define HERE ((uint64_t)(uintptr_t)__builtin_frame_address(0))

static long read_by_kernel(void *to, uint64_t size, const void *from)
{
	struct iovec here = { to, size }, there = { (void *)from, size };
	if (!agent_owns(from, 1) &&
	    SYSTEM(SYS_process_vm_readv, agent_own.pid, &here, 1, &there, 1, 0) == (long)size)
		return 0;
	return -EFAULT;
}

long agent_read_user(void *to, uint32_t size, const void *from)
{
	if (on_own_stack(HERE, (uintptr_t)from, size)) {
		memmove(to, from, size);
		return 0;
	}
	if (!size || read_by_kernel(to, size, from) == 0)
		return 0;
	memset(to, 0, size);
	return -EFAULT;
}

static bool has_zero_byte(uint64_t word)
{
	return (word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull;
}

/* Up to the zero, of which it returns the place, or SIZE: what is after it in TO stays. */
static uint64_t text_copy(char *to, const char *from, uint64_t size)
{
	uint64_t at = 0;
	for (; at + 8 <= size; at += 8) {
		uint64_t word = *(const any_word *)(from + at);
		if (has_zero_byte(word))
			break;
		*(any_word *)(to + at) = word;
	}
	for (; at < size; at++) {
		char c = *(const volatile char *)(from + at); /* others may change it */
		to[at] = c;
		if (!c)
			return at;
	}
	return at;
}

/* The same by the kernel, with zeros after it: keys are compared whole.  -1: a bad address. */
static int64_t text_read(char *to, const char *from, uint64_t size)
{
	if (read_by_kernel(to, size, from) < 0)
		return -1;
	uint64_t len = strnlen(to, size);
	memset(to + len, 0, size - len);
	return (int64_t)len;
}

/* Page by page: the text may end before memory does. */
long agent_read_user_text(char *to, uint32_t size, const char *from)
{
	uint32_t done = 0;
	while (done < size) {
		uint64_t at = (uintptr_t)from + done, part = PAGE_BYTES - (at & (PAGE_BYTES - 1));
		if (part > size - done)
			part = size - done;
		int64_t len = on_own_stack(HERE, at, part)
				      ? (int64_t)text_copy(to + done, (const char *)at, part)
				      : text_read(to + done, (const char *)at, part);
		if (len < 0) {
			memset(to, 0, size);
			return -EFAULT;
		}
		done += (uint32_t)len;
		if ((uint64_t)len < part)
			return done + 1;
	}
	if (size)
		to[size - 1] = 0;
	return size;
}
