/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * port - the run-time library's port for this process
 *
 * For native.c alone, before any file of runtime/: it stands for runtime/port.h.  Numbers that the
 * kernel's loader puts into code are variables here.
 */
#ifndef INTERPRETER_PORT_H
#define INTERPRETER_PORT_H
#define RUNTIME_PORT_H

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "interpreter/native.h"

#define rt_scratch (native.scratch)
#define rt_control ((char *)native.control)
#define rt_counters ((char *)native.counters)
#define rt_constants (native.constants)
#define rt_clause_drops ((char *)native.clause_drops)
#define rt_flight (native.flight)
#define rt_speculations (native.speculations)
#define rt_self NULL
#define NUMBER(symbol) (native_##symbol())
#define NATIVE_NUMBER(symbol, value)                                                               \
	static inline uint64_t native_##symbol(void)                                               \
	{                                                                                          \
		return (value);                                                                    \
	}
NATIVE_NUMBER(rt_areas, native.program->area_count)
NATIVE_NUMBER(rt_slot_size, native.program->slot_size)
NATIVE_NUMBER(rt_slots_end,
	      (uint64_t)native.program->area_count *SLOTS_PER_AREA *native.program->slot_size)
NATIVE_NUMBER(rt_string_size, native.program->string_size)
NATIVE_NUMBER(rt_ring_size, native.ring_size)
NATIVE_NUMBER(rt_frames, STACK_FRAMES_USUAL)
NATIVE_NUMBER(rt_clauses, native.clause_drops ? native.program->clause_count : 0)
NATIVE_NUMBER(rt_policy, native.policy)
NATIVE_NUMBER(rt_flight_count, native.program->area_count)
NATIVE_NUMBER(rt_flight_stride, native.flight_stride)
NATIVE_NUMBER(rt_speculation_count, native.speculation_count)
NATIVE_NUMBER(rt_speculation_size, native.speculation_size)
NATIVE_NUMBER(rt_speculation_stride, native.speculation_stride)
NATIVE_NUMBER(rt_wall_offset, native.wall_offset)
NATIVE_NUMBER(rt_preempt_place, 0)
/* No code of the kernel is between the program and what it probes. */
NATIVE_NUMBER(rt_stub_begin, 0)
NATIVE_NUMBER(rt_stub_end, 0)
NATIVE_NUMBER(rt_iterator_begin, 0)
NATIVE_NUMBER(rt_iterator_end, 0)
NATIVE_NUMBER(rt_callers_seen, 0)
/* What the library reads of the kernel's structures it reads of a struct native_task. */
NATIVE_NUMBER(rt_offset_task_parent, offsetof(struct native_task, parent))
NATIVE_NUMBER(rt_offset_task_tgid, offsetof(struct native_task, tgid))
NATIVE_NUMBER(rt_offset_task_flags, offsetof(struct native_task, flags))
NATIVE_NUMBER(rt_offset_task_memory, offsetof(struct native_task, self))
NATIVE_NUMBER(rt_offset_memory_arguments, offsetof(struct native_task, arguments))
NATIVE_NUMBER(rt_offset_memory_arguments_end, offsetof(struct native_task, arguments_end))
NATIVE_NUMBER(rt_offset_perf_event, offsetof(struct native_timer, self))
NATIVE_NUMBER(rt_offset_event_expires, offsetof(struct native_timer, expires))

/* --- memory ----------------------------------------------------------------------------------- */

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

/* Of addresses that are not user memory there are ours only. */
static inline long port_read_kernel(void *to, uint32_t size, const void *from)
{
	if (native_owns(from, size))
		return port_copy(to, size, from);
	memset(to, 0, size);
	return -EFAULT;
}

/* The kernel looks whether the memory is there. */
static inline long port_read_user(void *to, uint32_t size, const void *from)
{
	struct iovec here = { to, size }, there = { (void *)from, size };
	if (!size || process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size)
		return 0;
	memset(to, 0, size);
	return -EFAULT;
}

typedef long native_read_fn(void *to, uint32_t size, const void *from);

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

static inline long port_read_kernel_text(void *to, uint32_t size, const void *from)
{
	return native_read_text(port_read_kernel, to, size, from);
}

static inline long port_read_user_text(void *to, uint32_t size, const void *from)
{
	return native_read_text(port_read_user, to, size, from);
}

#define port_read_user_sleepable port_read_user

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

/* --- who and when -------------------------------------------------------------------------------
 */

static inline uint32_t port_cpu(void)
{
	return native.cpu;
}

/* As the kernel's: a firing's area is its CPU. */
static inline uint64_t port_area(void)
{
	return native.cpu;
}

static inline uint64_t port_area_on(uint64_t cpu)
{
	return cpu;
}

static inline uint64_t port_pid_tgid(void)
{
	return (uint64_t)getpid() << 32 | (uint32_t)gettid();
}

static inline uint64_t port_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline long port_comm(void *to, uint32_t size)
{
	char name[16] = "";
	prctl(PR_GET_NAME, name);
	memset(to, 0, size);
	memcpy(to, name, size < sizeof(name) ? size : sizeof(name));
	return 0;
}

static inline void *port_task(void)
{
	return &native.task;
}

static inline uint64_t port_task_number(void)
{
	return (uintptr_t)&native.task;
}

static inline uint32_t port_preempt_count(void)
{
	return 0;
}

/* There is one thread. */
static inline void *port_task_storage(void *map, void *task, void *value, uint64_t flags)
{
	native.has_self |= flags == BPF_LOCAL_STORAGE_GET_F_CREATE;
	return native.has_self ? native.self : NULL;
}

/* --- records, stacks, loops ---------------------------------------------------------------------
 */

static inline void *rt_ring(uint64_t area)
{
	return &native.rings[area];
}

static inline long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	return native_output(ring, data, size);
}

static inline uint64_t port_output_query(void *ring, uint64_t flags)
{
	return ((struct native_ring *)ring)->used;
}

static inline long port_find_vma(void *task, uint64_t address, void *found, void *arg,
				 uint64_t flags)
{
	char byte;
	if (port_read_user(&byte, 1, (void *)address) < 0)
		return -ENOENT;
	return ((long (*)(void *, void *, void *))found)(task, NULL, arg);
}

/* No stack is walked: what fires is a clause, at no code. */
static inline long port_stack(void *context, void *to, uint32_t size, uint64_t flags)
{
	return -EFAULT;
}

typedef long native_loop_body(uint32_t i, void *arg);

static inline long native_loop(uint32_t count, native_loop_body *body, void *arg)
{
	uint32_t i = 0;
	while (i < count)
		if (body(i++, arg))
			break;
	return i;
}
#define port_loop(count, body, arg, flags)                                                         \
	native_loop(count, (native_loop_body *)(void *)(body), arg)

#define PORT_USER_STACK BPF_F_USER_STACK
#define PORT_NO_VMA -ENOENT
#define PORT_WAKE BPF_RB_FORCE_WAKEUP
#define PORT_NO_WAKE BPF_RB_NO_WAKEUP

#endif
