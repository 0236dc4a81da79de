/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host - this process as the run-time library's executor: the rest of runtime/port_native.h
 *
 * For native.c and native_string.c alone, before any file of runtime/.  Numbers that the kernel's
 * loader puts into code are variables here.
 */
#ifndef INTERPRETER_HOST_H
#define INTERPRETER_HOST_H

#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "interpreter/native.h"
#include "runtime/port_native.h"

#define rt_scratch (native.memory.scratch)
#define rt_control ((char *)native.memory.control)
#define rt_counters ((char *)native.memory.counters)
#define rt_constants (native.constants)
#define rt_clause_drops ((char *)native.memory.clause_drops)
#define rt_flight (native.memory.flight)
#define rt_speculations (native.memory.speculations)
#define rt_self NULL
#define host_rt_areas (native.program->area_count)
#define host_rt_slot_size (native.program->slot_size)
#define host_rt_slots_end (scratch_slots_size(native.program))
#define host_rt_string_size (native.program->string_size)
#define host_rt_ring_size (native.memory.ring_size)
#define host_rt_frames STACK_FRAMES_USUAL
#define host_rt_clauses (native.memory.clause_drops ? native.program->clause_count : 0)
#define host_rt_policy (native.policy)
#define host_rt_flight_count (native.program->area_count)
#define host_rt_flight_stride (native.memory.flight_stride)
#define host_rt_speculation_count (native.memory.speculation_count)
#define host_rt_speculation_size (native.memory.speculation_size)
#define host_rt_speculation_stride (native.memory.speculation_stride)
#define host_rt_wall_offset (native.wall_offset)
#define host_rt_preempt_place 0
/* No code of the kernel is between the program and the probed code. */
#define host_rt_stub_begin 0
#define host_rt_stub_end 0
#define host_rt_iterator_begin 0
#define host_rt_iterator_end 0
#define host_rt_callers_seen 0
/* The library reads a struct native_task instead of the kernel's structures. */
#define host_rt_offset_task_parent (offsetof(struct native_task, parent))
#define host_rt_offset_task_tgid (offsetof(struct native_task, tgid))
#define host_rt_offset_task_flags (offsetof(struct native_task, flags))
#define host_rt_offset_task_memory (offsetof(struct native_task, self))
#define host_rt_offset_memory_arguments (offsetof(struct native_task, arguments))
#define host_rt_offset_memory_arguments_end (offsetof(struct native_task, arguments_end))
#define host_rt_offset_perf_event (offsetof(struct native_timer, self))
#define host_rt_offset_event_expires (offsetof(struct native_timer, expires))

/* --- memory ----------------------------------------------------------------------------------- */

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
	if (!size || (native_is_user(from, size, false) &&
		      process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size))
		return 0;
	memset(to, 0, size);
	return -EFAULT;
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

/* --- process and time ------------------------------------------------------------------------- */

static inline uint32_t port_cpu(void)
{
	return native.cpu;
}

static inline uint64_t port_area(void)
{
	return native.area;
}

static inline uint64_t port_area_on(uint64_t cpu)
{
	return native.area;
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
	return native.has_self ? native.memory.self : NULL;
}

/* --- records, stacks, loops ------------------------------------------------------------------- */

static inline void *rt_ring(uint64_t area)
{
	return NULL; /* the firing's area has one */
}

static inline long port_output(void *ring, void *data, uint64_t size, uint64_t flags)
{
	return native.memory.functions->output(native.memory.arg, native.area, data, size);
}

static inline uint64_t port_output_query(void *ring, uint64_t flags)
{
	return native.memory.functions->used(native.memory.arg, native.area);
}

#define port_find_vma(task, address, found, arg, flags)                                            \
	native_find_vma(port_read_user, task, address, found, arg)

/* No stack is walked: what fires is a clause, at no code. */
static inline long port_stack(void *context, void *to, uint32_t size, uint64_t flags)
{
	return -EFAULT;
}

#endif
