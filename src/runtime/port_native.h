/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * port_native - the run-time library's interface to its executor, in a process
 *
 * The same names as in port_bpf.h.  This header has the definitions for any process.  The others
 * are in a header that includes this one and then a part of runtime/: interpreter/host.h (this
 * process), tests/unit/runtime/host.h (an environment that a test defines).  Such a header has
 *
 *   memory    rt_scratch, rt_control, rt_counters, rt_constants ...
 *   numbers   host_rt_NAME for each number
 *   reading   port_read_kernel(), port_read_user(), port_read_user_sleepable() ...
 *   who       port_cpu(), port_area(), port_time(), port_comm(), port_task() ...
 *
 * but only those that its part of runtime/ uses.
 */
#ifndef RUNTIME_PORT_NATIVE_H
#define RUNTIME_PORT_NATIVE_H

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wstrict-aliasing"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "abi/state.h"

#define NUMBER(symbol) (host_##symbol)

/* A copy within our own memory: it cannot fail. */
static inline long port_copy(void *to, uint32_t size, const void *from)
{
	memmove(to, from, size);
	return 0;
}

static inline long port_copy_text(char *to, uint32_t size, const char *from)
{
	size_t len = size ? strnlen(from, size - 1) : 0;
	memmove(to, from, len);
	if (size)
		to[len] = 0;
	return (long)len + 1;
}

/* Like the kernel's reads: unreadable memory leaves zeros. */
typedef long native_read_fn(void *to, uint32_t size, const void *from);

/* The same up to the first NUL; the result is the number of bytes with the NUL. */
static inline long native_read_text(native_read_fn *read, char *to, uint32_t size, const char *from)
{
	for (uint32_t i = 0; i < size; i++) {
		if (read(to + i, 1, from + i) < 0) {
			memset(to, 0, size);
			return -EFAULT;
		}
		if (!to[i])
			return i + 1;
	}
	if (size)
		to[size - 1] = 0;
	return size;
}

static inline uint64_t port_word(const void *at)
{
	uint64_t word;
	memcpy(&word, at, sizeof(word));
	return word;
}

static inline void port_put_word(void *at, uint64_t word)
{
	memcpy(at, &word, sizeof(word));
}

typedef long native_loop_body(uint32_t i, void *arg);

static inline long native_loop(uint32_t count, native_loop_body *body, void *arg)
{
	uint32_t i = 0;
	if (count > LOOP_PASSES_MOST)
		return -E2BIG; /* as the kernel */
	while (i < count)
		if (body(i++, arg))
			break;
	return i;
}
#define port_loop(count, body, arg, flags)                                                         \
	native_loop(count, (native_loop_body *)(void *)(body), arg)

/* READ is port_read_user(): where a byte can be read, something is mapped. */
static inline long native_find_vma(long (*read)(void *, uint32_t, const void *), void *task,
				   uint64_t address, void *found, void *arg)
{
	char byte;
	if (read(&byte, 1, (void *)address) < 0)
		return -ENOENT;
	return ((long (*)(void *, void *, void *))found)(task, NULL, arg);
}

#define PORT_USER_STACK BPF_F_USER_STACK
#define PORT_NO_VMA -ENOENT
#define PORT_EXISTS -EEXIST
#define PORT_WAKE BPF_RB_FORCE_WAKEUP
#define PORT_NO_WAKE BPF_RB_NO_WAKEUP

#endif
